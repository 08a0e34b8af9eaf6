import { DomainError, type Problem } from '../../core/errors.ts'
import { encodeId, type BatchId } from '../../core/ids.ts'
import type { ItemResult } from './accept.ts'
import { mailbox, shown } from './address-book.ts'
import type { PreparedEmail } from './prepare.ts'
import type { AcceptedEmail } from './rows.ts'
import type { AcceptedView, BatchView, DryRunView } from './schema.ts'
import type { RecipientKind } from './states.ts'

export const acceptedView = ({ id, email, createdAt, isScheduled }: AcceptedEmail): AcceptedView => ({
  id: encodeId('em', id),
  projectId: encodeId('prj', email.project.id),
  status: statusOf(isScheduled),
  from: shown(mailbox(email.request.from)),
  to: recipientsShown(email, 'to'),
  subject: email.content.subject,
  sendAt: email.request.sendAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
})

export const dryRunView = (email: PreparedEmail, isScheduled: boolean, suppressed: readonly string[]): DryRunView => ({
  dryRun: true,
  projectId: encodeId('prj', email.project.id),
  status: statusOf(isScheduled),
  from: shown(mailbox(email.request.from)),
  to: recipientsShown(email, 'to'),
  cc: recipientsShown(email, 'cc'),
  bcc: recipientsShown(email, 'bcc'),
  subject: email.content.subject,
  html: email.content.html,
  text: email.content.text,
  sendAt: email.request.sendAt?.toISOString() ?? null,
  suppressed: [...suppressed],
})

export function batchView(id: BatchId, results: readonly ItemResult[]): BatchView {
  const data = results.map((result, index) =>
    result instanceof DomainError
      ? { index, error: result.message, code: result.code, ...inBatch(result.extra, index) }
      : { index, id: encodeId('em', result.id), status: statusOf(result.isScheduled) },
  )
  const rejected = results.filter((result) => result instanceof DomainError).length
  return { id: encodeId('bat', id), accepted: results.length - rejected, rejected, data }
}

/** The path of an email of a batch, for every problem that is named in it. */
export const pathInBatch = (index: number): string => `/emails/${index}`

/** Problems of one email, as problems of the batch. */
const inBatch = ({ details, ...extra }: DomainError['extra'], index: number): Record<string, unknown> =>
  details === undefined
    ? extra
    : {
        ...extra,
        details: (details as Problem[]).map(({ path, message }) => ({ path: `${pathInBatch(index)}${path}`, message })),
      }

const statusOf = (isScheduled: boolean): 'queued' | 'scheduled' => (isScheduled ? 'scheduled' : 'queued')

const recipientsShown = ({ request }: PreparedEmail, kind: RecipientKind): string[] =>
  request.recipients.filter((one) => one.kind === kind).map(({ address }) => shown(mailbox(address)))
