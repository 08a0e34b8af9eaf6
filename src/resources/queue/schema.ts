import { Type, type Static } from 'typebox'
import type { KeyId, PersonId, ProjectId, WorkspaceId } from '../../core/ids.ts'
import { explanationSchema } from '../../shapes/explanation.ts'
import { listQuery, named, Nullable, NullableEnum, PageOf, saying, Timestamp, VISIBLE } from '../../shapes/shapes.ts'
import { destinationStates, MAX_BECAUSE, replyOutcomes, type ReplyOutcome } from './states.ts'

export const ListQueue = Type.Object(
  {
    ...listQuery,
    needsLook: Type.Optional(
      Type.Enum(['true', 'false'], { description: '`true` for those only where something is to be looked at.' }),
    ),
  },
  { additionalProperties: false },
)

export type ListQueue = Static<typeof ListQueue>

const because = Type.String({
  minLength: 1,
  maxLength: MAX_BECAUSE,
  pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]+$',
  ...saying(VISIBLE),
  description: 'Why, in words for colleagues.',
})

const everywhere = Type.Optional(
  Type.Boolean({
    description:
      'For the mail of the whole installation. Needs the workspace role owner or admin, or a full-access workspace key.',
  }),
)

const changeOf = (name: string) =>
  named(name, Type.Object({ because: Type.Optional(because), everywhere }, { additionalProperties: false }))

export const PauseDestination = changeOf('PauseDestination')
export const ResumeDestination = changeOf('ResumeDestination')

export type PauseDestination = Static<typeof PauseDestination>

export const HoldSending = named('HoldSending', Type.Object({ because }, { additionalProperties: false }))

export const ResumeSending = named(
  'ResumeSending',
  Type.Object({ because: Type.Optional(because) }, { additionalProperties: false }),
)

const Pauser = named(
  'Pauser',
  Type.Object({
    type: Type.Enum(['key', 'person']),
    id: Nullable(Type.String({ description: 'Null for a person or key of another workspace.' })),
    name: Nullable(Type.String()),
  }),
)

const ReplyView = named(
  'DestinationReply',
  Type.Object({
    code: Nullable(Type.Integer({ description: 'Null where no server answered.' })),
    enhanced: Nullable(Type.String()),
    text: Nullable(
      Type.String({ description: 'Addresses are left out. Null where it answered to mail of another project.' }),
    ),
    stage: Nullable(Type.String({ description: 'How far the conversation had come.' })),
    host: Nullable(Type.String()),
    at: Timestamp,
  }),
)

export type ReplyView = Static<typeof ReplyView>

const destination = {
  destination: Type.String({ description: 'As `recipients[].destination` of an email names it.' }),
  name: Type.String({ description: 'For people.' }),
  waiting: Type.Integer({ description: 'Recipients of the project whose mail has not left and is not scheduled.' }),
  oldestAt: Nullable(Timestamp),
  state: Type.Enum(destinationStates),
  needsLook: Type.Boolean(),
  since: Nullable(Timestamp),
  pace: named(
    'DestinationPace',
    Type.Object({
      connections: Type.Integer({ description: 'Of all nodes, now.' }),
      limit: Type.Integer({ description: 'How many there may be now.' }),
      usualLimit: Type.Integer({ description: 'How many there may be when nothing speaks against it.' }),
      perMinute: Nullable(Type.Number({ description: 'Mails a minute at most; null without such a limit.' })),
    }),
  ),
  nextTryAt: Nullable(Timestamp),
  lastReply: Nullable(ReplyView),
  explanation: Nullable(explanationSchema),
  paused: Nullable(
    named(
      'DestinationPause',
      Type.Object({
        by: Pauser,
        since: Timestamp,
        because: Nullable(Type.String()),
        everywhere: Type.Boolean({ description: 'For the whole installation.' }),
      }),
    ),
  ),
}

export const DestinationView = named('QueueDestination', Type.Object(destination))

export type DestinationView = Static<typeof DestinationView>

export const QueueView = named(
  'Queue',
  Type.Object({
    asOf: Timestamp,
    waiting: Type.Integer(),
    oldestAt: Nullable(Timestamp),
    leavingPerSecond: Type.Number(),
    lastLeftAt: Nullable(
      Type.String({
        format: 'date-time',
        description: 'When a server last took mail of the project; null where none did in the last 24 hours.',
      }),
    ),
    destinations: named(
      'QueueCounts',
      Type.Object({ all: Type.Integer(), needsLook: Type.Integer() }, { description: 'How many there are.' }),
    ),
    ...PageOf(DestinationView).properties,
  }),
)

export type QueueView = Static<typeof QueueView>

const AgesView = named(
  'DestinationAges',
  Type.Object(
    {
      under5Minutes: Type.Integer(),
      under1Hour: Type.Integer(),
      under6Hours: Type.Integer(),
      under24Hours: Type.Integer(),
      older: Type.Integer(),
      isMore: Type.Boolean({
        description: 'True where there is too much to look at all of it: then there may be more.',
      }),
    },
    {
      description:
        'Recipients of the project whose mail waits, by how long ago it was accepted; without those that are being sent right now.',
    },
  ),
)

export const DestinationDetail = named(
  'QueueDestinationDetail',
  Type.Object({
    asOf: Timestamp,
    ...destination,
    ages: AgesView,
    replies: Type.Array(
      named(
        'DestinationReplyGroup',
        Type.Object({
          code: Nullable(Type.Integer()),
          enhanced: Nullable(Type.String()),
          text: Type.String({
            description: 'The last one of those that differ in numbers and addresses only. Addresses are left out.',
          }),
          stage: Nullable(Type.String()),
          count: Type.Integer(),
          lastAt: Timestamp,
          explanation: explanationSchema,
        }),
      ),
      { description: 'What was answered to mail of the project in the last 24 hours, the most frequent first.' },
    ),
    hosts: Type.Array(
      named(
        'DestinationHost',
        Type.Object({
          host: Nullable(Type.String()),
          address: Nullable(Type.String()),
          tls: Nullable(Type.String()),
          attempts: Type.Integer(),
          accepted: Type.Integer(),
          last: NullableEnum(replyOutcomes),
          lastAt: Timestamp,
          refused: Nullable(Type.String({ description: 'Why we do not go there, where we do not.' })),
        }),
      ),
      { description: 'Where mail of the project went, or was to go, in the last 24 hours.' },
    ),
  }),
)

export type DestinationDetail = Static<typeof DestinationDetail>

export const Retried = named('RetriedDestination', Type.Object({ recipients: Type.Integer() }))

export const AskSending = Type.Object(
  { due: Type.Optional(Type.Boolean({ description: '`false` leaves out what is due, which has to be counted.' })) },
  { additionalProperties: false },
)

export const SendingView = named(
  'Sending',
  Type.Object({
    held: Type.Boolean(),
    since: Nullable(Timestamp),
    because: Nullable(Type.String()),
    due: Nullable(
      named(
        'SendingDue',
        Type.Object(
          { emails: Type.Integer(), webhooks: Type.Integer(), sms: Type.Integer() },
          {
            description:
              'What would leave now, of the projects that the caller sees; after a change as it was last counted.',
          },
        ),
      ),
    ),
  }),
)

export type SendingView = Static<typeof SendingView>

/** A pause as it is stored, with the name of today of whoever made it. */
export interface HoldRow {
  destination: string
  workspaceId: WorkspaceId
  projectId: ProjectId | null
  keyId: KeyId | null
  personId: PersonId | null
  name: string | null
  because: string | null
  since: Date
}

export type AgesRow = DestinationDetail['ages']

/** What waits of a project for one destination. */
export interface WaitingRow {
  destination: string
  waiting: number
  deferred: number
  due: number
  oldestId: string | null
  nextTryAt: Date | null
}

export interface NotedReply {
  code: number | null
  enhanced: string | null
  text: string
  stage: string | null
  host: string | null
  at: number
}

/** What the workers know of a destination. */
export interface EngineRow {
  destination: string
  connections: number
  connectionLimit: number | null
  perMinute: number | null
  suspendedUntil: Date | null
  onTrial: boolean
  since: Date | null
  lastReply: NotedReply | null
}

/** What was answered last to mail of a project, apart from acceptance. */
export interface LastReplyRow {
  destination: string
  outcome: ReplyOutcome
  code: number | null
  enhanced: string | null
  text: string
  stage: string | null
  host: string | null
  at: Date
  acceptedAt: Date | null
}

export interface ReplyGroupRow {
  code: number | null
  enhanced: string | null
  text: string
  stage: string | null
  host: string | null
  count: number
  lastAt: Date
}

export interface HostRow {
  host: string | null
  address: string | null
  tls: string | null
  attempts: number
  accepted: number
  last: ReplyOutcome
  lastAt: Date
  refused: string | null
}

/** What a worker tells of one destination. Times are from now on, or before now. */
export interface StateReport {
  destination: string
  connections: number
  connectionLimit: number | null
  perMinute: number | null
  suspendedForMs: number
  onTrial: boolean
  troubledForMs: number | undefined
  note: Readonly<Record<string, unknown>> | undefined
}

/** So many like answers to mail of one project. */
export interface CountedReply {
  projectId: ProjectId
  destination: string
  mark: string
  host: string | null
  address: string | null
  tls: string | null
  outcome: ReplyOutcome
  stage: string | null
  code: number | null
  enhanced: string | null
  text: string
  count: number
  /** By the clock of the one who heard it. */
  at: number
}

export interface WorkerReport {
  workerId: string
  states: readonly StateReport[]
  replies: readonly CountedReply[]
  flows: readonly { projectId: ProjectId; perSecond: number }[]
}
