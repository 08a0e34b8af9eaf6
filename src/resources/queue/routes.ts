import { pageRequest } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import {
  AskSending,
  DestinationDetail,
  DestinationView,
  HoldSending,
  ListQueue,
  PauseDestination,
  QueueView,
  ResumeDestination,
  ResumeSending,
  Retried,
  SendingView,
} from './schema.ts'
import type { AllSending } from './sending.ts'
import type { Queue } from './service.ts'

const ofDestination = { context: 'project', params: { destination: 'text' } } as const
const changing = { ...ofDestination, method: 'POST', scope: 'queue:write' } as const
const ofInstallation = { context: 'workspace', errors: ['insufficient_scope', 'project_not_allowed'] } as const

export const queueRoutes = ({ queue, sending }: { queue: Queue; sending: AllSending }) => [
  route({
    id: 'getQueue',
    method: 'GET',
    path: '/queue',
    scope: 'stats:read',
    context: 'project',
    summary:
      'List where mail of the project waits and why: what needs a look first, then the most. Counted at most every 5 seconds; `asOf` says when.',
    query: ListQueue,
    reply: { 200: QueueView },
    handle: ({ project, query }) => queue.list(project, query.needsLook === 'true', pageRequest(query)),
  }),
  route({
    ...ofDestination,
    id: 'getQueueDestination',
    method: 'GET',
    path: '/queue/:destination',
    scope: 'stats:read',
    summary: 'Read one destination, with the answers of the last 24 hours and the hosts that gave them.',
    reply: { 200: DestinationDetail },
    errors: ['not_found'],
    handle: ({ project, params }) => queue.read(project, params.destination),
  }),
  route({
    ...changing,
    id: 'retryDestination',
    path: '/queue/:destination/retry',
    summary: 'Try what waits for another attempt now, at the pace that the destination allows.',
    leaves: true,
    reply: { 202: Retried },
    errors: ['not_found', 'project_paused', 'invalid_state'],
    handle: ({ project, actor, params }) => queue.retry(project, actor, params.destination),
  }),
  route({
    ...changing,
    id: 'pauseDestination',
    path: '/queue/:destination/pause',
    summary:
      'Let no mail of the project go to a destination, whether any waits for it or not. Within 2 seconds none leaves any node.',
    body: PauseDestination,
    bodyIsOptional: true,
    reply: { 200: DestinationView },
    errors: ['not_found', 'insufficient_scope', 'project_not_allowed', 'quota_exceeded'],
    handle: ({ project, caller, actor, params, body }) =>
      queue.pause(project, caller, actor, params.destination, body ?? {}),
  }),
  route({
    ...changing,
    id: 'resumeDestination',
    path: '/queue/:destination/resume',
    summary: 'Let mail go to a destination again; what waits because of the pause leaves at once.',
    leaves: true,
    body: ResumeDestination,
    bodyIsOptional: true,
    reply: { 200: DestinationView },
    errors: ['not_found', 'insufficient_scope', 'project_not_allowed', 'invalid_state'],
    handle: ({ project, caller, actor, params, body }) =>
      queue.resume(project, caller, actor, params.destination, body ?? {}),
  }),
  route({
    id: 'getSending',
    method: 'GET',
    path: '/sending',
    scope: 'stats:read',
    context: 'workspace',
    summary: 'Read whether anything leaves the installation, and what is due.',
    query: AskSending,
    reply: { 200: SendingView },
    handle: ({ caller, query }) => sending.status(caller, query.due ?? true),
  }),
  route({
    ...ofInstallation,
    id: 'holdSending',
    method: 'POST',
    path: '/sending/hold',
    scope: 'queue:write',
    summary:
      'Let nothing leave the installation: no mail, no webhook, no SMS. Needs the workspace role owner or admin, or a workspace key with full access.',
    needsConfirmation: true,
    body: HoldSending,
    reply: { 200: SendingView },
    handle: ({ caller, actor, body }) => sending.hold(caller, actor, body.because),
  }),
  route({
    ...ofInstallation,
    id: 'resumeSending',
    method: 'POST',
    path: '/sending/resume',
    scope: 'queue:write',
    summary:
      'Let everything leave again. Needs the workspace role owner or admin, or a workspace key with full access.',
    needsConfirmation: true,
    leaves: true,
    body: ResumeSending,
    bodyIsOptional: true,
    reply: { 200: SendingView },
    handle: ({ caller, actor, body }) => sending.resume(caller, actor, body?.because),
  }),
]
