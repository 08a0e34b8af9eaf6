import { Type, type Static } from 'typebox'
import { named, Nullable, saying, Timestamp, TimestampInput } from '../../../../shapes/shapes.ts'
import { groupings } from '../states.ts'

export const ReadUsage = Type.Object(
  {
    from: Type.Optional(TimestampInput),
    to: Type.Optional(TimestampInput),
    groupBy: Type.Optional(
      Type.String({
        pattern: `^(${groupings.join('|')})(,(${groupings.join('|')}))?$`,
        description: `One or two of ${groupings.join(', ')}, with a comma between.`,
        ...saying(`must be one or two of ${groupings.join(', ')}, with a comma between, like day,country`),
      }),
    ),
    mode: Type.Optional(Type.Enum(['test', 'live'])),
  },
  { additionalProperties: false },
)

export type ReadUsage = Static<typeof ReadUsage>

const counts = {
  outbound: Type.Integer(),
  inbound: Type.Integer(),
  segments: Type.Integer(),
  delivered: Type.Integer(),
  undelivered: Type.Integer(),
  failed: Type.Integer(),
  expired: Type.Integer(),
  unconfirmed: Type.Integer(),
  pending: Type.Integer(),
  chargedMicros: Type.Integer(),
  refundedMicros: Type.Integer(),
  deliveryRate: Nullable(
    Type.Number({ description: 'Of those that the carrier reported on; null if there are none.' }),
  ),
}

const Key = named(
  'SmsUsageKey',
  Type.Partial(
    Type.Object({
      day: Type.String(),
      month: Type.String(),
      country: Nullable(Type.String()),
      category: Nullable(Type.String()),
      sender: Nullable(Type.String()),
      program: Nullable(Type.String()),
      status: Nullable(Type.String()),
    }),
  ),
)

export const UsageView = named(
  'SmsUsage',
  Type.Object({
    from: Timestamp,
    to: Timestamp,
    mode: Type.Enum(['test', 'live']),
    currency: Type.String(),
    totals: named('SmsUsageCounts', Type.Object(counts)),
    buckets: Type.Array(named('SmsUsageBucket', Type.Object({ key: Key, ...counts }))),
    asOf: Timestamp,
  }),
)

export type UsageView = Static<typeof UsageView>

/** As counted; the rate follows from it. */
export interface Tally {
  outbound: number
  inbound: number
  segments: number
  delivered: number
  undelivered: number
  failed: number
  expired: number
  unconfirmed: number
  pending: number
  chargedMicros: number
  refundedMicros: number
}
