import type { Tx } from '../storage/postgres.ts'

/**
 * The name of a kind of work, and what a job of it carries. Apart from the handler, so that a service can enqueue what
 * only a module above it can handle.
 */
export interface JobKind<Payload> {
  readonly name: string
  /** How often a job is tried before it is given up. */
  readonly attempts: number
  /** Only for the compiler. */
  readonly payload?: Payload
}

/** 25 attempts span about four days: each wait is e times the one before, up to six hours. */
const ATTEMPTS = 25

export const jobKind = <Payload extends object>(name: string, { attempts = ATTEMPTS } = {}): JobKind<Payload> => ({
  name,
  attempts,
})

export interface RunningJob {
  readonly id: string
  /** 1 for the first. */
  readonly attempt: number
  readonly isLastAttempt: boolean
  /** Aborts when the runner wants to stop; a long job should then come to a good place and throw. */
  readonly signal: AbortSignal
  /**
   * Makes sure, until the transaction ends, that nobody else has been given this job; otherwise throws. What is written
   * in such a transaction is written by the holder of the job alone, however long this process was frozen.
   */
  hold(tx: Tx): Promise<void>
  /** Ends the job together with what the transaction writes: both or neither. To be called at most once. */
  finish(tx: Tx): Promise<void>
}

export type JobHandler<Payload> = (payload: Payload, job: RunningJob) => Promise<void>

/** A kind with its handler. */
export interface JobDefinition {
  readonly kind: JobKind<unknown>
  readonly handle: JobHandler<unknown>
  readonly periodic: Periodic | undefined
}

export interface Periodic {
  /** Minute, hour, day of the month, month, day of the week; in UTC. */
  cron: string
  /** How far back a run is made up for that nobody was there to make; an hour unless given. */
  catchUpMs?: number
}

/**
 * At least once is what a handler can rely on: it must bear to run again after a crash. A `DomainError` ends the job
 * for good, except `unavailable`; anything else that is thrown is tried again later.
 */
export const define = <Payload extends object>(
  kind: JobKind<Payload>,
  handle: JobHandler<Payload>,
  periodic?: Periodic,
): JobDefinition => ({
  kind,
  // The payload was written by `enqueue`, which takes no other type for this kind.
  handle: (payload, job) => handle(payload as Payload, job),
  periodic,
})

/** Every definition under its name. Two of one name would leave it to chance which handler runs. */
export function collect(definitions: readonly JobDefinition[]): Map<string, JobDefinition> {
  const byName = new Map<string, JobDefinition>()
  for (const definition of definitions) {
    const { name } = definition.kind
    if (byName.has(name)) throw new Error(`the job ${name} is defined twice`)
    byName.set(name, definition)
  }
  return byName
}
