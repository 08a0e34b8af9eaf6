/**
 * Watches for connections that receive nothing. A statement that takes long and a server that is frozen or unreachable
 * look alike. So when a connection has been silent for a second during a query, we ask the server over another
 * connection whether it is working on that query. If it is, we wait, for hours if need be (a migration, a lock). If it
 * is not, the query or its answer is lost; if there is no answer, the server is. In both cases the connection is ended,
 * and its user gets "unavailable".
 */
import type { Socket } from 'node:net'
import pg from 'pg'
import { clientClass } from './hosts.ts'

const LOOK_EVERY_MS = 250
const SILENT_MS = 1_000
/** The time covers connecting and the answer together. */
const ANSWER_WITHIN_MS = 2_000
/** A question may still be on its way while its server waits for it: once is no proof. */
const DOUBTS = 2
/** A server that was at work on a statement may only have no time for new connections: once is no proof either. */
const SILENCES_AT_WORK = 2

/** The driver's declarations leave these out. */
interface DriverClient {
  readonly connection: { readonly stream: Socket }
  readonly processID: number
  /** False while an answer is awaited. */
  readonly readyForQuery?: boolean
}

interface Seen {
  bytesRead: number
  since: number
  doubts: number
  /** This many probes in a row got no answer. */
  silences: number
  /** A probe has seen the server working on this query. */
  wasAtWork: boolean
}

const fresh = { doubts: 0, silences: 0, wasAtWork: false }

export class SilenceWatch {
  readonly #server: ReturnType<typeof clientClass>
  readonly #clients = new Map<DriverClient, Seen>()
  readonly #looking: NodeJS.Timeout
  #isAsking = false

  constructor(url: string) {
    this.#server = clientClass(url)
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY_MS)
    this.#looking.unref()
  }

  add(pool: pg.Pool): void {
    pool.on('connect', (client) =>
      this.#clients.set(driverClient(client), { bytesRead: 0, since: performance.now(), ...fresh }),
    )
    pool.on('remove', (client) => this.#clients.delete(driverClient(client)))
  }

  stop(): void {
    clearInterval(this.#looking)
  }

  #look(): void {
    const now = performance.now()
    const silent: DriverClient[] = []
    for (const [client, seen] of this.#clients) {
      const { bytesRead } = client.connection.stream
      if (client.readyForQuery !== false || bytesRead !== seen.bytesRead) {
        Object.assign(seen, { bytesRead, since: now, ...fresh })
      } else if (now - seen.since >= SILENT_MS) silent.push(client)
    }
    if (silent.length === 0 || this.#isAsking) return
    this.#isAsking = true
    void this.#judge(silent).finally(() => (this.#isAsking = false))
  }

  async #judge(silent: readonly DriverClient[]): Promise<void> {
    const before = this.#bytesRead()
    const answer = await backendsAtWork(this.#server, silent)
    // Input that arrived while this process was busy is read before a connection is judged.
    await new Promise(setImmediate)
    const isServerSilent = answer === 'silence' && this.#bytesRead() === before
    for (const client of silent) {
      const seen = this.#clients.get(client)
      if (seen === undefined || client.connection.stream.bytesRead !== seen.bytesRead) continue
      const isAtWork = !(answer instanceof Set) || answer.has(client.processID) || isSending(client)
      seen.doubts = isAtWork ? 0 : seen.doubts + 1
      seen.silences = isServerSilent ? seen.silences + 1 : 0
      seen.wasAtWork ||= isAtWork && answer instanceof Set
      seen.since = performance.now()
      const isLost = seen.silences === (seen.wasAtWork ? SILENCES_AT_WORK : 1) || seen.doubts === DOUBTS
      if (isLost) client.connection.stream.destroy(fellSilent())
    }
  }

  #bytesRead(): number {
    return this.#clients.keys().reduce((sum, client) => sum + client.connection.stream.bytesRead, 0)
  }
}

const driverClient = (client: pg.ClientBase): DriverClient => client as unknown as DriverClient

/** A question of many megabytes is not open before it has been said. */
const isSending = ({ connection: { stream } }: DriverClient): boolean => stream.writableLength > 0

const fellSilent = (): Error => new Error('Connection terminated: the database fell silent')

type Answer = ReadonlySet<number> | 'silence' | 'unknown'

/**
 * Returns the sessions that the server is working on. It is `unknown` when the server has no connection for us, and
 * behind a pooler, which numbers its sessions differently. The probe has a time limit.
 */
async function backendsAtWork(
  server: ReturnType<typeof clientClass>,
  clients: readonly DriverClient[],
): Promise<Answer> {
  const probe = new server.Client({
    connectionString: server.url,
    application_name: 'posthouse probe',
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  })
  probe.on('error', () => {})
  const { promise: tooLate, resolve } = Promise.withResolvers<Answer>()
  const deadline = setTimeout(() => {
    resolve('silence')
    driverClient(probe).connection.stream.destroy()
  }, ANSWER_WITHIN_MS)
  const answer = ask(probe, clients).finally(() => clearTimeout(deadline))
  return Promise.race([answer, tooLate])
}

async function ask(probe: pg.Client, clients: readonly DriverClient[]): Promise<Answer> {
  try {
    await probe.connect()
    const { rows } = await probe.query<{ own: number; busy: number[] }>(atWork, [clients.map((one) => one.processID)])
    const [row] = rows
    return row === undefined || row.own !== driverClient(probe).processID ? 'unknown' : new Set(row.busy)
  } catch (error) {
    return /time-?out/i.test(String(error)) ? 'silence' : 'unknown'
  } finally {
    void probe.end().catch(() => {})
  }
}

const atWork = `
  select pg_backend_pid() as own,
         array(select pid from pg_stat_activity
                where pid = any($1::int[]) and coalesce(state, '') not like 'idle%') as busy`
