import { Type, type Static } from 'typebox'
import type { AudienceId, AutomationId, ContactId, ProjectId, RunId, TagId } from '../../core/ids.ts'
import {
  Deleted,
  EmailInput,
  IdInput,
  IdOf,
  listQuery,
  named,
  Nullable,
  PageOf,
  saying,
  Timestamp,
} from '../../shapes/shapes.ts'
import { MAX_STEPS, type Operator, type RunStatus, operators, runStatuses } from './states.ts'

export const stopReasons = [
  'tag_removed',
  'left_audience',
  'unsubscribed',
  'suppressed',
  'automation_deleted',
  'contact_deleted',
  'error',
] as const

export type StopReason = (typeof stopReasons)[number]

const delayUnits = ['seconds', 'minutes', 'hours', 'days', 'weeks'] as const

export type DelayUnit = (typeof delayUnits)[number]

export type ConditionValue = string | number | boolean

export type Condition =
  | { field: string; operator: Operator; value?: ConditionValue }
  | { and: Condition[] }
  | { or: Condition[] }

const Condition = Type.Unsafe<Condition>({
  type: 'object',
  additionalProperties: true,
  description:
    '`{field, operator, value}`, or several of them in `{and: […]}` or `{or: […]}`, up to five deep. Fields: `email`, ' +
    '`firstName`, `lastName`, `properties.<name>` and `tags`, whose value is the id of a tag and whose operators are ' +
    `\`contains\` and \`notContains\`. Operators: ${operators.map((word) => `\`${word}\``).join(', ')}; \`exists\` and ` +
    '`notExists` take no value. What is not known of a contact is equal to nothing, contains nothing, and is neither ' +
    'greater nor less. Text is compared letter by letter; beside a number, text that is a number counts as one.',
  examples: [{ and: [{ field: 'properties.plan', operator: 'equals', value: 'trial' }] }],
})

const StepId = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    description: 'Unique among the steps; made where omitted.',
    ...saying('must be 1 to 64 letters, digits, _ and -'),
  }),
)

const Branch = Type.Optional(
  Type.Array(Type.Unsafe<StepInput>({ type: 'object', additionalProperties: true, description: 'A step.' }), {
    maxItems: MAX_STEPS,
  }),
)

const EmailStep = named(
  'EmailStep',
  Type.Object(
    {
      id: StepId,
      type: Type.Literal('email'),
      subject: Type.Optional(Type.String({ maxLength: 998, description: "The template's if omitted." })),
      html: Type.Optional(Type.String()),
      text: Type.Optional(Type.String({ description: 'Made from the html if omitted.' })),
      previewText: Type.Optional(
        Type.String({ maxLength: 500, description: 'What mail programs show of it in lists.' }),
      ),
      templateId: Type.Optional(
        Type.String({ description: 'An id that starts with `tpl_`, or an alias. Copied when the step is written.' }),
      ),
      variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    },
    { additionalProperties: false },
  ),
)

const DelayStep = named(
  'DelayStep',
  Type.Object(
    {
      id: StepId,
      type: Type.Literal('delay'),
      duration: Type.Optional(
        Type.String({
          maxLength: 50,
          description: 'ISO 8601, in weeks or in days, hours, minutes and seconds: `P2W`, `P1DT12H`. At most 366 days.',
        }),
      ),
      amount: Type.Optional(Type.Integer({ minimum: 1, description: 'Instead of a duration, with a unit.' })),
      unit: Type.Optional(Type.Enum(delayUnits)),
    },
    { additionalProperties: false },
  ),
)

const ConditionStep = named(
  'ConditionStep',
  Type.Object(
    { id: StepId, type: Type.Literal('condition'), if: Condition, then: Branch, else: Branch },
    { additionalProperties: false, description: 'Afterwards, both branches go on with what follows.' },
  ),
)

const TagStep = named(
  'TagStep',
  Type.Object(
    { id: StepId, type: Type.Literal('tag'), tagId: IdInput('tag'), action: Type.Enum(['apply', 'remove']) },
    { additionalProperties: false },
  ),
)

const ExitStep = named(
  'ExitStep',
  Type.Object({ id: StepId, type: Type.Literal('exit') }, { additionalProperties: false }),
)

export const StepInput = named('AutomationStep', Type.Union([EmailStep, DelayStep, ConditionStep, TagStep, ExitStep]))

type Given<T> = { [K in keyof T]: T[K] }

export type EmailStepInput = Given<Static<typeof EmailStep>>

export type DelayStepInput = Given<Static<typeof DelayStep>>

export type TagStepInput = Given<Static<typeof TagStep>>

type ExitStepInput = Given<Static<typeof ExitStep>>

export interface ConditionStepInput {
  id?: string
  type: 'condition'
  if: Condition
  then?: StepInput[]
  else?: StepInput[]
}

export type StepInput = EmailStepInput | DelayStepInput | ConditionStepInput | TagStepInput | ExitStepInput

export type StepType = StepInput['type']

/** Steps as they are stored: every step has an id. */
export type Step =
  | (Exclude<StepInput, ConditionStepInput> & { id: string })
  | { id: string; type: 'condition'; if: Condition; then: Step[]; else: Step[] }

export const Trigger = named(
  'AutomationTrigger',
  Type.Union([
    named(
      'AudienceTrigger',
      Type.Object({ type: Type.Literal('audience'), audienceId: IdInput('aud') }, { additionalProperties: false }),
    ),
    named(
      'TagTrigger',
      Type.Object({ type: Type.Literal('tag'), tagId: IdInput('tag') }, { additionalProperties: false }),
    ),
  ]),
)

export type Trigger = Static<typeof Trigger>

export const NullableReason = Type.Unsafe<StopReason | null>({ type: ['string', 'null'], enum: [...stopReasons, null] })

const ResultView = named(
  'AutomationStepResult',
  Type.Object({
    stepId: Type.String(),
    type: Type.Enum(['email', 'delay', 'condition', 'tag', 'exit']),
    at: Timestamp,
    result: Type.Enum(
      ['sent', 'refused', 'delayed', 'then', 'else', 'applied', 'removed', 'unchanged', 'skipped', 'exited'],
      {
        description: '`sent`: into the queue; the email tells what became of it.',
      },
    ),
    until: Nullable(Type.String({ format: 'date-time', description: 'Of a delay.' })),
    detail: Nullable(Type.String()),
    emailId: Nullable(IdOf('em')),
  }),
)

export const RunView = named(
  'AutomationRun',
  Type.Object({
    id: IdOf('run'),
    version: Type.Integer({ description: 'The version of the automation that it started with, and finishes with.' }),
    contactId: IdOf('con'),
    email: Nullable(Type.String({ description: 'Null once the contact is deleted.' })),
    status: Type.Enum(runStatuses),
    stepId: Nullable(
      Type.String({ description: 'The delay that it is in, the step that comes next, or the last one.' }),
    ),
    nextDueAt: Nullable(Timestamp),
    startedAt: Timestamp,
    finishedAt: Nullable(Timestamp),
    stopReason: NullableReason,
    problem: Nullable(Type.String({ description: 'Why the next step could not be done; it is tried again.' })),
    results: Type.Array(ResultView, { description: 'What was done, step by step.' }),
  }),
)

export type RunView = Static<typeof RunView>

export const RunPage = PageOf(RunView)

/** A run inside its automation does not repeat the project. */
const RecentRun = named('RecentAutomationRun', Type.Object(RunView.properties))

export const ListRuns = Type.Object(
  {
    ...listQuery,
    status: Type.Optional(Type.Enum(runStatuses)),
    email: Type.Optional(EmailInput),
  },
  { additionalProperties: false },
)

export type ListRuns = Static<typeof ListRuns>

const StatsView = named(
  'AutomationStats',
  Type.Object({
    started: Type.Integer(),
    waiting: Type.Integer(),
    completed: Type.Integer(),
    stopped: Type.Integer(),
    failed: Type.Integer(),
    emails: Type.Integer({ description: 'How many were sent, by all runs together.' }),
  }),
)

/** What an automation needs and does not have any more. */
const ProblemView = named(
  'AutomationProblem',
  Type.Object(
    {
      code: Type.Enum(['audience_deleted', 'tag_deleted', 'template_deleted', 'domain_not_verified']),
      message: Type.String({ description: 'What that means, and what to do.' }),
    },
    { description: 'What it needs and does not have any more, whether it is enabled or not.' },
  ),
)

export type AutomationProblem = Static<typeof ProblemView>

const summary = {
  id: IdOf('aut'),
  name: Type.String(),
  trigger: Type.Unsafe<Trigger>({ type: 'object', additionalProperties: true, description: 'As it was given.' }),
  sender: Nullable(named('AutomationSender', Type.Object({ from: Type.String(), replyTo: Nullable(Type.String()) }))),
  tracking: named(
    'AutomationTracking',
    Type.Object({ opens: Nullable(Type.Boolean()), clicks: Nullable(Type.Boolean()) }),
  ),
  enabled: Type.Boolean(),
  steps: Type.Array(
    Type.Unsafe<Step>({ type: 'object', additionalProperties: true, description: 'As it was given, with its id.' }),
  ),
  reentry: Type.Enum(['never', 'always']),
  version: Type.Integer(),
  problem: Nullable(ProblemView),
  stats: StatsView,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const AutomationSummary = named('AutomationSummary', Type.Object(summary))

export type AutomationSummary = Static<typeof AutomationSummary>

export const AutomationPage = PageOf(AutomationSummary)

export const AutomationView = named(
  'Automation',
  Type.Object({
    ...summary,
    recentRuns: Type.Array(RecentRun, { description: 'The twenty that started last.' }),
  }),
)

export type AutomationView = Static<typeof AutomationView>

export const DeletedAutomation = named('DeletedAutomation', Deleted('aut'))

export type DeletedAutomation = Static<typeof DeletedAutomation>

/** What a version is made of, as it was written. */
export interface Definition {
  trigger: Trigger
  sender: { from: string; replyTo: string | null } | null
  tracking: { opens: boolean | null; clicks: boolean | null }
  steps: Step[]
}

export interface Automation {
  id: AutomationId
  projectId: ProjectId
  name: string
  enabled: boolean
  reentry: 'never' | 'always'
  version: number
  audienceId: AudienceId | null
  tagId: TagId | null
  definition: Definition
  stats: Static<typeof StatsView>
  createdAt: Date
  updatedAt: Date
}

/** The result of one step of a run. */
export interface StepResult {
  stepId: string
  type: StepType
  at: string
  result: Static<typeof ResultView>['result']
  until?: string
  detail?: string
}

export interface Run {
  id: RunId
  version: number
  contactId: ContactId
  email: string | null
  status: RunStatus
  stepId: string | null
  nextDueAt: Date | null
  startedAt: Date
  finishedAt: Date | null
  stopReason: StopReason | null
  problem: string | null
  results: StepResult[]
}
