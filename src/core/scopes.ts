/** The scopes of the specification, in its order, with what each grants. */
export const scopeCatalogue = {
  'email:send': 'Send, batch send, email status, cancel, reschedule.',
  'sms:send': 'Queue SMS (invited projects only).',
  'sms:read': 'Read SMS activity (invited projects only).',
  'sms:manage': 'Prepare SMS compliance records; does not activate a sender.',
  'sms:billing:read': 'Read the prepaid SMS wallet; does not fund it.',
  'projects:read': 'List and inspect projects.',
  'projects:write': 'Create, update, pause, archive projects.',
  'api-keys:write': 'List key metadata, create narrower keys, revoke keys.',
  'domains:read': 'List and inspect sending domains.',
  'domains:write': 'Create, verify, remove sending domains.',
  'templates:write': 'Template management.',
  'audiences:write': 'Audiences, contacts and contact tags.',
  'broadcasts:write': 'Broadcast management and sending.',
  'automations:write': 'Automation management.',
  'suppressions:write': 'List, add, remove suppressions.',
  'receiving:read': 'Read received emails and attachments.',
  'receiving:write': 'Manage receiving domains.',
  'webhooks:write': 'Manage webhook endpoints.',
} as const

export type Scope = keyof typeof scopeCatalogue

export const scopes = Object.keys(scopeCatalogue) as readonly Scope[]

/** What a key may do: everything, or exactly the listed scopes. */
export interface Grant {
  fullAccess: boolean
  scopes: readonly Scope[]
}

export const grants = (grant: Grant, scope: Scope): boolean => grant.fullAccess || grant.scopes.includes(scope)

/** The scopes of `child` that `maker` does not hold. Full access is more than every scope of today: it grows. */
export const scopesBeyond = (maker: Grant, child: Grant): readonly (Scope | '*')[] => {
  if (maker.fullAccess) return []
  if (child.fullAccess) return ['*']
  return child.scopes.filter((scope) => !maker.scopes.includes(scope))
}
