/** What is counted of the recipients of emails, in the order in which the answer has it. */
export const mailCounts = [
  'accepted',
  'delivered',
  'deferred',
  'bounced',
  'filteredspam',
  'quarantined',
  'suppressed',
  'failed',
  'opened',
  'clicked',
  'unsubscribed',
] as const

export type MailCount = (typeof mailCounts)[number]

export const webhookCounts = ['delivered', 'failed', 'attempts'] as const

export type WebhookCount = (typeof webhookCounts)[number]

/** How finely counts are kept. Quarters of an hour are for zones whose hours begin at another minute than those of UTC. */
export const grains = ['minutes', 'quarters', 'hours', 'days'] as const

export type Grain = (typeof grains)[number]

/** The names that numbers about mail can be sorted by. */
export const mailGroups = ['domain', 'provider', 'source', 'template', 'tag'] as const

export type MailGroup = (typeof mailGroups)[number]

export const steps = ['minute', 'hour', 'day'] as const

export type Step = (typeof steps)[number]

/** The provider of recipients whose mail host is none of the large ones. */
export const OTHER_PROVIDER = 'other'
