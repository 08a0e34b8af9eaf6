/** Explains a reply to people. It is pure, and uses the class of the reply, so that it never contradicts what we did with it. */
import { explanationRules, type ExplanationRule } from './explanation-rules.ts'
import { classExplanations, explanations, type Explanation, type Words } from './explanations.ts'
import { classOf } from './reply-class.ts'
import type { FailureClass } from './reply-rules.ts'

export type { Explanation } from './explanations.ts'

export interface ExplainedReply {
  /** Null where no server answered, and where a report quotes no reply. */
  code: number | null
  enhanced: string | null
  text: string
  /** The provider of the server, by the names in `providers.ts`. */
  provider?: string | null
  /**
   * The class that the reply was given when it was heard, if that is known. `temporary` says that we try again; any other
   * says that we do not, whatever the code.
   */
  class?: string | null
}

export function explain(reply: ExplainedReply): Explanation {
  const given = reply.class ?? undefined
  const isWaiting = given === undefined ? isTemporary(reply) : given === 'temporary'
  return spoken(wordsFor(reply, meaningOf(reply, given), isWaiting), isWaiting)
}

const isTemporary = ({ code, enhanced }: ExplainedReply): boolean =>
  code === null ? enhanced?.startsWith('4') === true : code < 500

/**
 * The class decides which explanations are possible. A temporary reply is read as if it were final: `450 4.1.1` speaks of
 * the same thing as `550 5.1.1`.
 */
function meaningOf({ code, enhanced, text, provider }: ExplainedReply, given: string | undefined): FailureClass {
  if (given === 'recipient' || given === 'spam' || given === 'quarantine' || given === 'full') return given
  if (given === 'quarantined') return 'quarantine'
  const final = {
    code: code === null || code < 500 ? 550 : code,
    enhanced: enhanced?.replace(/^[24]/, '5'),
    text,
  }
  const meaning = classOf(final, { provider: provider ?? undefined })
  return meaning === 'accepted' || meaning === 'temporary' || meaning === 'quarantined' ? 'infrastructure' : meaning
}

function wordsFor(reply: ExplainedReply, meaning: FailureClass, isWaiting: boolean): Words {
  // `spam@example.com: no such user` says nothing about spam.
  const text = reply.text.replace(/\S+/g, (word) => (/.@./.test(word) ? '<address>' : word))
  const rule = explanationRules[meaning].find((one) => fits(one, { ...reply, text }))
  if (rule !== undefined) return explanations[rule.is]
  if (meaning === 'infrastructure') return isWaiting ? classExplanations.temporary : classExplanations.unknown
  return classExplanations[meaning]
}

const fits = ({ provider, code, enhanced, text }: ExplanationRule, reply: ExplainedReply): boolean =>
  (provider === undefined || provider === reply.provider) &&
  (code === undefined || code === reply.code) &&
  (enhanced === undefined || enhanced.test(reply.enhanced?.slice(2) ?? '')) &&
  (text === undefined || text.test(reply.text))

const spoken = ({ waiting, ...words }: Words, isWaiting: boolean): Explanation =>
  isWaiting && waiting !== undefined ? { ...words, advice: waiting, needsAction: false } : words
