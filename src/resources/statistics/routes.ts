import { route } from '../../http/route.ts'
import { AskMail, AskWebhooks, MailStatistics, WebhookStatistics } from './schema.ts'
import type { Statistics } from './service.ts'

export const statisticsRoutes = (statistics: Statistics) => [
  route({
    id: 'getEmailStatistics',
    method: 'GET',
    path: '/statistics/emails',
    scope: 'stats:read',
    context: 'project',
    summary:
      'Count what became of email, by minute, hour or day. A recipient is counted for everything that happened to its mail: who complains after a delivery is part of both.',
    query: AskMail,
    reply: { 200: MailStatistics },
    errors: ['not_found'],
    handle: ({ project, query }) => statistics.ofMail(project, query),
  }),
  route({
    id: 'getWebhookStatistics',
    method: 'GET',
    path: '/statistics/webhooks',
    scope: 'stats:read',
    context: 'project',
    summary: 'Count attempts to tell webhook endpoints, and what became of the deliveries.',
    query: AskWebhooks,
    reply: { 200: WebhookStatistics },
    errors: ['not_found'],
    handle: ({ project, query }) => statistics.ofWebhooks(project, query),
  }),
]
