import type { WebhookId } from '../../core/ids.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { OpenedSecrets } from './opened-secrets.ts'
import type { Attempt } from './schema.ts'
import type { SigningSecret } from './secrets.ts'
import * as store from './store/deliveries.ts'
import { disable, disableHopeless, recordHealth } from './store/endpoints.ts'

/** A delivery as it is to be sent. */
export interface DueDelivery extends Omit<store.DueRow, 'secretIds' | 'earlier'> {
  /** The newest first. */
  secretIds: readonly string[]
  /** Those of the same message that are to be told first and have not been tried yet. */
  earlier: readonly string[]
}

/** What became of one delivery for now. */
export type WebhookOutcome =
  | { kind: 'delivered'; endpointId: WebhookId; attempt: Attempt }
  | { kind: 'again'; endpointId: WebhookId; attempt: Attempt; afterMs: number }
  /** It was tried as often as anything is tried. */
  | { kind: 'failed'; endpointId: WebhookId; attempt: Attempt }
  /** The endpoint says that it is gone for good. */
  | { kind: 'gone'; endpointId: WebhookId; attempt: Attempt }
  /** Not tried. */
  | { kind: 'returned'; afterMs: number }
  /** Not to be tried: the endpoint is disabled, or gone. */
  | { kind: 'dropped' }

/** One attempt at a delivery, and whether that is over with it. */
export interface TriedDelivery {
  endpointId: WebhookId
  at: Date
  durationMs: number
  ended: 'delivered' | 'failed' | undefined
}

export type CountTried = (tx: Tx, tried: readonly TriedDelivery[]) => Promise<void>

/** For so many days of nothing but failures an endpoint is asked again and again. */
const HOPELESS_DAYS = 5

const GONE = 'The endpoint answered 410 Gone, which says that it will never take events again.'
const HOPELESS = `Nothing but failures for ${HOPELESS_DAYS} days; the last ones are in the delivery log.`

/** What the dispatch of webhooks needs to know of them, and what it tells them. */
export class WebhookDeliveries {
  readonly table = 'webhook_deliveries'
  readonly #db: Database
  readonly #secrets: OpenedSecrets
  readonly #counted: CountTried

  constructor(db: Database, secrets: () => Secrets, counted: CountTried) {
    this.#db = db
    this.#counted = counted
    this.#secrets = new OpenedSecrets(db, secrets)
  }

  /** The secrets that an attempt is signed with, in the order of the ids. */
  signingSecrets(ids: readonly string[]): Promise<SigningSecret[]> {
    return this.#secrets.all(ids)
  }

  /** In the order of the ids; undefined for one that is not there any more. */
  async load(ids: readonly string[]): Promise<(DueDelivery | undefined)[]> {
    const rows = new Map((await store.load(this.#db, ids)).map((row) => [row.id as string, row]))
    return ids.map((id) => {
      const row = rows.get(id)
      return row && { ...row, secretIds: listed(row.secretIds), earlier: listed(row.earlier) }
    })
  }

  /** Log, next attempt and the health of the endpoints in one transaction; which one is the caller's. */
  async record(tx: Tx, settled: readonly { id: string; outcome: WebhookOutcome }[]): Promise<void> {
    const endings = settled.flatMap(({ id, outcome }) => endingOf(id, outcome))
    const postponements = settled.flatMap(({ id, outcome }) => postponementOf(id, outcome))
    const tried = settled.flatMap(({ outcome }) => triedIn(outcome))
    const healths = healthsIn(settled.map(({ outcome }) => outcome))
    // One behind the other on the same connection, without waiting in between.
    await Promise.all([
      ...(endings.length === 0 ? [] : [store.end(tx, endings)]),
      ...(postponements.length === 0 ? [] : [store.postpone(tx, postponements)]),
      ...(healths.length === 0 ? [] : [recordHealth(tx, healths)]),
      ...(tried.length === 0 ? [] : [this.#counted(tx, tried)]),
    ])
    await this.#disable(
      tx,
      settled.map(({ outcome }) => outcome),
    )
  }

  async #disable(tx: Tx, outcomes: readonly WebhookOutcome[]): Promise<void> {
    const those = (...kinds: WebhookOutcome['kind'][]): WebhookId[] =>
      outcomes.flatMap((outcome) =>
        'endpointId' in outcome && kinds.includes(outcome.kind) ? [outcome.endpointId] : [],
      )
    const gone = those('gone')
    const failing = those('again', 'failed')
    if (gone.length + failing.length === 0) return
    if (gone.length > 0) await disable(tx, gone, GONE)
    if (failing.length > 0) await disableHopeless(tx, failing, HOPELESS_DAYS, HOPELESS)
    // Also what comes back only now: somebody may have disabled its endpoint meanwhile.
    await store.drop(tx, [...gone, ...failing])
  }
}

const listed = (ids: string): string[] => (ids === '' ? [] : ids.split(' '))

function endingOf(id: string, outcome: WebhookOutcome): store.Ending[] {
  switch (outcome.kind) {
    case 'delivered':
    case 'failed':
      return [{ id, state: outcome.kind, attempt: outcome.attempt }]
    case 'gone':
      return [{ id, state: 'failed', attempt: outcome.attempt }]
    case 'dropped':
      return [{ id, state: 'dropped', attempt: undefined }]
    default:
      return []
  }
}

function postponementOf(id: string, outcome: WebhookOutcome): store.Postponement[] {
  if (outcome.kind !== 'again' && outcome.kind !== 'returned') return []
  return [{ id, afterMs: outcome.afterMs, attempt: outcome.kind === 'again' ? outcome.attempt : undefined }]
}

function triedIn(outcome: WebhookOutcome): TriedDelivery[] {
  if (!('attempt' in outcome)) return []
  const { kind, endpointId, attempt } = outcome
  const ended = kind === 'again' ? undefined : kind === 'delivered' ? 'delivered' : 'failed'
  return [{ endpointId, at: new Date(attempt.at), durationMs: attempt.durationMs, ended }]
}

/** One success among failures is enough. */
function healthsIn(outcomes: readonly WebhookOutcome[]): { endpointId: string; isWell: boolean }[] {
  const wells = new Map<string, boolean>()
  for (const outcome of outcomes) {
    if ('endpointId' in outcome) {
      wells.set(outcome.endpointId, outcome.kind === 'delivered' || wells.get(outcome.endpointId) === true)
    }
  }
  return [...wells].map(([endpointId, isWell]) => ({ endpointId, isWell }))
}
