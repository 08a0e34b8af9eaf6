import { moment, oneOf, text, type Found } from '../../kit/address.ts'
import { emailSources } from '../emails/search.ts'

/** The periods that can be chosen: so many hours, or so many days. */
export const periods = ['24h', '48h', '7d', '30d', '90d'] as const

export type Period = (typeof periods)[number]

/** `from` and `to` are a period of one's own; `domain` and `source` choose what is counted. */
export const overviewSearch = {
  period: oneOf(periods),
  from: moment(),
  to: moment(),
  domain: text(),
  source: oneOf(emailSources),
}

export type OverviewWish = Found<typeof overviewSearch>
