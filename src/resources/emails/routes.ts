import { accepted } from '../../http/idempotency.ts'
import { pageRequest } from '../../http/pagination.ts'
import { Answer, route } from '../../http/route.ts'
import { readBatch } from './read-request.ts'
import {
  AcceptedView,
  BatchView,
  DryRunView,
  EmailView,
  RawBytes,
  RawQuery,
  Reschedule,
  ResendEmail,
  ResentView,
  SendBatch,
  SendEmail,
  SendQuery,
} from './schema.ts'
import { DialogueView } from './schema/dialogue.ts'
import { EmailPage, ListEmails } from './schema/list.ts'
import type { Again } from './again.ts'
import type { EmailFiles, RawEmail } from './files.ts'
import type { Emails } from './service.ts'
import { viewerOf } from './viewer.ts'
import { problemsInBatch, problemsInEmail } from './shape-problems.ts'

const common = { scope: 'email:send', context: 'sender' } as const
const refusals = ['domain_not_verified', 'sandbox_only', 'project_paused', 'quota_exceeded', 'template_error'] as const
const MIB = 1024 * 1024

export interface EmailServices {
  emails: Emails
  emailFiles: EmailFiles
  again: Again
}

export const emailRoutes = ({ emails, emailFiles, again }: EmailServices) => [
  route({
    ...common,
    id: 'sendEmail',
    method: 'POST',
    path: '/email/send',
    summary: 'Queue one email, for now or for `sendAt`.',
    query: SendQuery,
    body: SendEmail,
    furtherProblems: (body) => problemsInEmail(body, emails.now),
    bodyLimit: 36 * MIB,
    leaves: (_, { dryRun }) => dryRun !== true,
    reply: { 200: DryRunView, 202: AcceptedView },
    errors: [...refusals, 'recipient_suppressed', 'idempotency_mismatch', 'not_found'],
    honoursIdempotencyKey: true,
    handle: async ({ query, body, ...sender }) =>
      query.dryRun ? new Answer(200, await emails.dryRun(sender, body)) : accepted(await emails.send(sender, body)),
  }),
  route({
    ...common,
    id: 'sendEmailBatch',
    method: 'POST',
    path: '/email/batch',
    summary: 'Queue up to 100 emails. Those that policy refuses are named in the answer, the others are queued.',
    body: SendBatch,
    readBody: readBatch,
    furtherProblems: (body) => problemsInBatch(body, emails.now),
    bodyLimit: 64 * MIB,
    leaves: true,
    reply: { 202: BatchView },
    errors: [...refusals, 'idempotency_mismatch', 'not_found'],
    honoursIdempotencyKey: true,
    handle: async ({ body, ...sender }) => accepted(await emails.batch(sender, body)),
  }),
  route({
    ...common,
    id: 'listEmails',
    method: 'GET',
    path: '/emails',
    summary:
      'List emails, newest first. Where filters let few emails through, a page may be short or empty although `hasMore` is true: go on with `nextCursor`.',
    query: ListEmails,
    reply: { 200: EmailPage },
    handle: ({ query, ...caller }) => emails.list(viewerOf(caller), query, pageRequest(query)),
  }),
  route({
    ...common,
    id: 'getEmail',
    method: 'GET',
    path: '/emails/:id',
    summary: 'Read an email: its status, what it says, and what happened to each recipient.',
    params: { id: 'message' },
    reply: { 200: EmailView },
    handle: ({ params, ...caller }) => emails.read(viewerOf(caller), params.id),
  }),
  route({
    ...common,
    id: 'getEmailDialogue',
    method: 'GET',
    path: '/emails/:id/dialogues/:eventId',
    summary: 'Read what was said in SMTP in the attempt that an event of an email tells of.',
    params: { id: 'message', eventId: 'evt' },
    reply: { 200: DialogueView },
    handle: ({ params, ...caller }) => emails.dialogue(viewerOf(caller), params.id, params.eventId),
  }),
  route({
    ...common,
    id: 'downloadEmail',
    method: 'GET',
    path: '/emails/:id/raw',
    summary:
      'Download the message as it left, or will leave, for one recipient: the first, unless the id or `recipient` names another.',
    params: { id: 'message' },
    query: RawQuery,
    isSensitive: true,
    reply: { 200: RawBytes },
    downloads: ['message/rfc822'],
    headers: { 'X-Key-Rotated': '`true` when the domain has another DKIM key by now, and so another signature.' },
    errors: ['invalid_state'],
    handle: async ({ params, query, ...caller }) =>
      withSignature(await emailFiles.raw(viewerOf(caller), params.id, query.recipient)),
  }),
  route({
    ...common,
    id: 'downloadEmailAttachment',
    method: 'GET',
    path: '/emails/:id/attachments/:attachmentId',
    summary: 'Download an attachment of an email.',
    params: { id: 'message', attachmentId: 'att' },
    reply: { 200: RawBytes },
    downloads: ['*/*'],
    handle: ({ params, ...caller }) => emailFiles.attachment(viewerOf(caller), params.id, params.attachmentId),
  }),
  route({
    ...common,
    id: 'resendEmail',
    method: 'POST',
    path: '/emails/:id/resend',
    summary:
      'Send the same content once more, to the same recipients or to others. Not for mail of broadcasts and automations.',
    params: { id: 'message' },
    body: ResendEmail,
    bodyIsOptional: true,
    leaves: true,
    reply: { 202: ResentView },
    errors: [...refusals, 'recipient_suppressed', 'idempotency_mismatch', 'invalid_state'],
    honoursIdempotencyKey: true,
    handle: async ({ params, body, ...sender }) => accepted(await again.resend(sender, params.id, body)),
  }),
  route({
    ...common,
    id: 'retryEmail',
    method: 'POST',
    path: '/emails/:id/retry',
    summary: 'Try recipients that wait for another attempt now.',
    params: { id: 'message' },
    leaves: true,
    reply: { 202: EmailView },
    errors: ['invalid_state', 'project_paused'],
    handle: ({ params, actor, ...caller }) => again.retry(viewerOf(caller), actor, params.id),
  }),
  route({
    ...common,
    id: 'cancelEmail',
    method: 'POST',
    path: '/emails/:id/cancel',
    summary: 'Cancel a scheduled email.',
    params: { id: 'message' },
    reply: { 200: EmailView },
    errors: ['invalid_state'],
    handle: ({ params, actor, ...caller }) => emails.cancel(viewerOf(caller), actor, params.id),
  }),
  route({
    ...common,
    id: 'rescheduleEmail',
    method: 'POST',
    path: '/emails/:id/reschedule',
    summary: 'Move a scheduled email to another time.',
    params: { id: 'message' },
    body: Reschedule,
    reply: { 200: EmailView },
    errors: ['invalid_state'],
    handle: ({ params, actor, body, ...caller }) => emails.reschedule(viewerOf(caller), actor, params.id, body.sendAt),
  }),
]

const withSignature = ({ file, isKeyRotated }: RawEmail) => ({
  ...file,
  ...(isKeyRotated ? { headers: { 'x-key-rotated': 'true' } } : {}),
})
