// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface AutomationPage {
  data: AutomationSummary[]
  hasMore: boolean
  nextCursor: string | null
}

/** What it needs and does not have any more, whether it is enabled or not. */
export interface AutomationProblem {
  code: 'audience_deleted' | 'tag_deleted' | 'template_deleted' | 'domain_not_verified'
  /** What that means, and what to do. */
  message: string
}

export interface AutomationSender {
  from: string
  replyTo: string | null
}

export interface AutomationStats {
  started: number
  waiting: number
  completed: number
  stopped: number
  failed: number
  /** How many were sent, by all runs together. */
  emails: number
}

export interface AutomationSummary {
  id: string
  projectId: string
  name: string
  /** As it was given. */
  trigger: Record<string, unknown>
  sender: AutomationSender | null
  tracking: AutomationTracking
  enabled: boolean
  steps: Record<string, unknown>[]
  reentry: 'never' | 'always'
  version: number
  problem: AutomationProblem | null
  stats: AutomationStats
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

export interface AutomationTracking {
  opens: boolean | null
  clicks: boolean | null
}

export interface AudienceTrigger {
  type: 'audience'
  /** An id that starts with `aud_`. */
  audienceId: string
}

export interface Automation {
  id: string
  projectId: string
  name: string
  /** As it was given. */
  trigger: Record<string, unknown>
  sender: AutomationSender | null
  tracking: AutomationTracking
  enabled: boolean
  steps: Record<string, unknown>[]
  reentry: 'never' | 'always'
  version: number
  problem: AutomationProblem | null
  stats: AutomationStats
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  /** The twenty that started last. */
  recentRuns: RecentAutomationRun[]
}

/** In whose name the mail is sent. Needed where there are email steps. */
export interface AutomationSenderInput {
  /** A mailbox: `ann@example.com` or `Ann <ann@example.com>`. */
  from: string
  /** A mailbox: `ann@example.com` or `Ann <ann@example.com>`. */
  replyTo?: string | null
}

export type AutomationStep = EmailStep | DelayStep | ConditionStep | TagStep | ExitStep

export interface AutomationStepResult {
  stepId: string
  type: 'email' | 'delay' | 'condition' | 'tag' | 'exit'
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  /** `sent`: into the queue; the email tells what became of it. */
  result:
    | 'sent'
    | 'refused'
    | 'delayed'
    | 'then'
    | 'else'
    | 'applied'
    | 'removed'
    | 'unchanged'
    | 'skipped'
    | 'exited'
  /** Of a delay. */
  until: string | null
  detail: string | null
  emailId: string | null
}

/** What is null or omitted is the sending domain's setting. */
export interface AutomationTrackingInput {
  opens?: boolean | null
  clicks?: boolean | null
}

export type AutomationTrigger = AudienceTrigger | TagTrigger

/** Afterwards, both branches go on with what follows. */
export interface ConditionStep {
  /** Unique among the steps; made where omitted. */
  id?: string
  type: 'condition'
  /**
   * `{field, operator, value}`, or several of them in `{and: […]}` or `{or: […]}`, up to five deep. Fields: `email`,
   * `firstName`, `lastName`, `properties.<name>` and `tags`, whose value is the id of a tag and whose operators are
   * `contains` and `notContains`. Operators: `equals`, `notEquals`, `contains`, `notContains`, `startsWith`,
   * `endsWith`, `greaterThan`, `greaterOrEqual`, `lessThan`, `lessOrEqual`, `exists`, `notExists`; `exists` and
   * `notExists` take no value. What is not known of a contact is equal to nothing, contains nothing, and is neither
   * greater nor less. Text is compared letter by letter; beside a number, text that is a number counts as one.
   */
  if: Record<string, unknown>
  then?: Record<string, unknown>[]
  else?: Record<string, unknown>[]
}

export interface CreateAutomation {
  name: string
  trigger: AutomationTrigger
  sender?: AutomationSenderInput
  tracking?: AutomationTrackingInput
  /** At most 100, those in branches included, and branches at most five deep. */
  steps: AutomationStep[]
  /** Whether a contact who has been through it can start again; at most ten times in an hour. `never` if omitted. */
  reentry?: 'never' | 'always'
  /** Needs a verified sender. While it is false no contact starts, and those inside wait. */
  enabled?: boolean
}

export interface DelayStep {
  /** Unique among the steps; made where omitted. */
  id?: string
  type: 'delay'
  /** ISO 8601, in weeks or in days, hours, minutes and seconds: `P2W`, `P1DT12H`. At most 366 days. */
  duration?: string
  /** Instead of a duration, with a unit. */
  amount?: number
  unit?: 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks'
}

export interface EmailStep {
  /** Unique among the steps; made where omitted. */
  id?: string
  type: 'email'
  /** The template's if omitted. */
  subject?: string
  html?: string
  /** Made from the html if omitted. */
  text?: string
  /** What mail programs show of it in lists. */
  previewText?: string
  /** An id that starts with `tpl_`, or an alias. Copied when the step is written. */
  templateId?: string
  variables?: Record<string, unknown>
}

export interface ExitStep {
  /** Unique among the steps; made where omitted. */
  id?: string
  type: 'exit'
}

export interface RecentAutomationRun {
  id: string
  /** The version of the automation that it started with, and finishes with. */
  version: number
  contactId: string
  /** Null once the contact is deleted. */
  email: string | null
  status: 'waiting' | 'completed' | 'stopped' | 'failed'
  /** The delay that it is in, the step that comes next, or the last one. */
  stepId: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  nextDueAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  finishedAt: string | null
  stopReason:
    | 'tag_removed'
    | 'left_audience'
    | 'unsubscribed'
    | 'suppressed'
    | 'automation_deleted'
    | 'contact_deleted'
    | 'error'
    | null
  /** Why the next step could not be done; it is tried again. */
  problem: string | null
  /** What was done, step by step. */
  results: AutomationStepResult[]
}

export interface TagStep {
  /** Unique among the steps; made where omitted. */
  id?: string
  type: 'tag'
  /** An id that starts with `tag_`. */
  tagId: string
  action: 'apply' | 'remove'
}

export interface TagTrigger {
  type: 'tag'
  /** An id that starts with `tag_`. */
  tagId: string
}

/** Another trigger, sender, tracking or list of steps makes a new version; people who are inside finish theirs. */
export interface UpdateAutomation {
  name?: string
  trigger?: AutomationTrigger
  sender?: AutomationSenderInput
  tracking?: AutomationTrackingInput
  /** At most 100, those in branches included, and branches at most five deep. */
  steps?: AutomationStep[]
  /** Whether a contact who has been through it can start again; at most ten times in an hour. `never` if omitted. */
  reentry?: 'never' | 'always'
  /** Needs a verified sender. While it is false no contact starts, and those inside wait. */
  enabled?: boolean
}

export interface DeletedAutomation {
  id: string
  deleted: true
}

export interface AutomationRun {
  id: string
  projectId: string
  /** The version of the automation that it started with, and finishes with. */
  version: number
  contactId: string
  /** Null once the contact is deleted. */
  email: string | null
  status: 'waiting' | 'completed' | 'stopped' | 'failed'
  /** The delay that it is in, the step that comes next, or the last one. */
  stepId: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  nextDueAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  finishedAt: string | null
  stopReason:
    | 'tag_removed'
    | 'left_audience'
    | 'unsubscribed'
    | 'suppressed'
    | 'automation_deleted'
    | 'contact_deleted'
    | 'error'
    | null
  /** Why the next step could not be done; it is tried again. */
  problem: string | null
  /** What was done, step by step. */
  results: AutomationStepResult[]
}

export interface AutomationRunPage {
  data: AutomationRun[]
  hasMore: boolean
  nextCursor: string | null
}

/** A contact, by id or address, and when it would start; now if omitted. */
export interface SimulateAutomation {
  /** An id that starts with `con_`. */
  contactId?: string
  /** An email address. */
  email?: string
  /** ISO 8601 with an offset or `Z`. */
  at?: string
}

export interface Simulation {
  automationId: string
  version: number
  contactId: string
  email: string
  status: 'completed' | 'stopped' | 'failed'
  stopReason:
    | 'tag_removed'
    | 'left_audience'
    | 'unsubscribed'
    | 'suppressed'
    | 'automation_deleted'
    | 'contact_deleted'
    | 'error'
    | null
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  finishedAt: string
  timeline: SimulationStep[]
}

export interface SimulationStep {
  stepId: string
  type: 'email' | 'delay' | 'condition' | 'tag' | 'exit'
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  /** As in a run. */
  result: string
  /** ISO 8601 in UTC, with milliseconds. */
  until: string | null
  detail: string | null
  /** Of an email, filled in for this contact. */
  subject: string | null
}
