import type { BroadcastId } from '../../core/ids.ts'
import type { MailReference } from '../../core/mail-reference.ts'
import type { Publish } from '../../events/publish.ts'
import type { Tx } from '../../storage/postgres.ts'
import type { Suppressions } from '../suppressions/index.ts'
import type { FinalState } from './states.ts'
import { isUnderWay, moveFromDelivered } from './store/reports.ts'

/** What came back about a message after a server had taken it. */
export interface LateReport {
  state: 'bounced' | 'filteredspam' | 'quarantined' | 'failed'
  detail: string
}

/**
 * `early`: the report was faster than our own note that the message was delivered, so somebody has to come again.
 * `nothing`: the recipient is not one that was delivered to, for instance because another report came first.
 */
export type Recorded = 'recorded' | 'nothing' | 'early'

interface ReportOptions {
  suppressions: Suppressions
  publish: Publish
  hooks: {
    progress(tx: Tx, steps: readonly { broadcastId: BroadcastId; from: 'delivered'; to: FinalState }[]): Promise<void>
  }
}

/** State, event, suppression and what a broadcast counts, in one transaction; which one is the caller's. */
export async function recordReport(
  tx: Tx,
  { suppressions, hooks, publish }: ReportOptions,
  reference: MailReference,
  { state, detail }: LateReport,
): Promise<Recorded> {
  const reported = await moveFromDelivered(tx, reference, state)
  if (reported === undefined) return (await isUnderWay(tx, reference)) ? 'early' : 'nothing'
  const { projectId, workspaceId, emailId: messageId, email, recipient, broadcastId } = reported
  const { position } = reference
  await publish(tx, [{ projectId, workspaceId, kind: `email.${state}`, messageId, position, recipient: email, detail }])
  if (state === 'bounced' || state === 'filteredspam') {
    const reason = state === 'bounced' ? 'bounce' : 'spam'
    await suppressions.addAutomatic(tx, [{ projectId, email: recipient, reason, messageId, note: detail }])
  }
  if (broadcastId !== null) await hooks.progress(tx, [{ broadcastId, from: 'delivered', to: state }])
  return 'recorded'
}
