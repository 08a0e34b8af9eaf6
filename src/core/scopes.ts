/** The scopes of the specification, in its order, with what each grants; behind them those that came later. */
export const scopeCatalogue = {
  'email:send': 'Send email, one or many, look at it afterwards, cancel or move what is scheduled.',
  'sms:send': 'Send SMS, in projects that take part in the beta.',
  'sms:read': 'See SMS messages and usage, in projects that take part in the beta.',
  'sms:manage': 'Keep the SMS compliance records; cannot switch a sender on.',
  'sms:billing:read': 'See the prepaid SMS wallet; cannot put money into it.',
  'projects:read': 'See projects.',
  'projects:write': 'Create, change, pause and archive projects.',
  'api-keys:write': 'See keys (never their secrets), make narrower ones, revoke them.',
  'domains:read': 'See sending domains.',
  'domains:write': 'Add, verify and remove sending domains.',
  'templates:write': 'Everything about templates.',
  'audiences:write': 'Everything about audiences, contacts and tags.',
  'broadcasts:write': 'Prepare, schedule and send broadcasts.',
  'automations:write': 'Everything about automations.',
  'suppressions:write': 'See, add and lift suppressions.',
  'receiving:read': 'Read received mail and its attachments.',
  'receiving:write': 'Add, verify and remove receiving domains.',
  'webhooks:write': 'Everything about webhook endpoints.',
  'stats:read': 'See statistics, the queue, notices and the installation; search for what the other scopes show.',
  'queue:write': 'Try what waits at once, pause and resume destinations.',
  'audit:read': 'Read the activity log.',
  'people:write': 'See, invite, change and remove the people of the workspace.',
} as const

export type Scope = keyof typeof scopeCatalogue

export const scopes = Object.keys(scopeCatalogue) as readonly Scope[]

/** A key sees the content of all emails, of those that it sent itself, or of none. The widest comes first. */
export const contentAccesses = ['all', 'own', 'none'] as const
export type ContentAccess = (typeof contentAccesses)[number]

/** A key may do everything, or exactly the listed scopes. */
export interface Grant {
  fullAccess: boolean
  scopes: readonly Scope[]
  contentAccess: ContentAccess
}

export const grants = (grant: Grant, scope: Scope): boolean => grant.fullAccess || grant.scopes.includes(scope)

/** The scopes of `child` that `maker` does not hold. Full access is more than every scope of today: it grows. */
export const scopesBeyond = (maker: Grant, child: Grant): readonly (Scope | '*')[] => {
  if (maker.fullAccess) return []
  if (child.fullAccess) return ['*']
  return child.scopes.filter((scope) => !maker.scopes.includes(scope))
}

/** Tells whether `child` sees the content of emails that `maker` does not see. */
export const seesBeyond = (maker: Grant, child: Grant): boolean =>
  contentAccesses.indexOf(child.contentAccess) < contentAccesses.indexOf(maker.contentAccess)
