export const senderTypes = ['simulator', 'long_code', 'toll_free', 'short_code', 'alphanumeric'] as const

export type SenderType = (typeof senderTypes)[number]
