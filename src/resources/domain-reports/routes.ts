import { route } from '../../http/route.ts'
import { DmarcAdviceView, DmarcView, ReadDmarc, ReadTls, TlsView } from './schema.ts'
import type { DomainReports } from './service.ts'

export const domainReportRoutes = (reports: DomainReports) => [
  route({
    id: 'getDomainDmarc',
    method: 'GET',
    path: '/domains/:id/dmarc',
    scope: 'domains:read',
    context: 'project',
    summary:
      'Read what receivers reported about mail in the name of the domain, as sums; of the last 30 days if omitted.',
    params: { id: 'dom' },
    query: ReadDmarc,
    reply: { 200: DmarcView },
    handle: ({ project, params, query }) => reports.dmarc(project, params.id, query),
  }),
  route({
    id: 'getDomainDmarcAdvice',
    method: 'GET',
    path: '/domains/:id/dmarc/advice',
    scope: 'domains:read',
    context: 'project',
    summary: 'Read the next step for the DMARC policy, and what a strict one would have cost in the last 30 days.',
    params: { id: 'dom' },
    reply: { 200: DmarcAdviceView },
    handle: ({ project, params }) => reports.advice(project, params.id),
  }),
  route({
    id: 'getDomainTlsReports',
    method: 'GET',
    path: '/domains/:id/tls-reports',
    scope: 'domains:read',
    context: 'project',
    summary: 'Read what other servers reported about encrypted delivery to the domain.',
    params: { id: 'dom' },
    query: ReadTls,
    reply: { 200: TlsView },
    handle: ({ project, params, query }) => reports.tls(project, params.id, query),
  }),
]
