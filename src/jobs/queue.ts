/** Jobs as a queue of dispatch: what runs one, and what its end means for it. */
import { DomainError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Item, Lease, Queue } from '../dispatch/queue.ts'
import { whenAvailable } from '../storage/when-available.ts'
import type { Database, Tx } from '../storage/postgres.ts'
import type { JobDefinition, RunningJob } from './define.ts'
import * as store from './store.ts'
import { LANE, partsOf, TABLE } from './table.ts'

export type JobOutcome =
  | { kind: 'done' }
  /** Its handler has deleted it, in a transaction of its own. */
  | { kind: 'finished' }
  /** It counts as not tried. */
  | { kind: 'returned' }
  | { kind: 'failed'; reason: string; isFinal: boolean }

export interface JobQueueOptions {
  db: Database
  jobs: ReadonlyMap<string, JobDefinition>
  /** How many run at a time. */
  concurrency: number
  log: Log
  random: () => number
  /** Aborts when the runner wants to stop. */
  stopping: AbortSignal
}

class LostJobError extends Error {
  constructor(id: string) {
    super(`job ${id} has been given to somebody else`)
    this.name = 'LostJobError'
  }
}

export const jobQueue = (options: JobQueueOptions): Queue<JobOutcome> => ({
  table: TABLE,
  lanes: [{ lane: LANE, share: 1, kept: 0 }],
  runsWhileHeld: true,
  limits: (destination) => {
    const { kind, queue } = partsOf(destination)
    // Another version may know the kinds that this one does not.
    if (!options.jobs.has(kind)) return { concurrency: 0 }
    return { concurrency: queue === undefined ? options.concurrency : 1 }
  },
  handle: (item, lease) => run(item, lease, options),
  failed: (_, error) => ({ kind: 'failed', reason: storable(error), isFinal: false }),
  isSettled: ({ kind }) => kind === 'finished',
  record: async (tx, settled) => {
    const of = (wanted: JobOutcome['kind']): string[] =>
      settled.filter(({ outcome }) => outcome.kind === wanted).map(({ item }) => item.id)
    const failures = settled.flatMap(({ item: { id }, outcome }) =>
      outcome.kind === 'failed' ? [{ id, ...outcome }] : [],
    )
    await Promise.all([
      store.remove(tx, of('done')),
      store.giveBack(tx, of('returned')),
      ...(failures.length > 0 ? [store.fail(tx, failures)] : []),
    ])
  },
})

async function run({ id }: Item, lease: Lease, options: JobQueueOptions): Promise<JobOutcome> {
  const { db, jobs, log, random, stopping } = options
  const job = await whenAvailable(() => store.load(db, id), { random, mayRetry: () => !lease.signal.aborted })
  const definition = job && jobs.get(job.kind)
  if (job === undefined || definition === undefined) return { kind: 'returned' }
  const { kind, attempt, maxAttempts } = job
  const fields = { job: kind, id, attempt }
  if (attempt > maxAttempts) {
    log.error(fields, 'job given up')
    return { kind: 'failed', reason: 'Its last worker died.', isFinal: true }
  }
  const progress = { isFinished: false }
  const signal = AbortSignal.any([lease.signal, stopping])
  const isLastAttempt = attempt === maxAttempts
  try {
    await definition.handle(job.payload, { id, attempt, isLastAttempt, signal, ...ending(id, lease, progress) })
    return { kind: progress.isFinished ? 'finished' : 'done' }
  } catch (error) {
    // Recording tells what is lost; and what was cut short by a stop is no fault of the job.
    if (error instanceof LostJobError || signal.aborted) return { kind: 'returned' }
    const isRefused = error instanceof DomainError && error.code !== 'unavailable'
    const reason = storable(error)
    if (isRefused) log.warn({ ...fields, code: error.code }, `job ended: ${reason}`)
    else if (isLastAttempt) log.error({ ...fields, err: error }, 'job given up')
    else log.warn({ ...fields, err: error }, 'job will be tried again')
    return { kind: 'failed', reason, isFinal: isRefused }
  }
}

const ending = (id: string, lease: Lease, progress: { isFinished: boolean }): Pick<RunningJob, 'hold' | 'finish'> => {
  const hold = async (tx: Tx): Promise<void> => {
    if (!(await lease.lock(tx))) throw new LostJobError(id)
  }
  const finish = async (tx: Tx): Promise<void> => {
    await hold(tx)
    await store.remove(tx, [id])
    progress.isFinished = true
  }
  return { hold, finish }
}

/** Errors quote what they choked on, which may be long, or contain the one character that PostgreSQL refuses. */
const storable = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll('\0', '').slice(0, MAX_REASON_LENGTH)

const MAX_REASON_LENGTH = 1_000
