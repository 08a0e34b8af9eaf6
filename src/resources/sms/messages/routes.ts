import { accepted } from '../../../http/idempotency.ts'
import { pageRequest } from '../../../http/pagination.ts'
import { Answer, route } from '../../../http/route.ts'
import type { SmsAccepter } from './accept.ts'
import { idempotencyHeader, smsRoute } from '../projects/routes.ts'
import { DetailedSms, DryRun, ListSms, QueuedSms, SendSms, SmsPage } from './schema/messages.ts'
import { ReadUsage, UsageView } from './schema/usage.ts'
import type { SmsMessages } from './service.ts'
import type { SmsUsage } from './usage.ts'

interface Services {
  messages: SmsMessages
  accepter: SmsAccepter
  usage: SmsUsage
  idempotencyHeader: string
}

export const smsMessageRoutes = ({ messages, accepter, usage, idempotencyHeader: header }: Services) => [
  route({
    ...smsRoute,
    id: 'listSms',
    method: 'GET',
    path: '/sms/messages',
    scope: 'sms:read',
    summary: 'List SMS, without numbers and texts.',
    query: ListSms,
    reply: { 200: SmsPage },
    handle: ({ project, query }) => messages.list(project, query, pageRequest(query)),
  }),
  route({
    ...smsRoute,
    id: 'sendSms',
    method: 'POST',
    path: '/sms/messages',
    scope: 'sms:send',
    summary: 'Send one SMS, or with `dryRun` hear what would become of it.',
    ownIdempotencyHeader: idempotencyHeader(header),
    body: SendSms,
    leaves: ({ dryRun }) => dryRun !== true,
    reply: { 200: DryRun, 202: QueuedSms },
    errors: [
      'project_paused',
      'quota_exceeded',
      'recipient_suppressed',
      'sms_insufficient_funds',
      'sms_live_delivery_disabled',
      'sms_destination_not_allowed',
      'sms_invalid_recipient',
      'sms_recipient_not_mobile',
      'sms_body_too_long',
      'sms_encoding_not_possible',
      'sms_category_not_allowed',
      'sms_sender_not_ready',
      'sms_program_not_ready',
      'sms_consent_required',
      'sms_quiet_hours',
      'sms_price_exceeds_max',
      'sms_simulator_mismatch',
      'sms_velocity_limited',
    ],
    handle: async ({ project, caller, body, idempotency }) =>
      body.dryRun
        ? new Answer(200, await accepter.dryRun(project, caller, body))
        : accepted(await accepter.send(project, caller, idempotency?.key ?? '', body)),
  }),
  route({
    ...smsRoute,
    id: 'getSms',
    method: 'GET',
    path: '/sms/messages/:id',
    scope: 'sms:read',
    summary: 'Read one SMS with its number, text, parts and history. Who does so is remembered.',
    params: { id: 'sms' },
    isSensitive: true,
    reply: { 200: DetailedSms },
    handle: ({ project, actor, params }) => messages.read(project, actor, params.id),
  }),
  route({
    ...smsRoute,
    id: 'getSmsUsage',
    method: 'GET',
    path: '/sms/usage',
    scope: 'sms:read',
    summary: 'Count SMS and what they cost: messages by when they were made, money by when it moved.',
    query: ReadUsage,
    reply: { 200: UsageView },
    handle: ({ project, query }) => usage.read(project, query),
  }),
]
