import { onTestFinished } from 'vitest'
import { startApi } from '../../src/app/api.ts'
import { allRoutes } from '../../src/app/routes.ts'
import { silent } from '../../src/core/log.ts'
import { createLogger } from '../../src/process/logger.ts'
import { Live } from '../../src/resources/live/index.ts'
import type { Tx } from '../../src/storage/postgres.ts'
import { topicKinds, topicOf, type TopicKind } from '../../src/resources/live/topics.ts'
import { simulated } from '../contract/requests.ts'
import { makers, type Made } from '../contract/tenants.ts'
import { Client } from './client.ts'
import { accepted, world, type World } from './world.ts'

interface Told {
  event: string
  data: Record<string, unknown>
}

/** Reads a stream of events as a client does. */
class EventReader {
  readonly #parts: AsyncIterator<string>
  readonly #leave: AbortController
  #text = ''
  readonly comments: string[] = []

  constructor(body: ReadableStream<Uint8Array>, leave: AbortController) {
    this.#parts = body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
    this.#leave = leave
  }

  /** The next event; undefined when the stream has ended. */
  async next(): Promise<Told | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (end >= 0) {
        const block = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 2)
        if (!block.startsWith(':')) return eventIn(block)
        this.comments.push(block)
        continue
      }
      const part = await this.#parts.next()
      if (part.done === true) return undefined
      this.#text += part.value
    }
  }

  async some(count: number): Promise<(Told | undefined)[]> {
    const told = []
    for (let i = 0; i < count; i++) told.push(await this.next())
    return told
  }

  /** Reads to the end, and returns what came. */
  async rest(): Promise<Told[]> {
    const told = []
    for (let next = await this.next(); next !== undefined; next = await this.next()) told.push(next)
    return told
  }

  leave(): void {
    this.#leave.abort()
  }
}

function eventIn(block: string): Told {
  const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
  return { event, data: JSON.parse(data) as Record<string, unknown> }
}

/** Opens a stream; throws what a refusal says. */
export async function listen(client: Client, topics: string, headers: Record<string, string> = {}) {
  const leave = new AbortController()
  const response = await fetch(`${client.url}/api/v1/live?topics=${encodeURIComponent(topics)}`, {
    headers: { ...(client.key !== undefined && { authorization: `Bearer ${client.key}` }), ...headers },
    signal: leave.signal,
  })
  if (response.status !== 200 || response.body === null) {
    throw new Error(`expected a stream, got ${response.status}: ${await response.text()}`)
  }
  onTestFinished(() => leave.abort())
  return new EventReader(response.body, leave)
}

export interface LiveWorld extends World {
  /** The object behind `/live` of `api`; it looks only when `look` is called. */
  live: Live
  look(): Promise<void>
  /** Moves the clock by which streams are as old as they are. */
  pass(ms: number): void
  /** Whether the timer runs. */
  isLooking(): boolean
  /** The statements by which it has looked. */
  looks: string[]
}

/** An installation with a second API process, whose `/live` has a clock and a timer of its own. */
export async function liveWorld(): Promise<LiveWorld> {
  const here = await world()
  const looks: string[] = []
  let now = 0
  let timers = 0
  const live = new Live({
    db: {
      reads: here.db.reads,
      transaction: (work) => here.db.transaction((tx) => work(watching(tx, looks))),
    },
    version: '9.9.9',
    steady: { now: () => now },
    every: () => {
      timers++
      return () => void timers--
    },
    log: silent,
  })
  const logger = createLogger('api', 'debug', { write: (line) => void here.logs.push(line) })
  const node = await startApi(here.config, here.databaseUrl, logger, (services, version) =>
    allRoutes({ ...services, live }, version),
  )
  onTestFinished(async () => {
    live.stop()
    await node.stop()
  })
  const url = await node.listen('127.0.0.1', 0)
  const clientAt = (client: Client): Client => new Client(url, client.key)
  return {
    ...here,
    api: clientAt(here.api),
    projectApi: clientAt(here.projectApi),
    clientWith: async (grant) => clientAt(await here.clientWith(grant)),
    live,
    look: () => live.runOnce(),
    pass: (ms) => void (now += ms),
    isLooking: () => timers > 0,
    looks,
  }
}

const watching = (tx: Tx, seen: string[]): Tx => ({
  ...tx,
  all: (query) => {
    seen.push(query.text)
    return tx.all(query)
  },
})

export const sendOne = async (client: Client, fields: object = {}): Promise<string> =>
  accepted(await client.post<{ id: string }>('email/send', { ...simulated, ...fields })).id

/** One thing of every kind that has an id, as its topic names it. */
export async function thingsOf(here: World, projectId = here.projectId): Promise<Partial<Record<TopicKind, string>>> {
  const owner = { name: 'own', client: here.api, projectId, world: here }
  const aud = await makers.aud!(owner, {})
  const made: Made = aud === undefined ? {} : { aud }
  const found: Partial<Record<TopicKind, string>> = {}
  for (const kind of topicKinds) {
    const { names } = topicOf(kind)
    if (names !== undefined) found[kind] = `${kind}:${await makers[names]!(owner, made)}`
  }
  return found
}
