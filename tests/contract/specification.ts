/** The endpoints of the specification, row by row, with the scope that each requires. Paths are below /api/v1. */
export type Row = readonly [method: string, path: string, scope: string | null]

/** Those groups of which every row answers. A group is built as a whole or not at all. */
export const builtGroups: readonly GroupName[] = [
  'health',
  'projects',
  'api-keys',
  'domains',
  'email',
  'sms',
  'templates',
  'audiences',
  'contacts',
  'tags',
  'broadcasts',
  'automations',
  'suppressions',
  'receiving',
  'webhooks',
]

export const specification = {
  health: [['GET', '/health', null]],
  projects: [
    ['GET', '/projects', 'projects:read'],
    ['POST', '/projects', 'projects:write'],
    ['GET', '/projects/:id', 'projects:read'],
    ['PATCH', '/projects/:id', 'projects:write'],
    ['DELETE', '/projects/:id', 'projects:write'],
  ],
  'api-keys': [
    ['GET', '/api-keys', 'api-keys:write'],
    ['POST', '/api-keys', 'api-keys:write'],
    ['GET', '/api-keys/:id', 'api-keys:write'],
    ['DELETE', '/api-keys/:id', 'api-keys:write'],
  ],
  domains: [
    ['GET', '/domains', 'domains:read'],
    ['POST', '/domains', 'domains:write'],
    ['GET', '/domains/:id', 'domains:read'],
    ['DELETE', '/domains/:id', 'domains:write'],
    ['POST', '/domains/:id/verify', 'domains:write'],
  ],
  email: [
    ['POST', '/email/send', 'email:send'],
    ['POST', '/email/batch', 'email:send'],
    ['GET', '/emails/:id', 'email:send'],
    ['POST', '/emails/:id/cancel', 'email:send'],
    ['POST', '/emails/:id/reschedule', 'email:send'],
  ],
  sms: [
    ['GET', '/sms/messages', 'sms:read'],
    ['POST', '/sms/messages', 'sms:send'],
    ['GET', '/sms/messages/:id', 'sms:read'],
    ['GET', '/sms/usage', 'sms:read'],
    ...walletRows('', '/balance', '/state', '/ledger', '/ledger/:id', '/periods', '/periods/:id'),
    ...walletRows('/top-ups', '/top-ups/:id'),
    ...recordRows('/sms/business-profiles', 'GET', 'POST', 'PATCH'),
    ...recordRows('/sms/programs', 'GET', 'POST', 'PATCH'),
    ...recordRows('/sms/senders', 'GET', 'POST', 'PATCH'),
    ...recordRows('/sms/consents', 'GET', 'POST'),
    ...recordRows('/sms/suppressions', 'GET', 'POST'),
  ],
  templates: [
    ['GET', '/templates', 'templates:write'],
    ['POST', '/templates', 'templates:write'],
    ['GET', '/templates/:id', 'templates:write'],
    ['PATCH', '/templates/:id', 'templates:write'],
    ['DELETE', '/templates/:id', 'templates:write'],
    ['POST', '/templates/starters', 'templates:write'],
  ],
  audiences: [
    ['GET', '/audiences', 'audiences:write'],
    ['POST', '/audiences', 'audiences:write'],
    ['GET', '/audiences/:id', 'audiences:write'],
    ['DELETE', '/audiences/:id', 'audiences:write'],
  ],
  contacts: [
    ['GET', '/audiences/:id/contacts', 'audiences:write'],
    ['POST', '/audiences/:id/contacts', 'audiences:write'],
    ['GET', '/audiences/:id/contacts/:contactId', 'audiences:write'],
    ['PATCH', '/audiences/:id/contacts/:contactId', 'audiences:write'],
    ['DELETE', '/audiences/:id/contacts/:contactId', 'audiences:write'],
  ],
  tags: [
    ['GET', '/contact-tags', 'audiences:write'],
    ['POST', '/contact-tags', 'audiences:write'],
    ['POST', '/contact-tags/:id/contacts', 'audiences:write'],
    ['DELETE', '/contact-tags/:id/contacts', 'audiences:write'],
  ],
  broadcasts: [
    ['GET', '/broadcasts', 'broadcasts:write'],
    ['POST', '/broadcasts', 'broadcasts:write'],
    ['GET', '/broadcasts/:id', 'broadcasts:write'],
    ['DELETE', '/broadcasts/:id', 'broadcasts:write'],
    ['POST', '/broadcasts/:id/send', 'broadcasts:write'],
    ['POST', '/broadcasts/:id/schedule', 'broadcasts:write'],
    ['POST', '/broadcasts/:id/cancel', 'broadcasts:write'],
  ],
  automations: [
    ['GET', '/automations', 'automations:write'],
    ['POST', '/automations', 'automations:write'],
    ['GET', '/automations/:id', 'automations:write'],
    ['PATCH', '/automations/:id', 'automations:write'],
    ['DELETE', '/automations/:id', 'automations:write'],
  ],
  suppressions: [
    ['GET', '/suppressions', 'suppressions:write'],
    ['POST', '/suppressions', 'suppressions:write'],
    ['DELETE', '/suppressions', 'suppressions:write'],
  ],
  receiving: [
    ['GET', '/receiving/domains', 'receiving:write'],
    ['POST', '/receiving/domains', 'receiving:write'],
    ['GET', '/receiving/domains/:id', 'receiving:write'],
    ['POST', '/receiving/domains/:id/verify', 'receiving:write'],
    ['DELETE', '/receiving/domains/:id', 'receiving:write'],
    ['GET', '/receiving/emails', 'receiving:read'],
    ['GET', '/receiving/emails/:id', 'receiving:read'],
    ['GET', '/receiving/emails/:id/attachments', 'receiving:read'],
    ['GET', '/receiving/emails/:id/attachments/:attachmentId', 'receiving:read'],
  ],
  webhooks: [
    ['GET', '/webhooks', 'webhooks:write'],
    ['POST', '/webhooks', 'webhooks:write'],
    ['PATCH', '/webhooks/:id', 'webhooks:write'],
    ['DELETE', '/webhooks/:id', 'webhooks:write'],
  ],
} as const satisfies Record<string, readonly Row[]>

export type GroupName = keyof typeof specification

/** Scopes beyond the specification, for what only we have. */
export const ourScopes = ['stats:read', 'queue:write', 'audit:read', 'people:write'] as const

/** Beyond the specification: allowed once their group is built, and then only with this scope. */
export const ours: readonly (readonly [group: GroupName, ...row: Row])[] = [
  ['projects', 'GET', '/projects/:id/usage', 'projects:read'],
  ['projects', 'GET', '/statistics/emails', 'stats:read'],
  ['projects', 'GET', '/statistics/webhooks', 'stats:read'],
  ['projects', 'GET', '/audit-log', 'audit:read'],
  ['email', 'GET', '/queue', 'stats:read'],
  ['email', 'GET', '/queue/:destination', 'stats:read'],
  ['email', 'POST', '/queue/:destination/retry', 'queue:write'],
  ['email', 'POST', '/queue/:destination/pause', 'queue:write'],
  ['email', 'POST', '/queue/:destination/resume', 'queue:write'],
  ['email', 'GET', '/sending', 'stats:read'],
  ['email', 'POST', '/sending/hold', 'queue:write'],
  ['email', 'POST', '/sending/resume', 'queue:write'],
  ['projects', 'GET', '/audit-log/export', 'audit:read'],
  ['projects', 'GET', '/search', 'stats:read'],
  ['projects', 'GET', '/addresses/:email', 'stats:read'],
  ['broadcasts', 'GET', '/broadcasts/:id/recipients', 'broadcasts:write'],
  ['broadcasts', 'GET', '/broadcasts/:id/recipients/export', 'broadcasts:write'],
  ['broadcasts', 'GET', '/broadcasts/:id/links', 'broadcasts:write'],
  ['projects', 'GET', '/live', 'stats:read'],
  ['projects', 'GET', '/installation', 'stats:read'],
  ['projects', 'POST', '/installation/backup-noted', 'people:write'],
  ['projects', 'GET', '/operator/mailbox', 'people:write'],
  ['projects', 'GET', '/operator/mailbox/:id', 'people:write'],
  ['projects', 'GET', '/notices', 'stats:read'],
  ['projects', 'GET', '/people', 'people:write'],
  ['projects', 'GET', '/people/:id', 'people:write'],
  ['projects', 'PATCH', '/people/:id', 'people:write'],
  ['projects', 'DELETE', '/people/:id', 'people:write'],
  ['projects', 'GET', '/people/:id/sessions', 'people:write'],
  ['projects', 'DELETE', '/people/:id/sessions', 'people:write'],
  ['projects', 'POST', '/people/:id/recovery', 'people:write'],
  ['projects', 'GET', '/people/invitations', 'people:write'],
  ['projects', 'POST', '/people/invitations', 'people:write'],
  ['projects', 'POST', '/people/invitations/:id/renew', 'people:write'],
  ['projects', 'DELETE', '/people/invitations/:id', 'people:write'],
  ['projects', 'GET', '/workspace', 'projects:read'],
  ['projects', 'PATCH', '/workspace', 'people:write'],
  ['projects', 'POST', '/projects/:id/restore', 'projects:write'],
  ['projects', 'POST', '/projects/:id/trace', 'projects:write'],
  ['domains', 'PATCH', '/domains/:id', 'domains:write'],
  ['domains', 'POST', '/domains/:id/rotate-dkim', 'domains:write'],
  ['domains', 'GET', '/domains/:id/dmarc', 'domains:read'],
  ['domains', 'GET', '/domains/:id/dmarc/advice', 'domains:read'],
  ['domains', 'GET', '/domains/:id/tls-reports', 'domains:read'],
  ['receiving', 'GET', '/receiving/domains/:id/tls-reports', 'receiving:read'],
  ['email', 'GET', '/emails', 'email:send'],
  ['email', 'GET', '/emails/:id/dialogues/:eventId', 'email:send'],
  ['email', 'GET', '/emails/:id/raw', 'email:send'],
  ['email', 'GET', '/emails/:id/attachments/:attachmentId', 'email:send'],
  ['email', 'POST', '/emails/:id/resend', 'email:send'],
  ['email', 'POST', '/emails/:id/retry', 'email:send'],
  ['templates', 'POST', '/templates/:id/preview', 'templates:write'],
  ['audiences', 'PATCH', '/audiences/:id', 'audiences:write'],
  ['contacts', 'POST', '/audiences/:id/contacts/import', 'audiences:write'],
  ['contacts', 'GET', '/audiences/:id/contacts/imports', 'audiences:write'],
  ['contacts', 'GET', '/audiences/:id/contacts/imports/:importId', 'audiences:write'],
  ['contacts', 'GET', '/audiences/:id/contacts/imports/:importId/errors', 'audiences:write'],
  ['contacts', 'GET', '/audiences/:id/contacts/export', 'audiences:write'],
  ['tags', 'GET', '/contact-tags/:id', 'audiences:write'],
  ['tags', 'PATCH', '/contact-tags/:id', 'audiences:write'],
  ['tags', 'DELETE', '/contact-tags/:id', 'audiences:write'],
  ['broadcasts', 'PATCH', '/broadcasts/:id', 'broadcasts:write'],
  ['broadcasts', 'POST', '/broadcasts/:id/test', 'broadcasts:write'],
  ['broadcasts', 'POST', '/broadcasts/:id/pause', 'broadcasts:write'],
  ['broadcasts', 'POST', '/broadcasts/:id/resume', 'broadcasts:write'],
  ['broadcasts', 'GET', '/broadcasts/:id/reconciliation', 'broadcasts:write'],
  ['automations', 'GET', '/automations/:id/runs', 'automations:write'],
  ['automations', 'POST', '/automations/:id/simulate', 'automations:write'],
  ['receiving', 'GET', '/receiving/emails/:id/raw', 'receiving:read'],
  ['webhooks', 'GET', '/webhooks/:id', 'webhooks:write'],
  ['webhooks', 'POST', '/webhooks/:id/test', 'webhooks:write'],
  ['webhooks', 'POST', '/webhooks/:id/secret', 'webhooks:write'],
  ['webhooks', 'POST', '/webhooks/:id/rotate-secret', 'webhooks:write'],
  ['webhooks', 'GET', '/webhooks/:id/deliveries', 'webhooks:write'],
  ['webhooks', 'POST', '/webhooks/:id/deliveries/replay', 'webhooks:write'],
  ['webhooks', 'GET', '/webhooks/:id/deliveries/:deliveryId', 'webhooks:write'],
  ['webhooks', 'POST', '/webhooks/:id/deliveries/:deliveryId/replay', 'webhooks:write'],
]

function walletRows(...below: string[]): Row[] {
  return below.map((path) => ['GET', `/sms/wallet${path}`, 'sms:billing:read'])
}

/** Lists and creates at the collection, reads (and, where it may, changes) one record below it. */
function recordRows(path: string, ...methods: ('GET' | 'POST' | 'PATCH')[]): Row[] {
  const collection = methods.filter((method) => method !== 'PATCH').map((method): Row => [method, path, 'sms:manage'])
  const single = methods
    .filter((method) => method !== 'POST')
    .map((method): Row => [method, `${path}/:id`, 'sms:manage'])
  return [...collection, ...single]
}
