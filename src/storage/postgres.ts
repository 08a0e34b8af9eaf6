import pg from 'pg'
import { encodeValues } from './arrays.ts'
import { alwaysByIndex } from './by-index.ts'
import { ReadPipeline, holdBack } from './read-pipeline.ts'
import { clientClass } from './hosts.ts'
import { isUnavailable } from './outage.ts'
import { SilenceWatch } from './silence.ts'
import { statementName, type Query } from './sql.ts'

/** Something that answers queries: the pool, or one open transaction. */
export interface Db {
  all<Row>(query: Query<Row>): Promise<Row[]>
  /** The only row of the answer; another number of rows is a defect of the statement. */
  one<Row>(query: Query<Row>): Promise<Row>
  maybeOne<Row>(query: Query<Row>): Promise<Row | undefined>
  /** Runs a statement without an answer and returns how many rows it changed. */
  run(query: Query<unknown>): Promise<number>
}

/** A Tx is a Db inside a transaction. Functions that must not run outside one ask for this type. */
export interface Tx extends Db {
  readonly transaction: true
}

export interface DatabaseOptions {
  url: string
  /** Shown in pg_stat_activity, so that an operator sees which process holds what. */
  name: string
  /** All work except `byIndex` shares these connections. */
  connections: number
}

/** One for each dispatcher of a worker, which asks one question after the other. */
export const CONNECTIONS_BY_INDEX = 5

/** A request waits this long for a connection before it is answered with "unavailable". */
const CONNECT_TIMEOUT_MS = 2_500
const STATEMENT_TIMEOUT_MS = 30_000
/** A process that is frozen within a transaction keeps its locks for this long, and every other node waits for them. */
const IDLE_TRANSACTION_MS = 10_000

// Counts and sums come as int8; ours stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export class Database implements Db {
  readonly pool: pg.Pool
  readonly #indexed: pg.Pool
  readonly #silence: SilenceWatch
  /** Use this for plain reads that wait for no lock; it is cheaper under load (see `read-pipeline.ts`). */
  readonly reads: Db
  /**
   * Use this for statements that are written for one index, whatever the tables hold (see `by-index.ts`); they have
   * connections of their own.
   */
  readonly byIndex: Db
  readonly all: Db['all']
  readonly one: Db['one']
  readonly maybeOne: Db['maybeOne']
  readonly run: Db['run']

  constructor({ url, name, connections }: DatabaseOptions) {
    this.pool = poolOf(url, name, connections)
    this.#indexed = poolOf(url, name, CONNECTIONS_BY_INDEX)
    this.#silence = new SilenceWatch(url)
    for (const pool of [this.pool, this.#indexed]) this.#silence.add(pool)
    // This query runs before any query of the borrower.
    this.#indexed.on('connect', (client) => void client.query(alwaysByIndex).catch(() => {}))
    const readPipeline = new ReadPipeline(this.pool)
    const { all, one, maybeOne, run } = answering((work) => this.withClient(work))
    this.reads = answering(
      (work) => this.withClient(work),
      (query) => readPipeline.ask(query, (client) => rows(client, query)),
    )
    this.byIndex = answering((work) => lendFrom(this.#indexed, work))
    this.all = all
    this.one = one
    this.maybeOne = maybeOne
    this.run = run
  }

  /** Commits when `work` returns, rolls back when it throws. Never do network I/O inside. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transaction(work, 'commit')
  }

  /** Does the work and rolls it back: what it returns is all that is left of it. */
  dryRun<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transaction(work, 'rollback')
  }

  #transaction<T>(work: (tx: Tx) => Promise<T>, end: 'commit' | 'rollback'): Promise<T> {
    return this.withClient(async (client) => {
      // The statement is sent with the first one of the work; if it fails, so does everything behind it on the
      // connection.
      const begun = holdBack(client).query('begin')
      begun.catch(() => {})
      const failures: unknown[] = []
      try {
        const result = await work(transactionOn(client, failures))
        await begun
        const { command } = await client.query(end)
        // A failed transaction is not committed, and the server does not call that an error.
        if (command !== end.toUpperCase()) throw failures[0] ?? new Error('a transaction was rolled back by the server')
        return result
      } catch (error) {
        // If the connection itself is gone, there is nothing to roll back.
        await client.query('rollback').catch(() => {})
        // Statements that are sent together fail together, and the first one may only report that another failed.
        throw isConsequence(error) ? (failures[0] ?? error) : error
      }
    })
  }

  /** Lends one connection, e.g. for LISTEN or a session lock. A broken one is thrown away, not returned. */
  withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return lendFrom(this.pool, work)
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.end(), this.#indexed.end()])
    this.#silence.stop()
  }
}

function poolOf(databaseUrl: string, name: string, max: number): pg.Pool {
  const { url, Client } = clientClass(databaseUrl)
  const pool = new pg.Pool({
    connectionString: url,
    Client,
    application_name: `posthouse ${name}`,
    max,
    pipeline: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // The last resort; a server that vanished without a word is mostly noticed much earlier, see `silence.ts`.
    query_timeout: STATEMENT_TIMEOUT_MS + 5_000,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    keepAlive: true,
  })
  // An idle connection that breaks is replaced on next use; without a listener it would end the process.
  pool.on('error', () => {})
  // Nor may one that breaks while it is lent out: its borrower learns it from the next query.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

async function lendFrom<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken = false
  try {
    return await work(client)
  } catch (error) {
    broken = isUnavailable(error)
    throw error
  } finally {
    client.release(broken)
  }
}

/** The name of the unique index that a statement ran into; undefined for every other error. */
export const violatedConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code === '23505' ? error.constraint : undefined

const transactionOn = (client: pg.PoolClient, failures: unknown[]): Tx => ({
  transaction: true,
  ...answering((work) =>
    work(holdBack(client)).catch((error: unknown) => {
      failures.push(error)
      throw error
    }),
  ),
})

/** "Current transaction is aborted": something before it has failed. */
const isConsequence = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '25P02'

type Lend = <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>

/** The ways to ask, over whichever connection one is lent. */
function answering(lend: Lend, all: Db['all'] = (query) => lend((client) => rows(client, query))): Db {
  return {
    all,
    one: async (query) => only(await all(query), query),
    maybeOne: async (query) => atMostOne(await all(query), query),
    run: (query) => lend(async (client) => (await execute(client, query)).rowCount ?? 0),
  }
}

const rows = async <Row>(client: pg.PoolClient, query: Query<Row>): Promise<Row[]> =>
  (await execute(client, query)).rows

const execute = (client: pg.PoolClient, { text, values }: Query<unknown>): Promise<pg.QueryResult> =>
  client.query({ name: statementName(text), text, values: encodeValues(text, values) })

function only<Row>(found: Row[], query: Query<Row>): Row {
  const [row] = found
  if (row === undefined || found.length > 1) throw new Error(`expected one row, got ${found.length}: ${query.text}`)
  return row
}

function atMostOne<Row>(found: Row[], query: Query<Row>): Row | undefined {
  if (found.length > 1) throw new Error(`expected at most one row, got ${found.length}: ${query.text}`)
  return found[0]
}
