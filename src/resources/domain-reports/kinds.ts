export const sourceKinds = ['ours', 'known', 'stranger', 'unknown'] as const

export const groupings = ['source', 'reporter', 'day'] as const

/** What to do next for a domain's DMARC record, in this order. */
export const dmarcSteps = ['publish', 'reports', 'collect', 'quarantine', 'full', 'reject', 'done'] as const
