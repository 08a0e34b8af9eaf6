/**
 * What a resource says about its queue, and what its handler gets to work with.
 *
 * A queue is a table that `make_dispatch_queue()` (migrations 0002 and 0050) made one. The owner inserts its rows, `ready` or
 * `waiting` until `due_at`, and rings the doorbell after the commit. From then on a row takes this way:
 *
 *   waiting → ready        it is due; or a state of the owner's own, see `whenDue`
 *   ready → claimed        leased to a worker: `lease_worker` and the next `lease_no`
 *   claimed → in_flight    `lease.confirm()`, for handlers with a point of no return; or at once, see `beginsAtClaim`
 *   claimed | in_flight → whatever the owner's `record` makes of the outcome: the row is deleted, is `waiting` for a
 *                          retry, or gets a state of the owner's own; `lease_worker` is null again
 *
 * When the worker dies instead:
 *
 *   claimed → ready        nothing had left us; one more crash
 *   in_flight → waiting    the worker cannot say whether it left us: `unknown_lease` is its `lease_no`; due again after a minute, one
 *                          more crash
 *
 * When it lives, but never heard that its claim was committed:
 *
 *   claimed | in_flight → ready   it looks for such rows every few seconds; nobody had begun with them
 *
 * Every move out of a lease is made only while the row still carries the worker and the number of that lease, so a
 * worker that was declared dead and wakes up later can neither begin nor record anything.
 */
import type { Tx } from '../storage/postgres.ts'
import type { Query } from '../storage/sql.ts'

export interface Queue<Outcome> {
  /** The table; it also names the doorbell and the role of the workers. */
  table: string
  /** In order of precedence. Rows in a lane that is not listed are never claimed. */
  lanes: readonly Lane[]
  /** What a destination may be given by this process; `peers` processes share it. Asked often, so it must be quick. */
  limits(destination: string, peers: number): Limits
  /** Takes one row to an outcome. It must end by itself at some time: dispatch sets no time limit. */
  handle(item: Item, lease: Lease): Promise<Outcome>
  /** The outcome of a row whose handler threw. */
  failed(item: Item, error: unknown): Outcome
  /**
   * Writes outcomes, all in one transaction, and moves each row out of its lease. The rows are locked and their leases
   * are good: the statements need no condition of their own. What throws here is tried again row by row.
   */
  record(tx: Tx, settled: readonly Settled<Outcome>[]): Promise<void>
  /** Whether the handler has moved the row out of its lease by itself, under `lease.lock()`: nothing is recorded then. */
  isSettled?(outcome: Outcome): boolean
  /** Nothing of it leaves the installation, so that it goes on while sending is held. */
  runsWhileHeld?: true
  /**
   * The point of no return comes soon after the claim: rows are `in_flight` from the claim on, the claim asks for
   * `mayBegin` at once, and `confirm()` asks again without writing. That saves a write per row; in return all rows of a
   * worker that dies are of unknown outcome, as far as its journal does not know better.
   */
  beginsAtClaim?: true
  /**
   * A condition on the row (its alias is `q`) that must hold at `lease.confirm()`, e.g. that the email was not cancelled.
   */
  mayBegin?: Query<never>
  /** The state of a row (its alias is `q`) whose time has come: `ready` unless given, or one of the owner's own. */
  whenDue?: Query<never>
}

export interface Lane {
  lane: number
  /** The part of all slots that the lane is sure of when it needs them; the shares of all lanes add up to at most 1. */
  share: number
  /** The part of all slots that is kept free for the lane even while it has nothing to do. At most its share. */
  kept: number
}

export interface Limits {
  /** How many rows may be in hand at a time: from their claim until their outcome is committed. */
  concurrency: number
  /**
   * A destination that takes rows quickly delays no other, and work that is shared by many rows is cheaper: as many
   * more may be in hand as it took within the last moment, up to this. `concurrency` unless given.
   */
  maxConcurrency?: number
  /** How many of those in hand may be on their way at a time, where handlers wait for that: see `inTurn`. */
  atOnce?: number
  /** How many may start per second; without it, as many as may be in hand. */
  perSecond?: number
  /** How many of them may start at once after a pause; 1 unless given. */
  burst?: number
}

/** A claimed row. */
export interface Item {
  readonly id: string
  readonly destination: string
  readonly lane: number
  /**
   * How often a worker died with this row in its hands. From 2 on the row is suspect: only one such row is under way
   * at a time, and the owner should run it where it can do no harm, or set it aside.
   */
  readonly crashes: number
}

export interface Lease {
  /**
   * Whether the row is certainly ours, and may leave at all. A handler asks for it right before every step that cannot
   * be taken back, without an `await` in between.
   */
  holds(): boolean
  /**
   * Passes the point of no return. Only `allowed` allows to go on: `refused` means that `mayBegin` does not hold any
   * more or sending is held, `lost` that the row is not, or not certainly, ours. In both cases the handler ends with an
   * outcome. A handler that may use an answer which is a little old, e.g. that of the claim, spares the query.
   */
  confirm(goodForMs?: number): Promise<'allowed' | 'refused' | 'lost'>
  /**
   * Writes to the journal, which survives this process, that the row may leave us. The very last check comes after it.
   */
  recordMayLeave(): Promise<void>
  /** Locks the row until the transaction ends, so that no other worker can be given it. False when it is not ours any more. */
  lock(tx: Tx): Promise<boolean>
  readonly destination: Destination
  /** Another destination, for a row that turned out to belong there. */
  destinationNamed(name: string): Destination
  /** Aborts when the lease is lost, or when a stop has no more patience. */
  readonly signal: AbortSignal
}

/** What handlers do to a destination by what they learn about it. It counts for this process only. */
export interface Destination {
  /**
   * It gets nothing for a while. Then one row goes ahead alone; the others follow if it ends without a new suspension.
   */
  suspend(ms: number): void
  /** It has lower limits for a while. */
  restrict(limits: Partial<Limits>, ms: number): void
  /** It gets half its rate from now on, and the rest back little by little. */
  slowDown(): void
  /** It took a row. */
  succeeded(): void
  /**
   * It failed to take a row. After several failures in a row it is suspended, each time twice as long, up to a minute;
   * in any case for as long as it asked for itself.
   */
  failed(askedMs?: number): void
  /** A row counts as so many more, against the rate. */
  charge(rows: number): void
  /** What it answered when it was last suspended or got lower limits, for people who look. */
  note(answer: Readonly<Record<string, unknown>>): void
  /**
   * Does the work when fewer than `atOnce` rows of the destination are at theirs, in the order in which they came.
   * Undefined, and nothing is done, when the destination is suspended by then.
   */
  inTurn<T>(work: () => Promise<T>): Promise<T | undefined>
}

/** What a process knows of a destination for which it has something to do. All times are from now on, or before now. */
export interface DestinationReport {
  destination: string
  /** Zero unless it is suspended. */
  suspendedForMs: number
  /** The suspension is over, and one row goes ahead. */
  onTrial: boolean
  /** What it gets at most where that is less than usual. */
  concurrency: number | undefined
  perSecond: number | undefined
  /** For how long it has been getting less than usual; undefined when it gets as much as ever. */
  troubledForMs: number | undefined
  note: Readonly<Record<string, unknown>> | undefined
}

export interface Settled<Outcome> {
  item: Item
  outcome: Outcome
}

/** What there is to count, for statistics. */
export type DispatchEvent =
  | { kind: 'claimed'; rows: number; ms: number }
  | { kind: 'recorded'; rows: number; ms: number }
  | { kind: 'lost'; rows: number; ids: readonly string[] }
  | { kind: 'unrecordable'; rows: number }
