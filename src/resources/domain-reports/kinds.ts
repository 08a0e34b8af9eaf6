export const sourceKinds = ['ours', 'known', 'stranger', 'unknown'] as const

export const groupings = ['source', 'reporter', 'day'] as const

export const policies = ['none', 'quarantine', 'reject'] as const
