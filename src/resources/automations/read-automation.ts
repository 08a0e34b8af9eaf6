import type { ProjectContext } from '../../core/caller.ts'
import { DomainError, invalid, notFound, type Problem } from '../../core/errors.ts'
import { decodeId, type AudienceId, type TagId } from '../../core/ids.ts'
import { parseAddress, type Address } from '../../mail/address.ts'
import type { Database } from '../../storage/postgres.ts'
import type { Audiences } from '../audiences/index.ts'
import type { Mailing, Mailings } from '../emails/index.ts'
import type { Tags } from '../tags/index.ts'
import { plannedSteps, type Plan } from './plan.ts'
import type { Found, readSteps, StepsRead } from './read-steps.ts'
import type { CreateAutomation } from './request-schema.ts'
import type { Definition, EmailStepInput, Trigger } from './schema.ts'

export interface ReaderOptions {
  db: Database
  audiences: Audiences
  tags: Tags
  mailings: Mailings
}

/** A complete version: its definition, the plan that runs need, and the content of its mails. */
export interface Version {
  definition: Definition
  plan: Plan
  mailings: ReadonlyMap<string, Mailing>
}

/** What a version is made from. Without steps of its own it takes those of another version, as they are. */
export type VersionFields = Pick<CreateAutomation, 'trigger' | 'sender' | 'tracking'> &
  ({ steps: CreateAutomation['steps'] } | { kept: Pick<Version, 'definition' | 'mailings'> })

export class Reader {
  readonly #options: ReaderOptions

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  /** Throws with everything that is wrong: first the form, then what is not there, then what cannot be filled in. */
  async read(project: ProjectContext, fields: VersionFields): Promise<Version> {
    const { trigger, sender, tracking } = fields
    const problems: Problem[] = []
    const addresses = sender === undefined ? null : senderOf(sender, problems)
    // Loaded here, because a worker never reads steps, and they bring the library of shapes.
    const steps = 'steps' in fields ? (await import('./read-steps.ts')).readSteps(fields.steps) : undefined
    if (steps && 'problems' in steps) problems.push(...steps.problems)
    const hasEmails = 'kept' in fields ? fields.kept.mailings.size > 0 : 'steps' in (steps ?? {}) && hasEmailsIn(steps)
    if (hasEmails && sender === undefined) {
      problems.push({
        path: '/sender',
        message: 'is required where there are email steps, like {"from": "Ann <ann@example.com>"}',
      })
    }
    if (problems.length > 0 || (steps && 'problems' in steps)) throw invalid(problems)
    await this.requireTrigger(project, trigger)
    if (steps) await this.#requireTags(project, steps)
    const written = 'kept' in fields ? fields.kept.definition.steps : (steps?.steps ?? [])
    const mailings =
      'kept' in fields
        ? sentBy(fields.kept.mailings, addresses)
        : await this.#readMails(project, sender?.from ?? '', addresses, steps?.emails ?? [])
    const definition = {
      trigger,
      sender: sender === undefined ? null : { from: sender.from, replyTo: sender.replyTo ?? null },
      tracking: { opens: tracking?.opens ?? null, clicks: tracking?.clicks ?? null },
      steps: written,
    }
    const plan = { sender: addresses, tracking: definition.tracking, steps: plannedSteps(written) }
    return { definition, plan, mailings }
  }

  async requireTrigger(project: ProjectContext, trigger: Trigger): Promise<void> {
    const { audienceId, tagId } = idsOf(trigger)
    const { db, audiences, tags } = this.#options
    if (audienceId !== null) await audiences.findIn(db.reads, project.id, audienceId)
    if (tagId !== null) await tags.read(project, tagId)
  }

  async #requireTags(project: ProjectContext, { tags }: StepsRead): Promise<void> {
    for (const tag of new Set(tags)) {
      if (tag === undefined) throw notFound('tag')
      await this.#options.tags.read(project, tag)
    }
  }

  async #readMails(
    project: ProjectContext,
    from: string,
    sender: Plan['sender'],
    emails: readonly Found<EmailStepInput & { id: string }>[],
  ): Promise<ReadonlyMap<string, Mailing>> {
    const { db, mailings } = this.#options
    const read = new Map<string, Mailing>()
    const refusals: DomainError[] = []
    for (const { step, path } of emails) {
      try {
        const mailing = await mailings.read(db.reads, project, { ...step, from }, path)
        read.set(step.id, { ...mailing, replyTo: sender?.replyTo ?? [] })
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        refusals.push(error.code === 'template_error' ? placed(error, path) : error)
      }
    }
    const refusal = together(refusals)
    if (refusal !== undefined) throw refusal
    return read
  }
}

/** The ids in a trigger. What is no id is answered like one that never existed. */
export function idsOf(trigger: Trigger): { audienceId: AudienceId | null; tagId: TagId | null } {
  if (trigger.type === 'audience') {
    const audienceId = decodeId('aud', trigger.audienceId)
    if (audienceId === undefined) throw notFound('audience')
    return { audienceId, tagId: null }
  }
  const tagId = decodeId('tag', trigger.tagId)
  if (tagId === undefined) throw notFound('tag')
  return { audienceId: null, tagId }
}

const hasEmailsIn = (steps: ReturnType<typeof readSteps> | undefined): boolean =>
  steps !== undefined && 'emails' in steps && steps.emails.length > 0

function senderOf(
  { from, replyTo }: NonNullable<CreateAutomation['sender']>,
  problems: Problem[],
): { from: Address; replyTo: Address[] } | null {
  const read = (text: string, path: string): Address | undefined => {
    const parsed = parseAddress(text)
    if (parsed.ok) return parsed.value
    problems.push({ path, message: parsed.problem })
    return undefined
  }
  const address = read(from, '/sender/from')
  const reply = replyTo == null ? [] : [read(replyTo, '/sender/replyTo') ?? []].flat()
  return address === undefined ? null : { from: address, replyTo: reply }
}

const sentBy = (mailings: ReadonlyMap<string, Mailing>, sender: Plan['sender']): ReadonlyMap<string, Mailing> =>
  sender === null ? mailings : new Map([...mailings].map(([step, mailing]) => [step, { ...mailing, ...sender }]))

function placed(error: DomainError, path: string): DomainError {
  const details = (error.extra['details'] ?? []) as Problem[]
  const there = details.map((problem) => ({ ...problem, path: `${path}${problem.path}` }))
  return new DomainError(error.code, error.message, { ...error.extra, details: there })
}

/** One for all of a kind; the form of a request comes before what it refers to, and that before what it says. */
function together(refusals: readonly DomainError[]): DomainError | undefined {
  const order = ['validation_error', 'not_found', 'template_error']
  const [first] = refusals.toSorted((a, b) => order.indexOf(a.code) - order.indexOf(b.code))
  if (first === undefined || first.extra['details'] === undefined) return first
  const details = refusals
    .filter(({ code }) => code === first.code)
    .flatMap(({ extra }) => extra['details'] as Problem[])
  return first.code === 'validation_error' ? invalid(details) : new DomainError(first.code, first.message, { details })
}
