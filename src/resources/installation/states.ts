/** Whether mail gets out; the worst comes first. */
export const outgoings = ['blocked', 'unknown', 'open', 'relay'] as const
