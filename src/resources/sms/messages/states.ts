export const sendCategories = ['authentication', 'transactional', 'marketing', 'conversational'] as const

export type SendCategory = (typeof sendCategories)[number]

export const alphabets = { gsm7: 'GSM-7', ucs2: 'UCS-2' } as const

export const groupings = ['day', 'month', 'country', 'category', 'sender', 'program', 'status'] as const

export type Grouping = (typeof groupings)[number]
