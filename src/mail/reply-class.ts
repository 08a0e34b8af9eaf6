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

export const classOf = (reply: Reply, circumstances?: Circumstances): ReplyClass =>
  verdictOn(reply, circumstances).class

export interface Verdict {
  class: ReplyClass
  /** Nothing speaks for it but words that can mean more than one thing. */
  isByWording: boolean
}

export function verdictOn(reply: Reply, { provider, isEarly = false }: Circumstances = {}): Verdict {
  const { code, text } = reply
  if (code < 400) return byCode(/quarantin/i.test(text) ? 'quarantined' : 'accepted')
  if (code < 500) return byCode('temporary')
  if (isEarly) return byCode('infrastructure')
  // `spam@example.com: no such user` says nothing about spam.
  const wording = { ...reply, text: text.replace(/\S+/g, (word) => (/.@./.test(word) ? '<address>' : word)) }
  const decides = (rule: Rule): boolean => fits(rule, wording)
  const known = providerRules[provider ?? '']?.find(decides)
  const rule = known ?? [...strongRules, ...enhancedRules, ...weakRules, ...basicRules].find(decides)
  return { class: rule?.class ?? 'infrastructure', isByWording: rule !== undefined && !hasCode(rule) }
}

const byCode = (verdict: ReplyClass): Verdict => ({ class: verdict, isByWording: false })

const hasCode = ({ enhanced, code, isSure }: Rule): boolean =>
  isSure === true || enhanced !== undefined || code !== undefined

const fits = ({ text, enhanced, code }: Rule, reply: Reply): boolean =>
  (code === undefined || code === reply.code) &&
  (enhanced === undefined || (reply.enhanced !== undefined && enhanced.test(reply.enhanced))) &&
  (text === undefined || text.test(reply.text))
