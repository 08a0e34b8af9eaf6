/** Explains events of an email: what the server's reply means, from what was stored when it was heard. */
import type { StoredEvent } from '../../events/publish.ts'
import { explain, type Explanation } from '../../mail/replies/explain.ts'
import { providerOf } from '../../mail/replies/providers.ts'
import { quotedReply } from '../../mail/replies/reply.ts'
import type { RecipientState } from './states.ts'

/** The class of a reply that led to an event. A failure may be of several classes, and the words decide. */
const classes: Readonly<Record<string, string>> = {
  'email.deferred': 'temporary',
  'email.bounced': 'recipient',
  'email.filteredspam': 'spam',
  'email.quarantined': 'quarantine',
  'email.failed': 'infrastructure',
}

/** Null for an event that no server caused. */
export function explanationOf({ kind, detail, smtp }: StoredEvent): Explanation | null {
  const meaning = classes[kind]
  if (meaning === undefined) return null
  const said = detail.replace(/^Given up after \w+ days\. Last: /, '')
  const quoted = quotedReply(said)
  const code = smtp?.code ?? quoted?.code ?? null
  if (code === null && !isAboutAServer.test(said)) return null
  return explain({
    code,
    enhanced: smtp?.enhanced ?? quoted?.enhanced ?? null,
    text: quoted?.text ?? said,
    provider: smtp?.host === undefined ? null : (providerOf(smtp.host) ?? null),
    class: meaning,
  })
}

/** Details without a reply that say something about the other side: see `classify.ts` and `reports/notice.ts`. */
const isAboutAServer =
  /^(?:The connection failed \(|Sent, but not confirmed: |Returned as undeliverable|Reported as |The recipient called it spam)/

/** States of a recipient whose last event still holds. */
const unhappy: ReadonlySet<RecipientState> = new Set([
  'queued',
  'sending',
  'deferred',
  'bounced',
  'filteredspam',
  'quarantined',
  'failed',
])

/** Why a recipient did not get the email, or not yet: what their last event says. */
export function recipientExplanation(
  { email, state }: { email: string; state: RecipientState },
  events: readonly StoredEvent[],
): Explanation | null {
  if (!unhappy.has(state)) return null
  const last = events.findLast(({ kind, recipient }) => recipient === email && classes[kind] !== undefined)
  return last === undefined ? null : explanationOf(last)
}
