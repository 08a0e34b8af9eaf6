import type { Scope } from '../../core/scopes.ts'

/** What is found, with the scope that shows it: the one of the route that reads the thing itself. */
export const foundKinds = {
  project: 'projects:read',
  key: 'api-keys:write',
  person: 'people:write',
  domain: 'domains:read',
  email: 'email:send',
  batch: 'email:send',
  template: 'templates:write',
  suppression: 'suppressions:write',
  audience: 'audiences:write',
  contact: 'audiences:write',
  tag: 'audiences:write',
  broadcast: 'broadcasts:write',
  automation: 'automations:write',
  run: 'automations:write',
  webhook: 'webhooks:write',
  delivery: 'webhooks:write',
  receiving_domain: 'receiving:write',
  received: 'receiving:read',
  sms: 'sms:read',
} as const satisfies Record<string, Scope>

export type FoundKind = keyof typeof foundKinds

/** The parts of what is known of an address. */
export const addressParts = {
  contacts: 'audiences:write',
  tags: 'audiences:write',
  suppression: 'suppressions:write',
  emails: 'email:send',
  received: 'receiving:read',
  runs: 'automations:write',
} as const satisfies Record<string, Scope>

export type AddressPart = keyof typeof addressParts
