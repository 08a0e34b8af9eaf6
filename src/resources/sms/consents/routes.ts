import { pageRequest } from '../../../http/pagination.ts'
import { createdOrFound, route } from '../../../http/route.ts'
import type { Consents } from './consents.ts'
import {
  AddSuppression,
  ConsentPage,
  ConsentView,
  DetailedConsent,
  ListConsents,
  ListSmsSuppressions,
  RecordConsent,
  SmsSuppressionPage,
  SmsSuppressionView,
} from './schema.ts'
import { smsRoute } from '../projects/routes.ts'
import type { SmsSuppressions } from './suppressions.ts'

const shared = { ...smsRoute, scope: 'sms:manage' } as const

export const smsConsentRoutes = (consents: Consents, suppressions: SmsSuppressions) => [
  route({
    ...shared,
    id: 'listSmsConsents',
    method: 'GET',
    path: '/sms/consents',
    summary: 'List who agreed to be texted, and who took it back.',
    query: ListConsents,
    reply: { 200: ConsentPage },
    handle: ({ project, query }) => consents.list(project, query, pageRequest(query)),
  }),
  route({
    ...shared,
    id: 'createSmsConsent',
    method: 'POST',
    path: '/sms/consents',
    summary: 'Record a consent, or that it was taken back. Records are never changed.',
    body: RecordConsent,
    reply: { 200: ConsentView, 201: ConsentView },
    errors: ['sms_invalid_recipient'],
    handle: async ({ project, actor, body }) => createdOrFound(await consents.record(project, actor, body)),
  }),
  route({
    ...shared,
    id: 'getSmsConsent',
    method: 'GET',
    path: '/sms/consents/:id',
    summary: 'Read one record with its evidence. Who does so is remembered.',
    params: { id: 'smscn' },
    isSensitive: true,
    reply: { 200: DetailedConsent },
    handle: ({ project, actor, params }) => consents.read(project, actor, params.id),
  }),
  route({
    ...shared,
    id: 'listSmsSuppressions',
    method: 'GET',
    path: '/sms/suppressions',
    summary: 'List the numbers that must not be texted, and why.',
    query: ListSmsSuppressions,
    reply: { 200: SmsSuppressionPage },
    handle: ({ project, query }) => suppressions.list(project, query, pageRequest(query)),
  }),
  route({
    ...shared,
    id: 'createSmsSuppression',
    method: 'POST',
    path: '/sms/suppressions',
    summary: 'Put a number on the list.',
    body: AddSuppression,
    reply: { 200: SmsSuppressionView, 201: SmsSuppressionView },
    errors: ['sms_invalid_recipient'],
    handle: async ({ project, actor, body }) => createdOrFound(await suppressions.add(project, actor, body)),
  }),
  route({
    ...shared,
    id: 'getSmsSuppression',
    method: 'GET',
    path: '/sms/suppressions/:id',
    summary: 'Read one entry.',
    params: { id: 'smssp' },
    reply: { 200: SmsSuppressionView },
    handle: ({ project, params }) => suppressions.read(project, params.id),
  }),
]
