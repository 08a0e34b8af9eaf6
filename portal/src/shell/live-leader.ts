/**
 * The part of one tab that listens for all. A browser opens six connections to a host and no more: a stream in each tab
 * would leave the seventh without an answer, silently.
 */
import { ApiError, type LiveChange, type LiveHello } from '@posthouse/sdk'
import { stream } from './api.ts'

/** What a tab looks at. */
export interface Wanted {
  project: string
  topics: readonly string[]
}

/** What tabs tell each other. */
export type Message =
  /** A tab wants to hear of this; of nothing when it is hidden or goes. */
  | { kind: 'want'; tab: string; wanted: Wanted | undefined }
  /** A new leader asks what all others want. */
  | { kind: 'who' }
  | { kind: 'live'; project: string; topics: readonly string[]; at: number; version: string }
  | { kind: 'lost'; project: string }
  | { kind: 'change'; project: string; change: LiveChange }

/** The API takes so many in one stream, and four streams of one session; one of these is left for another browser window. */
const MAX_TOPICS = 8
const MAX_STREAMS = 3

/** A page that is left and one that comes change what is wanted twice: both are one change. */
const SETTLE_MS = 150
/** A tab says so often what it wants; one that crashed says nothing, and is forgotten. */
export const WANT_EVERY_MS = 30_000
const MAX_SILENCE_MS = 75_000

/** The server says something every 15 seconds; a connection that brings nothing for so long is dead, and never ends by itself. */
const MAX_STREAM_SILENCE_MS = 45_000

/** All browsers lose a server in the same moment, and would come back in the same moment. */
const MAX_JITTER_MS = 3_000
const RETRY_MS = 10_000

interface Running {
  topics: string
  stop: AbortController
  /** What a tab has to know that comes later; undefined while there is no stream. */
  greeting: (() => Message) | undefined
}

export class Leader {
  readonly #tell: (message: Message) => void
  readonly #wants = new Map<string, { wanted: Wanted; at: number }>()
  readonly #running = new Map<string, Running>()
  #settling: ReturnType<typeof setTimeout> | undefined
  readonly #forgetting = setInterval(() => this.#forgetSilent(), WANT_EVERY_MS)

  constructor(tell: (message: Message) => void) {
    this.#tell = tell
    tell({ kind: 'who' })
  }

  hear(tab: string, wanted: Wanted | undefined): void {
    if (wanted === undefined) this.#wants.delete(tab)
    else this.#wants.set(tab, { wanted, at: performance.now() })
    const greeting = wanted === undefined ? undefined : this.#running.get(wanted.project)?.greeting
    if (greeting !== undefined) this.#tell(greeting())
    this.#settle()
  }

  stop(): void {
    clearTimeout(this.#settling)
    clearInterval(this.#forgetting)
    for (const project of this.#running.keys()) this.#leave(project)
  }

  #forgetSilent(): void {
    for (const [tab, { at }] of this.#wants) if (performance.now() - at > MAX_SILENCE_MS) this.#wants.delete(tab)
    this.#settle()
  }

  #settle(): void {
    clearTimeout(this.#settling)
    this.#settling = setTimeout(() => this.#arrange(), SETTLE_MS)
  }

  /** One stream for each project that a tab shows. What is beyond the limits is asked for every ten seconds. */
  #arrange(): void {
    const wanted = [...Map.groupBy(this.#wants.values(), (want) => want.wanted.project)]
    const granted = new Map(wanted.slice(0, MAX_STREAMS))
    const known = new Set([...this.#running.keys(), ...wanted.map(([project]) => project)])
    for (const project of known) if (!granted.has(project)) this.#leave(project)
    for (const [project, wants] of granted) {
      const names = [...new Set(wants.flatMap((want) => want.wanted.topics))].toSorted().slice(0, MAX_TOPICS)
      this.#listen(project, names.join(','))
    }
  }

  /** A tab that comes back to the project must not take it for live by what it heard before. */
  #leave(project: string): void {
    this.#running.get(project)?.stop.abort()
    this.#running.delete(project)
    this.#tell({ kind: 'lost', project })
  }

  #listen(project: string, topics: string): void {
    const before = this.#running.get(project)
    if (before?.topics === topics) return
    before?.stop.abort()
    const running: Running = { topics, stop: new AbortController(), greeting: undefined }
    this.#running.set(project, running)
    void this.#follow(project, running)
  }

  async #follow(project: string, running: Running): Promise<void> {
    const { signal } = running.stop
    let { topics } = running
    while (!signal.aborted) {
      try {
        const options = { project, query: { topics }, signal, maxSilenceMs: MAX_STREAM_SILENCE_MS }
        for await (const { event, data } of await stream('GET /live', options)) {
          if (event === 'change') this.#tell({ kind: 'change', project, change: data })
          else this.#tell((running.greeting = greetingOf(project, topics, data))())
        }
        await pause(Math.random() * MAX_JITTER_MS, signal)
      } catch (error) {
        if (signal.aborted) return
        running.greeting = undefined
        this.#tell({ kind: 'lost', project })
        // One of the things is gone, or no longer for this person: the others are watched without it.
        if (isRefused(error)) topics = withoutThings(topics)
        if (topics === '') return
        await pause(RETRY_MS + Math.random() * MAX_JITTER_MS, signal)
      }
    }
  }
}

/** The time is the server's at the moment of telling; the page's own clock only counts, and cannot be set. */
function greetingOf(project: string, topics: string, { at, version }: LiveHello): () => Message {
  const began = Date.parse(at) - performance.now()
  return () => ({ kind: 'live', project, topics: topics.split(','), at: began + performance.now(), version })
}

const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 403)

const withoutThings = (topics: string): string =>
  topics
    .split(',')
    .filter((topic) => !topic.includes(':'))
    .join(',')

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
