/** While there is something left to do, the least finished first. */
const unfinishedStates = ['scheduled', 'queued', 'deferred', 'sending'] as const

export const finalStates = [
  'delivered',
  'bounced',
  'filteredspam',
  'quarantined',
  'suppressed',
  'failed',
  'cancelled',
] as const

export const recipientStates = [...unfinishedStates, ...finalStates] as const

export type RecipientState = (typeof recipientStates)[number]

export type FinalState = (typeof finalStates)[number]

export const recipientKinds = ['to', 'cc', 'bcc'] as const

export type RecipientKind = (typeof recipientKinds)[number]

export const MAX_RECIPIENTS = 50

export const MAX_IN_BATCH = 100

/** What made an email: a call that names its recipients, a broadcast, or an automation. */
export const mailSources = ['transactional', 'broadcast', 'automation'] as const
export type MailSource = (typeof mailSources)[number]
