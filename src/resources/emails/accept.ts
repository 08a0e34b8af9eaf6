/**
 * Takes prepared requests into the database. Requests that come in at about the same time share one transaction: a
 * commit costs the same for one row as for a hundred. Nothing else about them is shared. Each is refused, repeated or
 * accepted as if it were alone, and when the common transaction fails, each gets one of its own.
 *
 * One transaction, two round trips: first everything that has to be known (who repeats an earlier request, who is
 * suppressed, what is left of the quotas), then everything that has to be written. The order of the locks is the same
 * for all: idempotency keys, then quotas, each sorted.
 */
import { DomainError, settle } from '../../core/errors.ts'
import { failpoint } from '../../core/failpoint.ts'
import { idSource, newId, type BatchId, type EmailId, type ProjectId } from '../../core/ids.ts'
import { Batch } from '../../dispatch/batch.ts'
import type { Publish } from '../../events/publish.ts'
import {
  claimKeyOf,
  claimKeys,
  keepValues,
  releaseKeys,
  replay,
  type Claim,
  type KeyState,
  type Replayable,
} from '../../storage/idempotency.ts'
import { isUnavailable } from '../../storage/outage.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type { Projects } from '../projects/index.ts'
import type { Suppression, Suppressions } from '../suppressions/index.ts'
import type { PreparedEmail } from './prepare.ts'
import {
  attachmentRows,
  contentRow,
  countedRows,
  emailRow,
  recipientRows,
  tagRows,
  suppressedEvent,
  type AcceptedEmail,
  type CountAccepted,
  type OwnedEmail,
} from './rows.ts'
import * as store from './store/accept.ts'

export type ItemResult = AcceptedEmail | DomainError

export interface AcceptRequest {
  /** One for each project that the request has emails of: its key is used up in all of them. */
  claims: readonly Claim[]
  batchId: BatchId | null
  emails: readonly (PreparedEmail | DomainError)[]
  /** Makes the answer's body of what became of each email, or throws the refusal of the whole request. */
  answer(results: readonly ItemResult[]): unknown
  /** What is written with the emails. Must begin with its statement, see `#acceptIn`. */
  alongside?(tx: Tx, accepted: readonly AcceptedEmail[]): Promise<void>
}

interface AccepterOptions {
  db: Database
  projects: Projects
  suppressions: Suppressions
  publish: Publish
  counted: CountAccepted
  /** The destination of mail for a domain, if that is not left to the domain, e.g. a relay. */
  destinationOf(domain: string): string | undefined
  /** Called after the commit, when there is something to deliver. */
  onQueued(): void
}

const MAX_SINGLE = 100
const MAX_BATCHES = 10
const GATHER_MS = 1

export class Accepter {
  readonly #options: AccepterOptions
  readonly #singles = this.#gathering(MAX_SINGLE)
  /** Batches are gathered apart: a single email need not wait for thousands that another client sends at once. */
  readonly #batches = this.#gathering(MAX_BATCHES)

  /** Ids follow the clock of the database, as `createdAt` does: so a time leads to a place among the ids. */
  readonly #ids = idSource()

  constructor(options: AccepterOptions) {
    this.#options = options
  }

  /** Returns after the commit. */
  async accept(request: AcceptRequest): Promise<Replayable<unknown>> {
    const outcome = await (request.batchId === null ? this.#singles : this.#batches).add(request)
    if (outcome instanceof Error) throw outcome
    await failpoint('accept.after-commit', outcome.isReplay ? 'repeated' : 'first')
    return outcome
  }

  /** Returns what would become of this email now; nothing is kept. */
  dryRun(email: PreparedEmail): Promise<{ result: ItemResult; suppressed: string[] }> {
    const request = { claims: [], batchId: null, emails: [email], answer: () => undefined }
    return this.#options.db.dryRun(async (tx) => {
      const facts = await this.#facts(tx, [request])
      const suppressed = email.request.recipients
        .filter(({ key }) => facts.suppressed.has(keyOf(email.project.id, key)))
        .map(({ address }) => address.email)
      return { result: decide(email, facts), suppressed }
    })
  }

  #gathering(most: number): Batch<AcceptRequest, Outcome> {
    return new Batch((requests) => this.#acceptAll(requests), { most, gatherMs: GATHER_MS })
  }

  async #acceptAll(requests: readonly AcceptRequest[]): Promise<Outcome[]> {
    const { firsts, sameKey } = splitByKey(requests)
    const outcomes = await this.#acceptTogether(firsts)
    const left: AcceptRequest[] = []
    for (const { request, claim, first } of sameKey) {
      const outcome = outcomes.get(first.request) ?? missing
      // One that was refused, or failed, has left its key to the next.
      if (outcome instanceof Error) left.push(request)
      else outcomes.set(request, replay(claim, first.claim, outcome.value))
    }
    const later = left.length === 0 ? [] : await this.#acceptAll(left)
    left.forEach((request, i) => outcomes.set(request, later[i] ?? missing))
    return requests.map((request) => outcomes.get(request) ?? missing)
  }

  async #acceptTogether(requests: readonly AcceptRequest[]): Promise<Map<AcceptRequest, Outcome>> {
    try {
      const { outcomes, isNew } = await this.#options.db.transaction((tx) => this.#acceptIn(tx, requests))
      if (isNew) this.#options.onQueued()
      return outcomes
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error))
      if (requests.length === 1 || isUnavailable(error)) return new Map(requests.map((request) => [request, failure]))
      const alone = await Promise.all(requests.map((request) => this.#acceptTogether([request])))
      return new Map(alone.flatMap((outcome) => [...outcome]))
    }
  }

  async #acceptIn(
    tx: Tx,
    requests: readonly AcceptRequest[],
  ): Promise<{ outcomes: Map<AcceptRequest, Outcome>; isNew: boolean }> {
    const facts = await this.#facts(tx, requests)
    const outcomes = new Map<AcceptRequest, Outcome>()
    const accepted: OwnedEmail[] = []
    const kept: { claim: Claim; value: unknown }[] = []
    const released: Claim[] = []
    const taken: { request: AcceptRequest; emails: AcceptedEmail[] }[] = []
    for (const request of requests) {
      const { claims, batchId } = request
      const earlier = earlierOutcome(claims, facts)
      if (earlier) {
        outcomes.set(request, earlier)
        released.push(...claims.filter((claim) => facts.keyStates.get(claimKeyOf(claim))?.isFirst))
        continue
      }
      const results = settle(
        () => refusalOfAll(request.emails, facts) ?? request.emails.map((email) => decide(email, facts)),
      )
      const value = results instanceof Error ? results : settle(() => request.answer(results))
      if (value instanceof Error) {
        outcomes.set(request, value)
        released.push(...claims)
        continue
      }
      outcomes.set(request, { value, isReplay: false })
      kept.push(...claims.map((claim) => ({ claim, value })))
      const emails = Array.isArray(results) ? acceptedAmong(results) : []
      for (const one of emails) accepted.push({ ...one, batchId, contentId: newId<'em'>() })
      taken.push({ request, emails })
    }
    const attachments = (await Promise.all(accepted.map((one) => attachmentRows(tx, one)))).flat()
    // Sent one behind the other without waiting: they need nothing from each other. None of them may wait for
    // anything before it is sent, or it would come behind the rollback that another one's failure causes.
    await Promise.all([
      ...this.#insert(tx, accepted, facts),
      ...(attachments.length === 0 ? [] : [store.insertAttachments(tx, attachments)]),
      facts.quotas.write(tx),
      keepValues(tx, kept),
      releaseKeys(tx, released),
      ...taken.map(({ request, emails }) => request.alongside?.(tx, emails)),
    ])
    return { outcomes, isNew: accepted.length > 0 }
  }

  async #facts(tx: Tx, requests: readonly AcceptRequest[]): Promise<Facts> {
    const { projects, suppressions } = this.#options
    const emails = requests.flatMap((request) => preparedAmong(request.emails))
    const involved = projectsOf(emails).toSorted()
    const everybody = emails.flatMap(({ project, request }) =>
      request.recipients.map(({ key }) => ({ project: project.id, email: key })),
    )
    const [keyStates, { now }, statuses, suppressed, quotas] = await Promise.all([
      claimKeys(
        tx,
        requests.flatMap(({ claims }) => claims),
      ),
      store.now(tx),
      projects.statusesIn(tx, involved),
      suppressions.among(tx, everybody),
      projects.openQuotas(tx, involved),
    ])
    const byKey = new Map(suppressed.map((one) => [keyOf(one.projectId, one.email), one]))
    return { keyStates, now, nextId: () => this.#ids(now.getTime()) as EmailId, statuses, suppressed: byKey, quotas }
  }

  #insert(tx: Tx, accepted: readonly OwnedEmail[], { suppressed }: Facts): Promise<unknown>[] {
    if (accepted.length === 0) return []
    const { destinationOf, publish, counted } = this.#options
    const recipients = accepted.flatMap((one) =>
      recipientRows(one, {
        destinationOf,
        suppressionOf: (recipient) => suppressed.get(keyOf(one.email.project.id, recipient)),
      }),
    )
    const unwanted = recipients.filter(({ suppression }) => suppression !== undefined)
    const wanted = recipients.filter(({ suppression }) => suppression === undefined)
    return [
      store.insertContents(tx, accepted.map(contentRow)),
      store.insertEmails(tx, accepted.map(emailRow)),
      ...insertTags(tx, accepted),
      store.insertDeliveries(tx, wanted),
      counted(tx, accepted.flatMap(countedRows)),
      ...(unwanted.length === 0
        ? []
        : [store.insertSuppressed(tx, unwanted), publish(tx, unwanted.map(suppressedEvent))]),
    ]
  }
}

/** Most emails have no tags, and need no statement. */
function insertTags(tx: Tx, accepted: readonly OwnedEmail[]): Promise<unknown>[] {
  const rows = accepted.flatMap(tagRows)
  return rows.length === 0 ? [] : [store.insertTags(tx, rows)]
}

type Outcome = Replayable<unknown> | Error

const missing = new Error('a request was lost among others')

interface Facts {
  keyStates: Map<string, KeyState>
  now: Date
  nextId(): EmailId
  statuses: Awaited<ReturnType<Projects['statusesIn']>>
  suppressed: Map<string, Suppression>
  quotas: Awaited<ReturnType<Projects['openQuotas']>>
}

const keyOf = (project: ProjectId, recipient: string): string => `${project} ${recipient}`

export const preparedAmong = (emails: readonly (PreparedEmail | DomainError)[]): PreparedEmail[] =>
  emails.filter((email): email is PreparedEmail => !(email instanceof DomainError))

const acceptedAmong = (results: readonly ItemResult[]): AcceptedEmail[] =>
  results.filter((result): result is AcceptedEmail => !(result instanceof DomainError))

export const projectsOf = (emails: readonly PreparedEmail[]): ProjectId[] => [
  ...new Set(emails.map(({ project }) => project.id)),
]

interface Keyed {
  request: AcceptRequest
  claim: Claim
}

/** Two requests with one key cannot claim it in one statement. */
function splitByKey(requests: readonly AcceptRequest[]): {
  firsts: AcceptRequest[]
  sameKey: (Keyed & { first: Keyed })[]
} {
  const byKey = new Map<string, Keyed>()
  const firsts: AcceptRequest[] = []
  const sameKey: (Keyed & { first: Keyed })[] = []
  for (const request of requests) {
    const claim = request.claims.find((one) => byKey.has(claimKeyOf(one)))
    const first = claim && byKey.get(claimKeyOf(claim))
    if (claim && first) sameKey.push({ request, claim, first })
    else firsts.push(request)
    if (!first) for (const one of request.claims) byKey.set(claimKeyOf(one), { request, claim: one })
  }
  return { firsts, sameKey }
}

/**
 * What a request gets that was made before. Its projects may be others by now, as domains come and go, so it is enough
 * that one of them knows the key; and of several the one that knows the request itself.
 */
function earlierOutcome(claims: readonly Claim[], { keyStates }: Facts): Replayable<unknown> | DomainError | undefined {
  const found = claims.flatMap((claim) => {
    const state = keyStates.get(claimKeyOf(claim))
    return state === undefined || state.isFirst ? [] : [state.earlier]
  })
  return found.find((outcome) => !(outcome instanceof DomainError)) ?? found[0]
}

/** A project that does not send refuses the whole request, unless that has emails of others too. */
function refusalOfAll(emails: readonly (PreparedEmail | DomainError)[], facts: Facts): DomainError | undefined {
  const [first, ...more] = projectsOf(preparedAmong(emails))
  return first === undefined || more.length > 0 ? undefined : refusalOf(first, facts)
}

function refusalOf(id: ProjectId, { statuses }: Facts): DomainError | undefined {
  const status = statuses.get(id)
  if (status === 'paused')
    return new DomainError('project_paused', 'The project is paused and sends nothing. Set its status to active first.')
  if (status === 'archived') return new DomainError('project_archived', 'The project is archived and sends nothing.')
  return undefined
}

function decide(email: PreparedEmail | DomainError, facts: Facts): ItemResult {
  if (email instanceof DomainError) return email
  const { now, nextId, suppressed, quotas } = facts
  const { project } = email
  const refused = refusalOf(project.id, facts) ?? email.refusal
  if (refused) return refused
  const { recipients, sendAt } = email.request
  const found = recipients.flatMap(({ key }) => suppressed.get(keyOf(project.id, key)) ?? [])
  if (found.length === recipients.length) return everybodySuppressed(found)
  const refusal = quotas.take(project.id, recipients.length - found.length)
  return refusal ?? { id: nextId(), email, createdAt: now, isScheduled: sendAt !== undefined && sendAt > now }
}

const everybodySuppressed = (found: readonly Suppression[]): DomainError =>
  new DomainError('recipient_suppressed', 'Every recipient is on the suppression list, so there is nobody to mail.', {
    recipients: found.map(({ email, reason, createdAt }) => ({ email, reason, since: createdAt.toISOString() })),
  })
