import { Type } from 'typebox'
import { pageRequest } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import { EntryPage, ExportAudit, ListAudit } from './schema.ts'
import type { AuditLog } from './service.ts'

export const auditRoutes = (auditLog: AuditLog) => [
  route({
    id: 'listAuditEntries',
    method: 'GET',
    path: '/audit-log',
    scope: 'audit:read',
    context: 'workspace',
    summary:
      'List who did what, newest first. Where filters let few entries through, a page may be short or empty although `hasMore` is true: go on with `nextCursor`.',
    query: ListAudit,
    reply: { 200: EntryPage },
    errors: ['not_found'],
    handle: ({ caller, query }) => auditLog.list(caller, query, pageRequest(query)),
  }),
  route({
    id: 'exportAuditEntries',
    method: 'GET',
    path: '/audit-log/export',
    scope: 'audit:read',
    context: 'workspace',
    summary: 'Download the activity log, with the filters of the list. The download is recorded in the log.',
    query: ExportAudit,
    reply: { 200: Type.String() },
    downloads: ['text/csv', 'application/x-ndjson'],
    errors: ['not_found'],
    handle: ({ caller, actor, query }) => auditLog.export(caller, actor, query),
  }),
]
