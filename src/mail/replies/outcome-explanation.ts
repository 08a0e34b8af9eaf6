import { explain, type Explanation } from './explain.ts'
import { providerOf } from './providers.ts'
import { quotedReply } from './reply.ts'

/** What was said about a recipient, as it was stored when it was heard. */
export interface SaidOf {
  detail: string
  /** Null where no attempt led to it: in a report, and in what is our own doing. */
  smtp: { code?: number; enhanced?: string; host?: string } | null
}

/** The class of a reply that leads to a state. A failure may be of several classes, and the words decide. */
const classes: Readonly<Record<string, string>> = {
  deferred: 'temporary',
  bounced: 'recipient',
  filteredspam: 'spam',
  quarantined: 'quarantine',
  failed: 'infrastructure',
}

/** Whether a server's answer, or a report, can bring the state about. */
export const isExplained = (state: string): boolean => classes[state] !== undefined

/** Explains what became of a recipient; null where no server's answer and no report brought it about. */
export function explainOutcome(state: string, said: SaidOf | undefined): Explanation | null {
  const meaning = classes[state]
  if (said === undefined || meaning === undefined || isOurs(state, said)) return null
  const { smtp } = said
  const detail = said.detail.replace(givenUp, '')
  const quoted = quotedReply(detail)
  const code = smtp?.code ?? quoted?.code ?? null
  if (code === null && !isAboutAServer.test(detail)) return null
  return explain({
    code,
    enhanced: smtp?.enhanced ?? quoted?.enhanced ?? null,
    text: quoted?.text ?? detail,
    provider: smtp?.host === undefined ? null : (providerOf(smtp.host) ?? null),
    class: meaning,
  })
}

const givenUp = /^Given up after \w+ days\. Last: /

/**
 * Sentences of ours may contain anything: the words of whoever paused a destination, a line of a template. Whatever is tried
 * again without an attempt is our own doing.
 */
const isOurs = (state: string, { detail, smtp }: SaidOf): boolean =>
  smtp === null && (state === 'deferred' || givenUp.test(detail) || ownSentence.test(detail))

/** See `delivery/mail/deliver.ts`. */
const ownSentence = /^(?:The template could not be filled in |Set aside: )/

/** Details without a reply that say something about the other side: see `classify.ts` and `reports/notice.ts`. */
const isAboutAServer =
  /^(?:The connection failed \(|Sent, but not confirmed: |Returned as undeliverable|Reported as |The recipient called it spam)/
