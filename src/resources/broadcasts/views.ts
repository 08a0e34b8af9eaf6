import { encodeId } from '../../core/ids.ts'
import { explainOutcome } from '../../mail/replies/outcome-explanation.ts'
import type {
  Broadcast,
  BroadcastRow,
  BroadcastSummary,
  BroadcastView,
  Counts,
  Outstanding,
  OutstandingRow,
} from './schema.ts'
import type { LastReply, RecipientRow, RecipientView } from './schema/recipients.ts'
import { buckets } from './states.ts'

export const broadcastSummary = (row: BroadcastRow): BroadcastSummary => ({
  id: encodeId('brd', row.id),
  projectId: encodeId('prj', row.projectId),
  name: row.name ?? row.subject ?? '',
  audienceId: encodeId('aud', row.audienceId),
  from: row.from,
  replyTo: row.replyTo,
  subject: row.subject,
  previewText: row.previewText,
  templateId: row.templateId && encodeId('tpl', row.templateId),
  tracking: { opens: row.trackOpens, clicks: row.trackClicks },
  throttle: { perMinute: row.perMinute },
  status: row.status,
  sendAt: row.sendAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  startedAt: row.startedAt?.toISOString() ?? null,
  completedAt: row.completedAt?.toISOString() ?? null,
  problem: row.problem,
  stats: statsOf(row),
})

export const broadcastView = (broadcast: Broadcast): BroadcastView => ({
  ...broadcastSummary(broadcast),
  html: broadcast.html,
  text: broadcast.text,
  variables: broadcast.variables,
})

const statsOf = (row: Counts): BroadcastView['stats'] => ({
  recipients: row.recipients,
  queued: row.recipients - buckets.reduce((sum, bucket) => sum + row[bucket], 0),
  delivered: row.delivered,
  deferred: row.deferred,
  bounced: row.bounced,
  filteredspam: row.filteredspam,
  quarantined: row.quarantined,
  suppressed: row.suppressed,
  failed: row.failed,
  cancelled: row.cancelled,
  unsubscribed: row.unsubscribed,
  opens: row.opens,
  clicks: row.clicks,
})

export const outstandingView = ({ id, emailId, nextAttemptAt, ...rest }: OutstandingRow): Outstanding => ({
  contactId: encodeId('con', id),
  ...rest,
  emailId: emailId && encodeId('em', emailId),
  nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
})

export const recipientView = (
  { id, emailId, email, status, opens, clicks, updatedAt }: RecipientRow,
  reply: LastReply | undefined,
): RecipientView => ({
  contactId: encodeId('con', id),
  email,
  status,
  emailId: emailId && encodeId('em', emailId),
  explanation: explainOutcome(status, reply),
  opens,
  clicks,
  updatedAt: updatedAt.toISOString(),
})
