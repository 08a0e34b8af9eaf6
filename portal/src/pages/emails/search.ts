import { moment, oneOf, text } from '../../kit/address.ts'

export const emailStates = [
  'scheduled',
  'queued',
  'deferred',
  'sending',
  'delivered',
  'bounced',
  'filteredspam',
  'quarantined',
  'suppressed',
  'failed',
  'cancelled',
] as const

export const emailSources = ['transactional', 'broadcast', 'automation'] as const

/** The parameters of the list. */
export const emailsSearch = {
  q: text(),
  status: oneOf(emailStates),
  to: text(),
  from: text(),
  tag: text(),
  source: oneOf(emailSources),
  template: text(),
  domain: text(),
  broadcast: text(),
  automation: text(),
  batch: text(),
  after: moment(),
  before: moment(),
}

export const emailParts = ['preview', 'text', 'html', 'headers', 'source', 'attachments'] as const

/** The parameters of the page of one email. */
export const emailSearch = {
  tab: oneOf(emailParts),
  recipient: text(),
  width: oneOf(['phone']),
  scheme: oneOf(['dark']),
}
