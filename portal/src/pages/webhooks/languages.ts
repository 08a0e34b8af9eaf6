export const receiverLanguages = ['typescript', 'python', 'php', 'go', 'ruby', 'curl'] as const

export type ReceiverLanguage = (typeof receiverLanguages)[number]
