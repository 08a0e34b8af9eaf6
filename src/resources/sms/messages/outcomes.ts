/** What the dispatch of parts needs to know of them, and what it tells. */
import { newId, type ProjectId, type SmsId } from '../../../core/ids.ts'
import type { SmsErrorCode, SubmitOutcome } from '../../../sms/carrier.ts'
import type { SimulatedEvent } from '../../../sms/simulator.ts'
import type { Database, Tx } from '../../../storage/postgres.ts'
import type { Query } from '../../../storage/sql.ts'
import type { Connections } from './connections.ts'
import type { SmsReports } from './reports.ts'
import type { Decide, Decision, PartChange, Settler } from './settle.ts'
import * as store from './store/parts.ts'
import type { OptOuts } from './opt-outs.ts'

/** What became of one part for now. It is also written into the journal: no numbers and no texts. */
export type Submitted =
  | {
      kind: 'accepted'
      providerIds: string[]
      /** All of the message went with it. */
      isWhole: boolean
      /** What the simulator is going to do. */
      later: readonly (SimulatedEvent & { afterMs: number })[]
    }
  | { kind: 'again'; afterMs: number; isAttempt: boolean }
  | { kind: 'refused'; errorCode: SmsErrorCode; providerCode?: string | undefined; optedOut: boolean }
  /** It may have been accepted. */
  | { kind: 'unknown' }
  /** Not begun: something stands in the way, or the lease is lost. */
  | { kind: 'withheld' }
  | { kind: 'deferred'; afterMs: number; reason: string }

interface Settled {
  id: string
  connection: string
  outcome: Submitted
}

export interface OutcomesOptions {
  db: Database
  connections: Connections
  settler: Settler
  reports: SmsReports
  optOuts: OptOuts
  /** Whether this installation hands anything to carriers. */
  liveEnabled: boolean
}

/** Until it is asked again whether what stands in the way is gone. */
const HELD_MS = 60_000

export class SmsOutcomes {
  readonly table = 'sms_parts'
  readonly mayBegin: Query<never>
  readonly #options: OutcomesOptions

  constructor(options: OutcomesOptions) {
    this.#options = options
    this.mayBegin = store.mayBegin(options.liveEnabled)
  }

  /** In the order of the ids; undefined for one that is not there any more. */
  async load(ids: readonly string[]): Promise<(store.DuePart | undefined)[]> {
    const rows = new Map((await store.load(this.#options.db, ids)).map((row) => [row.id, row]))
    return ids.map((id) => rows.get(id))
  }

  /** States, money, events and what follows, in one transaction; which one is the caller's. */
  async record(tx: Tx, settled: readonly Settled[]): Promise<void> {
    const { settler, reports, connections } = this.#options
    const parts = await store.messagesOf(
      tx,
      settled.map(({ id }) => id),
    )
    const messageOf = new Map(parts.map(({ id, messageId }) => [id, messageId]))
    const accepted = settled.flatMap(({ connection, outcome }) =>
      outcome.kind === 'accepted' ? outcome.providerIds.map((providerId) => ({ connection, providerId })) : [],
    )
    const byConnection = Map.groupBy(accepted, ({ connection }) => connection)
    for (const connection of [...byConnection.keys()].toSorted()) {
      await store.lockProviderIds(tx, connection, idsIn(byConnection.get(connection)))
    }
    const obstacles = await this.#obstacles(tx, settled)
    const outcomes = Map.groupBy(settled, ({ id }) => messageOf.get(id))
    const ids = [...new Set(parts.map(({ messageId }) => messageId))]
    const owners = new Map<SmsId, ProjectId>()
    await settler.settle(tx, ids, (message, all) => {
      owners.set(message.id, message.projectId)
      return combined(
        (outcomes.get(message.id) ?? []).map((one) => {
          const { splitsItself } = connections.traits(one.connection)
          const isWhole = one.outcome.kind === 'accepted' ? one.outcome.isWhole : splitsItself
          return decisionOn(one, isWhole ? all : all.filter(({ id }) => id === one.id), obstacles.get(one.id))
        }),
      )
    })
    for (const [connection, ofIt] of byConnection) await reports.applyOrphans(tx, connection, idsIn(ofIt))
    await this.#afterwards(tx, settled, messageOf, owners)
  }

  /** The answer to what was given up as unknown. One that is not recorded as such yet, or is settled, stays as it is. */
  async answeredLate(connection: string, id: string, outcome: SubmitOutcome): Promise<void> {
    const { db, settler, reports, connections } = this.#options
    const { splitsItself } = connections.traits(connection)
    if (!outcome.ok && outcome.kind === 'ambiguous') return
    await db.transaction(async (tx) => {
      const [part] = await store.messagesOf(tx, [id])
      if (part === undefined) return
      const providerIds = outcome.ok ? [...outcome.providerIds] : []
      await store.lockProviderIds(tx, connection, providerIds)
      await settler.settle(tx, [part.messageId], (_message, parts) => ({
        changes: parts
          .filter(({ id: of, state }) => (splitsItself || of === id) && state === 'unknown')
          .map(({ id: of }): PartChange => (outcome.ok ? taken(of, providerIds[0]) : refusedLate(of, outcome))),
      }))
      await reports.applyOrphans(tx, connection, providerIds)
    })
  }

  async #obstacles(tx: Tx, settled: readonly Settled[]): Promise<Map<string, store.Obstacles>> {
    const withheld = settled.filter(({ outcome }) => outcome.kind === 'withheld').map(({ id }) => id)
    if (withheld.length === 0) return new Map()
    const found = await store.obstacles(tx, withheld, this.#options.liveEnabled)
    return new Map(found.map((obstacle) => [obstacle.id, obstacle]))
  }

  async #afterwards(
    tx: Tx,
    settled: readonly Settled[],
    messageOf: ReadonlyMap<string, SmsId>,
    owners: ReadonlyMap<SmsId, ProjectId>,
  ): Promise<void> {
    const simulations = settled.flatMap(({ id, outcome }) => {
      const messageId = messageOf.get(id)
      const projectId = messageId && owners.get(messageId)
      if (outcome.kind !== 'accepted' || messageId === undefined || projectId === undefined) return []
      return outcome.later.map(({ afterMs, ...happening }) => ({
        id: newId<'evt'>(),
        projectId,
        messageId,
        happening,
        afterMs,
      }))
    })
    if (simulations.length > 0) await store.addSimulations(tx, simulations)
    for (const { id, outcome } of settled) {
      const messageId = messageOf.get(id)
      if (outcome.kind === 'refused' && outcome.optedOut && messageId !== undefined) {
        await this.#options.optOuts.byCarrier(tx, messageId)
      }
    }
  }
}

const taken = (id: string, providerId: string | undefined): PartChange => ({
  id,
  state: 'sent',
  accepted: true,
  providerId,
})

const refusedLate = (id: string, outcome: SubmitOutcome & { ok: false }): PartChange => ({
  id,
  state: 'refused',
  errorCode: 'errorCode' in outcome ? outcome.errorCode : 'throttled',
  providerCode: 'errorCode' in outcome ? outcome.providerCode : undefined,
})

const idsIn = (all: readonly { providerId: string }[] = []): string[] => all.map(({ providerId }) => providerId)

const combined = (decisions: readonly Decision[]): Decision => ({
  changes: decisions.flatMap(({ changes }) => changes),
  happenings: decisions.flatMap(({ happenings = [] }) => happenings),
  ...Object.assign({}, ...decisions.map(({ deferral }) => (deferral ? { deferral } : {}))),
})

/** `together` are the parts that leave in one submit: this one, or all where the carrier splits by itself. */
function decisionOn(
  { id, outcome }: Settled,
  together: Parameters<Decide>[1],
  obstacle: store.Obstacles | undefined,
): Decision {
  switch (outcome.kind) {
    case 'accepted': {
      const changes = together.map((part, i): PartChange => {
        const providerId = outcome.providerIds[i] ?? outcome.providerIds[0]
        return { id: part.id, state: 'sent', accepted: true, isAttempt: part.id === id, providerId }
      })
      return { changes, happenings: [{ type: 'submitted', detail: 'the carrier took a part' }] }
    }
    case 'again':
      return { changes: [{ id, state: 'waiting', afterMs: outcome.afterMs, isAttempt: outcome.isAttempt }] }
    case 'refused': {
      const { errorCode, providerCode } = outcome
      return {
        changes: [{ id, state: 'refused', isAttempt: true, errorCode, providerCode }],
        happenings: [{ type: 'refused', errorCode, detail: 'the carrier refused a part' }],
      }
    }
    case 'unknown':
      return inDoubt(id, together)
    case 'deferred':
      return {
        changes: [{ id, state: 'waiting', afterMs: outcome.afterMs }],
        deferral: { afterMs: outcome.afterMs, reason: outcome.reason },
      }
    case 'withheld':
      return afterObstacle(id, together, obstacle)
  }
}

/** None of them is submitted again, nor what it would have left with. */
const inDoubt = (id: string, together: Parameters<Decide>[1]): Decision => ({
  changes: together
    .filter((part) => part.id === id || part.state === 'held')
    .map((part) => ({ id: part.id, state: 'unknown', isAttempt: part.id === id })),
  happenings: [{ type: 'unknown', detail: 'a part was handed over without an answer' }],
})

/** Nothing has left in any of these cases, but for the first: there something may have, under an earlier lease. */
function afterObstacle(id: string, together: Parameters<Decide>[1], obstacle: store.Obstacles | undefined): Decision {
  const stopped = (errorCode: SmsErrorCode): Decision => ({ changes: [{ id, state: 'stopped', errorCode }] })
  if (obstacle?.isInDoubt) return inDoubt(id, together)
  if (obstacle?.isExpired) return stopped('expired')
  if (obstacle?.isOver) return stopped('internal')
  if (obstacle?.isSuppressed) return stopped('recipient_suppressed')
  if (obstacle?.lacksConsent) return stopped('consent_missing')
  const reason = obstacle?.heldBy ?? null
  if (reason !== null) {
    return { changes: [{ id, state: 'waiting', afterMs: HELD_MS }], deferral: { afterMs: HELD_MS, reason } }
  }
  // Whatever it was is over.
  return { changes: [{ id, state: 'waiting', afterMs: 0 }] }
}
