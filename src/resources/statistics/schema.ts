import { Type, type Static } from 'typebox'
import { IdInput, IdOf, named, Nullable, Timestamp, TimestampInput } from '../../shapes/shapes.ts'
import { mailSources } from '../emails/index.ts'
import { mailCounts, mailGroups, steps, webhookCounts } from './kinds.ts'
import { MAX_DAYS } from './limits.ts'

const period = {
  from: { ...TimestampInput, examples: ['2026-01-15T00:00:00Z'] },
  to: { ...TimestampInput, examples: ['2026-01-16T00:00:00Z'] },
  step: Type.Optional(
    Type.Enum(steps, {
      description: 'How long a point is; `hour` if omitted. `from` is moved back and `to` on to where a point begins.',
    }),
  ),
  timeZone: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Where hours and days begin, such as `Europe/Zurich`; UTC if omitted.',
      examples: ['Europe/Zurich'],
    }),
  ),
}

export const AskMail = Type.Object(
  {
    ...period,
    points: Type.Optional(
      Type.Enum(['all', 'none'], { description: '`none` leaves the points out: only totals are wanted.' }),
    ),
    groupBy: Type.Optional(Type.Enum(mailGroups, { description: 'A series for each; one for all if omitted.' })),
    domainId: Type.Optional(IdInput('dom')),
    provider: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'A large receiver such as `google`, or `other`.',
        examples: ['google'],
      }),
    ),
    source: Type.Optional(Type.Enum(mailSources)),
    templateId: Type.Optional(IdInput('tpl')),
    tag: Type.Optional(Type.String({ maxLength: 321, description: 'A tag as `name:value`.' })),
  },
  { additionalProperties: false, description: `At most ${MAX_DAYS} days.` },
)

export type AskMail = Static<typeof AskMail>

export const AskWebhooks = Type.Object(
  { ...period, endpointId: Type.Optional(IdInput('whk')) },
  { additionalProperties: false, description: `At most ${MAX_DAYS} days.` },
)

export type AskWebhooks = Static<typeof AskWebhooks>

type Counts<K extends string> = Record<K, ReturnType<typeof Type.Integer>>

const countsOf = <K extends string>(names: readonly K[]): Counts<K> =>
  Object.fromEntries(names.map((name) => [name, Type.Integer()])) as Counts<K>

const MailCounts = named(
  'EmailCounts',
  Type.Object(countsOf(mailCounts), {
    description:
      'Recipients, each at the time at which it happened. `deferred` has a recipient once, however often its mail was put off.',
  }),
)

export type MailCounts = Static<typeof MailCounts>

const milliseconds = Nullable(
  Type.Integer({ description: 'Milliseconds from when it was to be sent; null if nothing was delivered.' }),
)

const Latency = named('EmailLatency', Type.Object({ p50: milliseconds, p95: milliseconds, p99: milliseconds }))

export type Latency = Static<typeof Latency>

export const MailStatistics = named(
  'EmailStatistics',
  Type.Object({
    from: Timestamp,
    to: Timestamp,
    step: Type.Enum(steps),
    asOf: Timestamp,
    totals: MailCounts,
    latency: Latency,
    waiting: named(
      'WaitingRecipients',
      Type.Object({
        recipients: Type.Integer({
          description: 'What the project has to deliver now; scheduled mail is not part of it.',
        }),
        isMore: Type.Boolean({ description: 'True where there are too many to count: then there are more.' }),
        oldestAt: Nullable(Timestamp),
      }),
    ),
    series: Type.Array(
      named(
        'EmailSeries',
        Type.Object({
          key: Nullable(
            Type.String({
              description:
                'The id of a domain or template, a provider, a source, or a tag as `name:value`; null for mail that has none, and without `groupBy`.',
            }),
          ),
          totals: MailCounts,
          points: Type.Array(named('EmailPoint', Type.Object({ at: Timestamp, ...MailCounts.properties }))),
          latency: Latency,
        }),
      ),
    ),
  }),
)

export type MailStatistics = Static<typeof MailStatistics>

const WebhookCounts = named(
  'WebhookCounts',
  Type.Object({
    ...countsOf(webhookCounts),
    p95Ms: Nullable(Type.Integer({ description: 'Within so many milliseconds 95 of 100 attempts were over.' })),
  }),
)

export type WebhookCounts = Static<typeof WebhookCounts>

export const WebhookStatistics = named(
  'WebhookStatistics',
  Type.Object({
    from: Timestamp,
    to: Timestamp,
    step: Type.Enum(steps),
    asOf: Timestamp,
    totals: WebhookCounts,
    series: Type.Array(
      named(
        'WebhookSeries',
        Type.Object({
          key: Nullable(IdOf('whk')),
          points: Type.Array(named('WebhookPoint', Type.Object({ at: Timestamp, ...WebhookCounts.properties }))),
        }),
      ),
    ),
  }),
)

export type WebhookStatistics = Static<typeof WebhookStatistics>
