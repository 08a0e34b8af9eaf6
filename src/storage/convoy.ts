import type { Writable } from 'node:stream'
import type pg from 'pg'
import { isUnavailable } from './outage.ts'
import type { Query } from './sql.ts'

/** Statements on their way over one connection. */
interface Convoy {
  client: Promise<pg.PoolClient>
  questions: { query: Query<unknown>; answer: Promise<unknown[]> }[]
  members: number
  done: number
  broken: boolean
}

/** A slow statement holds up those behind it, so a convoy is short. */
const MAX_TOGETHER = 16

/**
 * Reads of the same moment travel together: they share a connection, mostly one write and one answer, and each is
 * still a transaction of its own. On a busy API process this halved the cost of a small request, most of which was
 * system calls. Only for statements that wait for nobody: one that waited for a lock would make strangers wait too.
 */
export class Convoys {
  readonly #pool: pg.Pool
  #assembling: Convoy | undefined

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** Readers who ask the same question in the same moment share its answer; nobody may change the rows. */
  ask<Row>(query: Query<Row>, statement: Statement<Row[]>): Promise<Row[]> {
    const convoy = this.#assembling ?? this.#assemble()
    const asked = convoy.questions.find((question) => isSame(question.query, query))
    if (asked) return asked.answer as Promise<Row[]>
    const answer = this.#join(convoy, statement)
    convoy.questions.push({ query, answer })
    return answer
  }

  async #join<T>(convoy: Convoy, statement: Statement<T>): Promise<T> {
    if (++convoy.members === MAX_TOGETHER) this.#depart(convoy)
    try {
      return await statement(await convoy.client)
    } catch (error) {
      convoy.broken ||= isUnavailable(error)
      throw error
    } finally {
      if (++convoy.done === convoy.members) this.#disband(convoy)
    }
  }

  #assemble(): Convoy {
    const convoy: Convoy = {
      client: this.#pool.connect().then(holdBack),
      questions: [],
      members: 0,
      done: 0,
      broken: false,
    }
    this.#assembling = convoy
    setImmediate(() => this.#depart(convoy))
    return convoy
  }

  #depart(convoy: Convoy): void {
    if (this.#assembling === convoy) this.#assembling = undefined
  }

  #disband(convoy: Convoy): void {
    this.#depart(convoy)
    convoy.client.then(
      (client) => client.release(convoy.broken),
      () => {}, // Nobody got a connection, and everybody was told.
    )
  }
}

type Statement<T> = (client: pg.PoolClient) => Promise<T>

/** Lists and dates are compared by identity: they differ too rarely not to be worth a second question. */
const isSame = (a: Query<unknown>, b: Query<unknown>): boolean =>
  a.text === b.text && a.values.every((value, i) => value === b.values[i])

/** Everything that is asked of the connection in this moment leaves in one write, not in one per statement. */
export function holdBack(client: pg.PoolClient): pg.PoolClient {
  // The driver's declarations leave its connection out.
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
  return client
}
