import { accepted } from '../../http/idempotency.ts'
import { pageRequest } from '../../http/pagination.ts'
import { Answer, route } from '../../http/route.ts'
import { readBatch } from './read-request.ts'
import {
  AcceptedView,
  BatchView,
  DryRunView,
  EmailPage,
  EmailView,
  ListEmails,
  Reschedule,
  SendBatch,
  SendEmail,
  SendQuery,
} from './schema.ts'
import { viewerOf, type Emails } from './service.ts'
import { problemsInBatch, problemsInEmail } from './shape-problems.ts'

const common = { scope: 'email:send', context: 'sender' } as const
const refusals = ['domain_not_verified', 'sandbox_only', 'project_paused', 'quota_exceeded', 'template_error'] as const
const MIB = 1024 * 1024

export const emailRoutes = (emails: Emails) => [
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
