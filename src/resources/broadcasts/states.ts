/** Where a recipient counts, if it is not among those that are queued. */
export const buckets = [
  'delivered',
  'deferred',
  'bounced',
  'filteredspam',
  'quarantined',
  'suppressed',
  'failed',
  'cancelled',
] as const

export type Bucket = (typeof buckets)[number]
