import { oneOf } from '../../kit/address.ts'

/** The periods that can be chosen: so many hours, or so many days. */
export const periods = ['24h', '48h', '7d', '30d', '90d'] as const

export type Period = (typeof periods)[number]

export const overviewSearch = { period: oneOf(periods) }
