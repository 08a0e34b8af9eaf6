/** Explains events of an email: what the server's reply means, from what was stored when it was heard. */
import type { StoredEvent } from '../../events/publish.ts'
import type { Explanation } from '../../mail/replies/explain.ts'
import { explainOutcome, isExplained } from '../../mail/replies/outcome-explanation.ts'
import type { RecipientState } from './states.ts'

/** Null for an event that no server caused. */
export const explanationOf = (event: StoredEvent): Explanation | null => explainOutcome(stateIn(event), event)

/** The state that the event brought about. */
const stateIn = ({ kind }: StoredEvent): string => kind.replace(/^email\./, '')

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
  const last = events.findLast((event) => event.recipient === email && isExplained(stateIn(event)))
  return last === undefined ? null : explanationOf(last)
}
