import type { Log } from '../core/log.ts'
import { whenAvailable } from '../storage/patience.ts'
import { isUnavailable } from '../storage/outage.ts'
import type { Database } from '../storage/postgres.ts'
import type { Worker } from '../storage/workers.ts'
import { Batch } from './batch.ts'
import { beginLeased, nameOf, type LeaseKey } from './leases.ts'
import type { Lease, Queue } from './queue.ts'

export interface Beginning {
  key: LeaseKey
  worker: Worker
}

type Permission = Awaited<ReturnType<Lease['begin']>>

interface BeginningsOptions {
  db: Database
  queue: Pick<Queue<never>, 'table' | 'mayBegin' | 'beginsAtClaim'>
  log: Log
  random: () => number
}

/** Many handlers reach the point of no return within the same few milliseconds; one statement answers all of them. */
export class Permissions {
  readonly #options: BeginningsOptions
  readonly #batch = new Batch<Beginning, Permission>((asked) => this.#ask(asked), { most: 500, gatherMs: 2 })

  constructor(options: BeginningsOptions) {
    this.#options = options
  }

  async begin(beginning: Beginning): Promise<Permission> {
    if (!beginning.worker.holds()) return 'lost'
    const permission = await this.#batch.add(beginning)
    // The answer may have lain in a buffer while this process was frozen.
    return permission === 'begun' && !beginning.worker.holds() ? 'lost' : permission
  }

  async #ask(asked: readonly Beginning[]): Promise<Permission[]> {
    const { db, queue, log, random } = this.#options
    const keys = asked.map(({ key }) => key)
    try {
      const rows = await whenAvailable(() => beginLeased(db, queue, keys), {
        random,
        // Once no lease is certain any more the handlers must be told, or they sit on open connections.
        goOn: () => asked.some(({ worker }) => worker.holds()),
      })
      const allowed = new Map(rows.map((row) => [nameOf(row), row.allowed]))
      return keys.map((key) => verdict(allowed.get(nameOf(key))))
    } catch (error) {
      if (!isUnavailable(error)) log.error({ err: error, queue: queue.table }, 'permission query failed')
      return keys.map(() => 'lost')
    }
  }
}

function verdict(allowed: boolean | undefined): Permission {
  if (allowed === undefined) return 'lost'
  return allowed ? 'begun' : 'refused'
}
