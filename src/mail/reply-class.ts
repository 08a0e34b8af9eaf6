/** What a reply means for the mail it answers. Pure: the same for a live reply and for one that a bounce quotes. */
import type { Reply } from './reply.ts'
import {
  basicRules,
  enhancedRules,
  providerRules,
  strongRules,
  weakRules,
  type FailureClass,
  type Rule,
} from './reply-rules.ts'

export type ReplyClass = 'accepted' | 'quarantined' | 'temporary' | FailureClass

export interface Circumstances {
  /** Whose server it is, by the names in `providers.ts`. */
  provider?: string | undefined
  /** It came before anything was said about the recipient, so it cannot be about him. */
  isEarly?: boolean
}

export function classOf(reply: Reply, { provider, isEarly = false }: Circumstances = {}): ReplyClass {
  const { code, text } = reply
  if (code < 400) return /quarantin/i.test(text) ? 'quarantined' : 'accepted'
  if (code < 500) return 'temporary'
  if (isEarly) return 'infrastructure'
  const rules = [
    ...(providerRules[provider ?? ''] ?? []),
    ...strongRules,
    ...enhancedRules,
    ...weakRules,
    ...basicRules,
  ]
  // `spam@example.com: no such user` says nothing about spam.
  const wording = { ...reply, text: text.replace(/\S+@\S+/g, '<address>') }
  return rules.find((rule) => fits(rule, wording))?.class ?? 'infrastructure'
}

const fits = ({ text, enhanced, code }: Rule, reply: Reply): boolean =>
  (code === undefined || code === reply.code) &&
  (enhanced === undefined || (reply.enhanced !== undefined && enhanced.test(reply.enhanced))) &&
  (text === undefined || text.test(reply.text))
