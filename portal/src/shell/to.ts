/** Of which time, and which of them. */
export interface EmailsBetween {
  after: string
  before: string
  status?: string
  domain?: string
  source?: string
}

/** The address of every page. Nothing else writes addresses, so that a page can move. */
export const to = {
  home: () => '/',
  overview: (project: string) => `/p/${project}/overview`,
  emails: (project: string) => `/p/${project}/emails`,
  /** The emails of a time, as the list shows them. */
  emailsBetween: (project: string, { after, before, ...filters }: EmailsBetween) =>
    `/p/${project}/emails?${new URLSearchParams([...Object.entries(filters), ['after', after], ['before', before]])}`,
  email: (project: string, id: string) => `/p/${project}/emails/${id}`,
  broadcast: (project: string, id: string) => `/p/${project}/broadcasts/${id}`,
  automation: (project: string, id: string) => `/p/${project}/automations/${id}`,
  address: (project: string, email: string) => `/p/${project}/addresses/${encodeURIComponent(email)}`,
  send: (project: string) => `/p/${project}/send`,
  inbox: (project: string) => `/p/${project}/inbox`,
  received: (project: string, id: string) => `/p/${project}/inbox/${id}`,
  receivingDomains: (project: string) => `/p/${project}/inbox/domains`,
  receivingDomain: (project: string, id: string) => `/p/${project}/inbox/domains/${id}`,
  queue: (project: string) => `/p/${project}/queue`,
  destination: (project: string, name: string) => `/p/${project}/queue/${encodeURIComponent(name)}`,
  webhooks: (project: string) => `/p/${project}/webhooks`,
  webhook: (project: string, id: string) => `/p/${project}/webhooks/${id}`,
  delivery: (project: string, webhook: string, id: string) => `/p/${project}/webhooks/${webhook}/deliveries/${id}`,
  domains: (project: string) => `/p/${project}/domains`,
  domain: (project: string, id: string) => `/p/${project}/domains/${id}`,
  suppressions: (project: string) => `/p/${project}/suppressions`,
  keys: (project: string) => `/p/${project}/keys`,
  projectLog: (project: string) => `/p/${project}/log`,
  log: () => '/settings/log',
  settings: () => '/settings',
  projects: () => '/settings/projects',
  people: () => '/settings/people',
  installation: () => '/settings/installation',
  me: () => '/me',
  /** With the page to come back to. */
  signIn: (next?: string) => (next === undefined ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`),
} as const
