import { Type, type Static } from 'typebox'
import { named, Nullable, NullableEnum, saying } from '../../shapes/shapes.ts'
import { dmarcPolicies, type DmarcPolicy } from '../../mail/dmarc-record.ts'
import { dmarcSteps, groupings, sourceKinds } from './kinds.ts'

export type SourceKind = (typeof sourceKinds)[number]
export type Grouping = (typeof groupings)[number]

/** Reports are about whole days (UTC), so a day is enough to ask for them. */
const DayInput = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d))?$',
  description: 'A day in UTC, or a time (ISO 8601 with an offset) for the day that it is in.',
  examples: ['2026-05-01'],
  ...saying('must be a day like 2026-05-01, or a time like 2026-05-01T09:30:00Z'),
})

const Day = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'A day in UTC.' })

const days = {
  from: Type.Optional(DayInput),
  to: Type.Optional(DayInput),
}

export const ReadTls = Type.Object(days, { additionalProperties: false })

export type ReadTls = Static<typeof ReadTls>

export const ReadDmarc = Type.Object(
  { ...days, groupBy: Type.Optional(Type.Enum(groupings, { description: '`source` if omitted.' })) },
  { additionalProperties: false },
)

export type ReadDmarc = Static<typeof ReadDmarc>

const Dispositions = named(
  'DmarcDispositions',
  Type.Object(
    { none: Type.Integer(), quarantine: Type.Integer(), reject: Type.Integer() },
    { description: 'What the receivers did with the messages.' },
  ),
)

const kindOfSource =
  'Whose address it is: of this installation, of a well-known sender, of a stranger; or unknown, where the DNS was not asked yet or did not answer, and for all addresses that are not kept apart.'

const Proven = Type.Boolean({
  description: 'Whether the mail of these reports proves which domain sent it. A stranger may have written the others.',
})

const unproven = 'How many reports came by mail that does not prove which domain sent it.'
const Unproven = Type.Integer({ description: unproven })

const DmarcGroup = named(
  'DmarcGroup',
  Type.Object({
    key: Type.String({
      description: 'The address, the reporter or the day. `other` stands for all addresses that are not kept apart.',
    }),
    kind: Type.Unsafe<SourceKind | null>({
      ...NullableEnum(sourceKinds),
      description: `${kindOfSource} Null unless grouped by source.`,
    }),
    name: Nullable(
      Type.String({
        description:
          'The sender or the host, where it is known; of a reporter the domain that its mail is proven to come from.',
      }),
    ),
    proven: Proven,
    messages: Type.Integer(),
    dkimAligned: Type.Integer(),
    spfAligned: Type.Integer(),
    dispositions: Dispositions,
  }),
)

export type DmarcGroup = Static<typeof DmarcGroup>

export const DmarcView = named(
  'DmarcReports',
  Type.Object({
    data: Type.Array(DmarcGroup, {
      description: 'What is proven first, then by messages, the most first; days in their order.',
    }),
    reports: Type.Integer({ description: 'How many reports these numbers are from.' }),
    unproven: Unproven,
    from: Day,
    to: Day,
  }),
)

export type DmarcView = Static<typeof DmarcView>

export type DmarcStep = (typeof dmarcSteps)[number]

export const DmarcAdviceView = named(
  'DmarcAdvice',
  Type.Object({
    policy: Type.Unsafe<DmarcPolicy | null>({
      ...NullableEnum(dmarcPolicies),
      description: 'What the DNS says today; null without a record that receivers act on.',
    }),
    step: Type.Enum(dmarcSteps, {
      description:
        'The next step: publish a record, ask for reports (`rua`), wait for the first one, `quarantine`, let the policy hold in full (no `pct`, no `t`), `reject`; then nothing is left to do.',
    }),
    reports: Type.Integer({ description: 'Of the last 30 days, as everything here, and proven.' }),
    unproven: Type.Integer({ description: `${unproven} No advice is given by them.` }),
    messages: Type.Integer(),
    wouldLose: named(
      'DmarcLoss',
      Type.Object(
        {
          messages: Type.Integer(),
          share: Type.Number({ minimum: 0, maximum: 1 }),
          byKind: named(
            'DmarcLossByKind',
            Type.Object(
              { ours: Type.Integer(), known: Type.Integer(), stranger: Type.Integer(), unknown: Type.Integer() },
              { description: 'The messages of all sources, by whose they are.' },
            ),
          ),
          sources: Type.Array(
            named(
              'DmarcLossSource',
              Type.Object({
                key: Type.String(),
                kind: Type.Enum(sourceKinds, { description: kindOfSource }),
                name: Nullable(Type.String()),
                messages: Type.Integer(),
              }),
            ),
            { description: 'The twenty with the most messages.' },
          ),
        },
        { description: 'What was neither signed nor sent from where the domain allows, and a strict policy acts on.' },
      ),
    ),
  }),
)

export type DmarcAdviceView = Static<typeof DmarcAdviceView>

const TlsGroup = named(
  'TlsReportGroup',
  Type.Object({
    day: Day,
    reporter: Type.String(),
    proven: Proven,
    policy: Type.String({ description: '`sts`, `tlsa`, `no-policy-found` or, for any other word, `other`.' }),
    successful: Type.Integer({ description: 'Sessions that were encrypted as the policy wants.' }),
    failed: Type.Integer(),
    failures: Type.Array(
      named(
        'TlsFailure',
        Type.Object({
          type: Type.String({
            description: 'A result type of RFC 8460 §4.3 or, for any other word, `other`.',
            examples: ['certificate-expired'],
          }),
          host: Nullable(Type.String({ description: 'The receiving host, where the reporter names it.' })),
          sessions: Type.Integer(),
        }),
      ),
      { description: 'The twenty with the most sessions; `failed` counts all.' },
    ),
  }),
)

export type TlsGroup = Static<typeof TlsGroup>

export const TlsView = named(
  'TlsReports',
  Type.Object({
    data: Type.Array(TlsGroup, { description: 'The newest day first, of a day what is proven; at most 1,000.' }),
    reports: Type.Integer({ description: 'How many reports came for these days.' }),
    unproven: Unproven,
    from: Day,
    to: Day,
  }),
)

export type TlsView = Static<typeof TlsView>
