import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import { Wakeup } from '../../dispatch/wakeup.ts'
import type { Database } from '../../storage/postgres.ts'
import type { NodeRole } from './schema.ts'
import * as store from './store/looks.ts'

/** How a process of this node is at this moment. */
export interface RoleNow {
  role: string
  up: boolean
  restarts: number
}

export interface NodeReportOptions {
  db: Database
  node: { id: string; name: string; version: string }
  roles: () => readonly RoleNow[]
  /** Undefined where it cannot be read. */
  disk: () => Promise<{ freeBytes: number; totalBytes: number } | undefined>
  certificateEndsAt: () => Promise<Date | undefined>
  clock: Clock
  log: Log
  everyMs?: number
}

const EVERY_MS = 4 * 60_000
/** What comes and goes within a moment is one change. */
const SETTLED_AFTER_MS = 1_000
/** So many of the last restarts are remembered: more than anybody has to count. */
const MAX_RESTARTS_KEPT = 10
/** A process that wants to end must not wait for a database that does not answer. */
const SIGN_OFF_MS = 2_000

/** Tells the database that this node is there, and how its processes are: when one comes or goes, and every few minutes. */
export class NodeReports {
  readonly #options: NodeReportOptions
  readonly #startedAt: Date
  readonly #wakeup = new Wakeup()
  readonly #stopping = new AbortController()
  #roles: readonly NodeRole[] = []
  #loop: Promise<void> = Promise.resolve()

  constructor(options: NodeReportOptions) {
    this.#options = options
    this.#startedAt = new Date(options.clock.now())
  }

  start(): void {
    this.#loop = this.#reportUntilStopped()
  }

  /** A process has come or gone. */
  changed(): void {
    this.#wakeup.ring()
  }

  /** A node that stops in order is not one that is down. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wakeup.ring()
    const { db, node, log } = this.#options
    const signedOff = this.#loop
      .then(() => store.forgetNode(db, node.id))
      .catch((error: unknown) => log.debug({ err: error }, 'node not unregistered'))
    await Promise.race([signedOff, sleep(SIGN_OFF_MS, undefined, { ref: false })])
  }

  async runOnce(): Promise<void> {
    const { db, node, roles, disk, certificateEndsAt, clock } = this.#options
    this.#roles = roles().map((now) => roleSince(now, this.#roles, clock.now()))
    const [room, endsAt] = await Promise.all([
      disk().catch(() => undefined),
      certificateEndsAt().catch(() => undefined),
    ])
    await store.storeNode(db, {
      ...node,
      startedAt: this.#startedAt,
      roles: this.#roles,
      diskFreeBytes: room?.freeBytes ?? null,
      diskTotalBytes: room?.totalBytes ?? null,
      certificateEndsAt: endsAt ?? null,
    })
  }

  async #reportUntilStopped(): Promise<void> {
    const { log, everyMs = EVERY_MS } = this.#options
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await this.runOnce().catch((error: unknown) => log.debug({ err: error }, 'node not reported'))
      if (signal.aborted) return
      await this.#wakeup.wait(everyMs)
      await sleep(SETTLED_AFTER_MS, undefined, { signal }).catch(() => {})
    }
  }
}

/** Since when it is as it is, and when it was last started again. */
function roleSince(now: RoleNow, before: readonly NodeRole[], ms: number): NodeRole {
  const at = new Date(ms).toISOString()
  const known = before.find(({ role }) => role === now.role)
  const more = Math.max(0, now.restarts - (known?.restarts ?? 0))
  const restartedAt = [...(known?.restartedAt ?? []), ...Array<string>(Math.min(more, MAX_RESTARTS_KEPT)).fill(at)]
  return {
    ...now,
    since: known?.up === now.up ? known.since : at,
    restartedAt: restartedAt.slice(-MAX_RESTARTS_KEPT),
  }
}

/** The same after a restart, and another for each node on a machine. */
export const nodeIdOf = (...marks: readonly string[]): string =>
  createHash('sha256').update(marks.join('\n')).digest('base64url').slice(0, 22)
