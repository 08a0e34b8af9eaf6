import { oneOf } from '../address.ts'

export const galleryParts = ['basics', 'fields', 'lists', 'states', 'floating'] as const

export const gallerySearch = { tab: oneOf(galleryParts), status: oneOf(['delivered', 'bounced']) }
