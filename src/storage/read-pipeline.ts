import type { Writable } from 'node:stream'
import type pg from 'pg'
import { isUnavailable } from './outage.ts'
import type { Query } from './sql.ts'

/** The statements that are waiting for answers on one connection. */
interface Pipeline {
  client: Promise<pg.PoolClient>
  questions: { query: Query<unknown>; answer: Promise<unknown[]> }[]
  members: number
  done: number
  broken: boolean
}

/** A slow statement holds up those behind it, so a pipeline is short. */
const MAX_TOGETHER = 16

/**
 * Reads at the same moment share a connection, mostly one write and one answer, and each is still a transaction of its
 * own. On a busy API process this halved the cost of a small request, most of which was system calls. It is only for
 * statements that wait for no lock: one that waited would make unrelated requests wait too.
 */
export class ReadPipeline {
  readonly #pool: pg.Pool
  #opened: Pipeline | undefined

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** Equal reads at the same moment share one answer; no reader may change the rows. */
  ask<Row>(query: Query<Row>, statement: Statement<Row[]>): Promise<Row[]> {
    const pipeline = this.#opened ?? this.#open()
    const asked = pipeline.questions.find((question) => isSame(question.query, query))
    if (asked) return asked.answer as Promise<Row[]>
    const answer = this.#join(pipeline, statement)
    pipeline.questions.push({ query, answer })
    return answer
  }

  async #join<T>(pipeline: Pipeline, statement: Statement<T>): Promise<T> {
    if (++pipeline.members === MAX_TOGETHER) this.#close(pipeline)
    try {
      return await statement(await pipeline.client)
    } catch (error) {
      pipeline.broken ||= isUnavailable(error)
      throw error
    } finally {
      if (++pipeline.done === pipeline.members) this.#release(pipeline)
    }
  }

  #open(): Pipeline {
    const pipeline: Pipeline = {
      client: this.#pool.connect().then(holdBack),
      questions: [],
      members: 0,
      done: 0,
      broken: false,
    }
    this.#opened = pipeline
    setImmediate(() => this.#close(pipeline))
    return pipeline
  }

  #close(pipeline: Pipeline): void {
    if (this.#opened === pipeline) this.#opened = undefined
  }

  #release(pipeline: Pipeline): void {
    this.#close(pipeline)
    pipeline.client.then(
      (client) => client.release(pipeline.broken),
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
