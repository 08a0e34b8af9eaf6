/**
 * Classifies a reply for the mail that it answers. It is pure: a live reply and one that a bounce quotes give the same
 * class.
 */
import type { Reply } from './reply.ts'
import {
  basicRules,
  enhancedRules,
  lookUpRules,
  ownRules,
  providerRules,
  strongRules,
  weakRules,
  type FailureClass,
  type Rule,
} from './reply-rules.ts'

export type ReplyClass = 'accepted' | 'quarantined' | 'temporary' | FailureClass

/**
 * The stage at which the server replied.
 *
 *   early       before RCPT: it cannot be about the recipient
 *   recipient   in answer to RCPT
 *   data        after the recipient was accepted and before the content was sent
 *   message     after the content: it is mostly about the message
 *   report      unknown, because another server reports it
 */
export type ReplyStage = 'early' | 'recipient' | 'data' | 'message' | 'report'

export interface ReplyContext {
  /** The provider of the server, by the names in `providers.ts`. */
  provider?: string | undefined
  occasion?: ReplyStage
  /** The reply comes from a relay of ours, or through one: a relay refuses our account with the same words. */
  isRelayed?: boolean
}

export const classOf = (reply: Reply, context?: ReplyContext): ReplyClass => classifyReply(reply, context).class

export interface Classification {
  class: ReplyClass
  /** Nothing speaks for it but words that can mean more than one thing. */
  isByWording: boolean
}

export function classifyReply(
  reply: Reply,
  { provider, occasion = 'report', isRelayed = false }: ReplyContext = {},
): Classification {
  const { code, text } = reply
  if (code < 400) return byCode(/quarantin/i.test(text) ? 'quarantined' : 'accepted')
  if (code < 500) return byCode('temporary')
  if (occasion === 'early') return byCode('infrastructure')
  // `spam@example.com: no such user` says nothing about spam.
  const wording = { ...reply, text: text.replace(/\S+/g, (word) => (/.@./.test(word) ? '<address>' : word)) }
  const rule = rulesFor(provider, occasion).find((one) => fits(one, wording))
  const classification = { class: rule?.class ?? 'infrastructure', isByWording: rule !== undefined && !hasCode(rule) }
  return isCredible(classification.class, wording, { occasion, isRelayed }) ? classification : byCode('infrastructure')
}

const rulesFor = (provider: string | undefined, occasion: ReplyStage): readonly Rule[] => [
  ...ownRules,
  ...(providerRules[provider ?? ''] ?? []),
  ...strongRules,
  ...enhancedRules,
  ...(occasion === 'report' ? lookUpRules : []),
  ...weakRules,
  ...basicRules,
]

/**
 * Two classes cost the recipient all further mail. Words alone are enough for that only where they can hardly mean
 * anything else: about the recipient in answer to RCPT; about the message when the server has seen it or names it.
 */
function isCredible(
  classification: FailureClass,
  reply: Reply,
  { occasion, isRelayed }: { occasion: ReplyStage; isRelayed: boolean },
): boolean {
  if (classification === 'recipient') {
    return (!isRelayed && (occasion === 'recipient' || occasion === 'report')) || saysWho(reply)
  }
  if (classification !== 'spam') return true
  return !isRelayed && (occasion === 'message' || occasion === 'report' || aMessage.test(reply.text))
}

/**
 * RFC 3463 §3.2 and RFC 7505 §4.2 name the recipient by code; RFC 5321 §4.2.3 does where the words speak of one, too.
 */
const saysWho = ({ code, enhanced = '', text }: Reply): boolean =>
  /^5\.1\.(?:1|2|3|6|10)$/.test(enhanced) ||
  ((code === 551 || code === 553) &&
    aRecipient.test(text) &&
    weakRules.find((rule) => rule.text?.test(text))?.class === 'recipient')

const aRecipient = /\b(?:user|recipient|mailbox|address)\b/i
const aMessage = /\b(?:message|e-?mail|mail)\b(?!\.\w)/i

const byCode = (classification: ReplyClass): Classification => ({ class: classification, isByWording: false })

const hasCode = ({ enhanced, code, isSure }: Rule): boolean =>
  isSure === true || enhanced !== undefined || code !== undefined

const fits = ({ text, enhanced, code }: Rule, reply: Reply): boolean =>
  (code === undefined || code === reply.code) &&
  (enhanced === undefined || (reply.enhanced !== undefined && enhanced.test(reply.enhanced))) &&
  (text === undefined || text.test(reply.text))
