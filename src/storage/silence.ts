/**
 * Connections that fell silent. A statement that takes long and a server that is frozen, or out of reach without a word,
 * look alike from here: nothing comes. So whenever a connection has been silent for a second with a question open, the
 * server is asked over another one whether it is at work on that. If it is, we wait on, for hours if need be (a
 * migration, a lock). If it is not, the question or its answer is lost; if nobody answers, the server is. Either way the
 * connection is ended, and whoever waits for it learns that the database is unavailable.
 */
import type { Socket } from 'node:net'
import pg from 'pg'
import { clientClass } from './hosts.ts'

const LOOK_EVERY_MS = 250
const SILENT_MS = 1_000
/** For connecting and the answer together. */
const ANSWER_WITHIN_MS = 2_000
/** A question may still be on its way while its server waits for it: once is no proof. */
const DOUBTS = 2

/** What the driver's declarations leave out. */
interface Wire {
  readonly connection: { readonly stream: Socket }
  readonly processID: number
  /** False while an answer is awaited. */
  readonly readyForQuery?: boolean
}

interface Seen {
  heard: number
  since: number
  doubts: number
}

export class SilenceWatch {
  readonly #url: string
  readonly #clients = new Map<Wire, Seen>()
  readonly #looking: NodeJS.Timeout
  #isAsking = false

  constructor(url: string) {
    this.#url = url
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY_MS)
    this.#looking.unref()
  }

  add(pool: pg.Pool): void {
    pool.on('connect', (client) => this.#clients.set(wireOf(client), { heard: 0, since: performance.now(), doubts: 0 }))
    pool.on('remove', (client) => this.#clients.delete(wireOf(client)))
  }

  stop(): void {
    clearInterval(this.#looking)
  }

  #look(): void {
    const now = performance.now()
    const silent: Wire[] = []
    for (const [client, seen] of this.#clients) {
      const { bytesRead } = client.connection.stream
      if (client.readyForQuery !== false || bytesRead !== seen.heard) {
        Object.assign(seen, { heard: bytesRead, since: now, doubts: 0 })
      } else if (now - seen.since >= SILENT_MS) silent.push(client)
    }
    if (silent.length === 0 || this.#isAsking) return
    this.#isAsking = true
    void this.#judge(silent).finally(() => (this.#isAsking = false))
  }

  async #judge(silent: readonly Wire[]): Promise<void> {
    const before = this.#heard()
    const answer = await backendsAtWork(this.#url, silent)
    // Whatever came while we were busy ourselves is read before anybody is judged.
    await new Promise(setImmediate)
    const isServerSilent = answer === 'silence' && this.#heard() === before
    for (const client of silent) {
      const seen = this.#clients.get(client)
      if (seen === undefined || client.connection.stream.bytesRead !== seen.heard) continue
      const isAtWork = !(answer instanceof Set) || answer.has(client.processID) || isSending(client)
      seen.doubts = isAtWork ? 0 : seen.doubts + 1
      seen.since = performance.now()
      if (isServerSilent || seen.doubts === DOUBTS) client.connection.stream.destroy(fellSilent())
    }
  }

  #heard(): number {
    return this.#clients.keys().reduce((sum, client) => sum + client.connection.stream.bytesRead, 0)
  }
}

const wireOf = (client: pg.PoolClient): Wire => client as unknown as Wire

/** A question of many megabytes is not open before it has been said. */
const isSending = ({ connection: { stream } }: Wire): boolean => stream.writableLength > 0

const fellSilent = (): Error => new Error('Connection terminated: the database fell silent')

/**
 * Which of these sessions the server is at work on. `unknown` when it has no connection for us, and behind a pooler,
 * which numbers its sessions differently.
 */
async function backendsAtWork(
  databaseUrl: string,
  clients: readonly Wire[],
): Promise<ReadonlySet<number> | 'silence' | 'unknown'> {
  const { url, Client } = clientClass(databaseUrl)
  const probe = new Client({ connectionString: url, application_name: 'posthouse probe' })
  const wire = probe as unknown as Wire
  probe.on('error', () => {})
  let isLate = false
  const deadline = setTimeout(() => {
    isLate = true
    wire.connection.stream.destroy()
  }, ANSWER_WITHIN_MS)
  try {
    await probe.connect()
    const { rows } = await probe.query<{ own: number; busy: number[] }>(atWork, [clients.map((one) => one.processID)])
    const [row] = rows
    return row === undefined || row.own !== wire.processID ? 'unknown' : new Set(row.busy)
  } catch (error) {
    return isLate || /time-?out/i.test(String(error)) ? 'silence' : 'unknown'
  } finally {
    clearTimeout(deadline)
    void probe.end().catch(() => {})
  }
}

const atWork = `
  select pg_backend_pid() as own,
         array(select pid from pg_stat_activity
                where pid = any($1::int[]) and coalesce(state, '') not like 'idle%') as busy`
