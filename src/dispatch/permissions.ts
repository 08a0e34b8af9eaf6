import type { Log } from '../core/log.ts'
import { whenAvailable } from '../storage/when-available.ts'
import { isUnavailable } from '../storage/outage.ts'
import type { Database } from '../storage/postgres.ts'
import type { Worker } from './workers.ts'
import { Batch } from './batch.ts'
import { beginLeased, keyOf, type LeaseKey } from './leases.ts'
import type { Lease, Queue } from './queue.ts'

export interface PermissionRequest {
  key: LeaseKey
  worker: Worker
}

type Permission = Awaited<ReturnType<Lease['confirm']>>

interface PermissionsOptions {
  db: Database
  queue: Pick<Queue<never>, 'table' | 'mayBegin' | 'beginsAtClaim'>
  log: Log
  random: () => number
}

/** Many handlers reach the point of no return within the same few milliseconds; one statement answers all of them. */
export class Permissions {
  readonly #options: PermissionsOptions
  readonly #batch = new Batch<PermissionRequest, Permission>((asked) => this.#ask(asked), { most: 500, gatherMs: 2 })

  constructor(options: PermissionsOptions) {
    this.#options = options
  }

  async confirm(request: PermissionRequest): Promise<Permission> {
    if (!request.worker.holds()) return 'lost'
    const permission = await this.#batch.add(request)
    // The answer may have lain in a buffer while this process was frozen.
    return permission === 'allowed' && !request.worker.holds() ? 'lost' : permission
  }

  async #ask(asked: readonly PermissionRequest[]): Promise<Permission[]> {
    const { db, queue, log, random } = this.#options
    const keys = asked.map(({ key }) => key)
    try {
      const rows = await whenAvailable(() => beginLeased(db, queue, keys), {
        random,
        // Once no lease is certain any more the handlers must be told, or they keep connections open.
        mayRetry: () => asked.some(({ worker }) => worker.holds()),
      })
      const allowed = new Map(rows.map((row) => [keyOf(row), row.allowed]))
      return keys.map((key) => permissionOf(allowed.get(keyOf(key))))
    } catch (error) {
      if (!isUnavailable(error)) log.error({ err: error, queue: queue.table }, 'permission query failed')
      return keys.map(() => 'lost')
    }
  }
}

function permissionOf(allowed: boolean | undefined): Permission {
  if (allowed === undefined) return 'lost'
  return allowed ? 'allowed' : 'refused'
}
