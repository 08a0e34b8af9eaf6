import { Type, type Static } from 'typebox'
import type { ProjectId } from '../../core/ids.ts'
import { named, Timestamp } from '../../shapes/shapes.ts'
import { MAX_ADDED_UP, MAX_COUNTED, MAX_TOPICS } from './limits.ts'

export const WatchLive = Type.Object(
  {
    topics: Type.String({
      minLength: 1,
      maxLength: 400,
      description:
        `What to watch, at most ${MAX_TOPICS}, separated by commas: \`overview\`, \`queue\`, \`notices\`, \`inbox\`, \`emails\`, ` +
        'or one thing by its kind and id: `email:em_…`, `broadcast:brd_…`, `import:imp_…`, `automation:aut_…`, ' +
        '`webhook:whk_…`, `domain:dom_…`. Each needs the scope with which it could be read.',
      examples: ['overview,notices'],
    }),
  },
  { additionalProperties: false },
)

const Hello = named(
  'LiveHello',
  Type.Object({
    version: Type.String({ description: 'The version of Posthouse that runs here.' }),
    at: Type.String({ ...Timestamp, description: 'The time by which everything is dated: that of the database.' }),
  }),
)

export const Change = named(
  'LiveChange',
  Type.Object({
    topic: Type.String({ examples: ['emails', 'email:em_01h2xcejqtf2nbrexx3vqjhp41'] }),
    version: Type.String({
      description: 'Another one than before where something has changed, also over two streams.',
    }),
    status: Type.Optional(Type.String({ description: 'Of one thing.' })),
    counts: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        description:
          'Of `overview`: what happened to recipients in the minute that runs, as `/statistics/emails` counts it (`accepted`, ' +
          `\`delivered\`, \`bounced\` and so on), and \`waiting\`, which ends at ${MAX_COUNTED}.`,
      }),
    ),
    isMore: Type.Optional(
      Type.Boolean({
        description:
          `Of \`overview\`: true where the counts of the minute are too low, because more than ${MAX_ADDED_UP} rows would ` +
          'have to be added up for them.',
      }),
    ),
    leavingPerSecond: Type.Optional(
      Type.Number({ description: 'Of `overview`: mails of the project, as the workers told in the last seconds.' }),
    ),
    newestId: Type.Optional(Type.String({ description: 'Of `emails` and `inbox`, unless there is none.' })),
    more: Type.Optional(Type.Integer({ description: 'Of `emails`: so many came since the last change.' })),
    deleted: Type.Optional(Type.Literal(true, { description: 'The thing is there no longer.' })),
  }),
)
export type Change = Static<typeof Change>

/** An event as `event` names it, with its `data`. */
export const LiveEvent = named(
  'LiveEvent',
  Type.Union([
    named('LiveHelloEvent', Type.Object({ event: Type.Literal('hello'), data: Hello })),
    named('LiveChangeEvent', Type.Object({ event: Type.Literal('change'), data: Change })),
  ]),
)

/** What a stream watches: a thing, or something of the whole project. */
export interface Asked {
  projectId: ProjectId
  id: string | null
  /** The newest of them that was told; null for the first look, which counts nothing. */
  since: string | null
}

/** What a look found about one of them, the first being 1. A thing that is gone, or was never there, is not found. */
export interface Found {
  position: number
  status?: string
  counts?: Record<string, number>
  isMore?: boolean
  leavingPerSecond?: number
  newest?: string | null
  more?: number
  /** Changes with everything that the page of the thing shows; never told. */
  mark?: string | null
}
