import { oneOf, someOf } from '../address.ts'

export const galleryParts = ['basics', 'fields', 'lists', 'states', 'plots', 'floating'] as const

export const gallerySearch = { tab: oneOf(galleryParts), status: someOf(['delivered', 'bounced']) }
