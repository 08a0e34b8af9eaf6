export const MAX_STEPS = 100

export const runStatuses = ['waiting', 'completed', 'stopped', 'failed'] as const

export type RunStatus = (typeof runStatuses)[number]

/** What text, numbers and lists can be asked. */
export const operators = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'greaterThan',
  'greaterOrEqual',
  'lessThan',
  'lessOrEqual',
  'exists',
  'notExists',
] as const

export type Operator = (typeof operators)[number]
