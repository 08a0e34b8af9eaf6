/**
 * Pages that change by themselves. A page says which topic it is about and which of its answers grow old with it:
 * `useLive('queue', ['GET /queue'])`. One tab of the browser listens for all that are seen; hidden ones ask for nothing.
 * Where there can be no stream, what is seen is asked for every ten seconds instead.
 */
import type { JsonOperation, LiveChange } from '@posthouse/sdk'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Leader, WANT_EVERY_MS, type Message, type Wanted } from './live-leader.ts'
import { useMaybeProject } from './session.ts'

type Kind = 'email' | 'broadcast' | 'import' | 'automation' | 'webhook' | 'domain'
/** What can be watched; the thing behind the colon is an id of the API. */
export type LiveTopic = 'overview' | 'queue' | 'notices' | 'inbox' | 'emails' | `${Kind}:${string}`

const CHANNEL = 'posthouse-live'
const ASK_EVERY_MS = 10_000

interface Watch {
  project: string
  topic: string
  /** Without a change it is only time to ask again. */
  onChange: (change: LiveChange | undefined) => void
}

const tab = crypto.randomUUID()
const watches = new Set<Watch>()
const versions = new Map<string, string>()
const liveTopics = new Map<string, ReadonlySet<string>>()
const storeWatchers = new Set<() => void>()

/** The server's time when it said hello, and the time of this page then, which nobody can set. */
let hello: { server: number; page: number; version: string } | undefined
let channel: BroadcastChannel | undefined
let leader: Leader | undefined
let leading: AbortController | undefined

/**
 * Asks anew for what these operations answered, whenever the topic changes. Without a topic nothing is watched: for a page
 * that is not ready, or a person who may not see it.
 */
export function useLive(topic: LiveTopic | undefined, operations: readonly JsonOperation[]): void {
  const queries = useQueryClient()
  useLiveChange(topic, () => operations.forEach((operation) => freshen(queries, operation)))
}

/**
 * An answer that is under way may be older than the change, and is waited for: asking anew each second would give up every
 * answer that takes longer than that.
 */
function freshen(queries: QueryClient, operation: JsonOperation): void {
  const queryKey = [operation]
  if (queries.isFetching({ queryKey }) === 0) void queries.invalidateQueries({ queryKey })
  else if (!waiting.has(operation)) {
    waiting.add(operation)
    setTimeout(() => {
      waiting.delete(operation)
      freshen(queries, operation)
    }, WAIT_MS)
  }
}

const WAIT_MS = 500
const waiting = new Set<JsonOperation>()

/** The same for a page that does something else with a change. */
export function useLiveChange(topic: LiveTopic | undefined, onChange: Watch['onChange']): void {
  const project = useMaybeProject()?.id
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  useEffect(() => {
    if (topic === undefined || project === undefined) return
    return watch({ project, topic, onChange: (change) => latest.current(change) })
  }, [project, topic])
}

/** Whether what the page watches is told at once; undefined where the page watches nothing. */
export const useIsLive = (): boolean | undefined => useSyncExternalStore(subscribe, isLive)

/** The same at this moment, for whoever asks now and then as long as there is no stream. */
export const isToldAtOnce = (): boolean => isLive() === true

/** The version of the server that listens with us, as it said last. */
export const useServerVersion = (): string | undefined => useSyncExternalStore(subscribe, () => hello?.version)

/** The time by which the API dates everything; undefined until the server has said it. The browser's own may be wrong. */
export const serverNow = (): number | undefined => hello && hello.server + performance.now() - hello.page

function isLive(): boolean | undefined {
  if (watches.size === 0) return undefined
  return [...watches].every(isWatchLive)
}

const isWatchLive = ({ project, topic }: Watch): boolean => liveTopics.get(project)?.has(topic) === true

function subscribe(watcher: () => void): () => void {
  storeWatchers.add(watcher)
  return () => storeWatchers.delete(watcher)
}

const notify = (): void => storeWatchers.forEach((watcher) => watcher())

function watch(one: Watch): () => void {
  start()
  watches.add(one)
  say()
  return () => {
    watches.delete(one)
    if (![...watches].some((other) => keyOf(other) === keyOf(one))) versions.delete(keyOf(one))
    say()
  }
}

const keyOf = ({ project, topic }: Watch): string => `${project} ${topic}`

function start(): void {
  if (channel !== undefined) return
  channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => hear(data))
  document.addEventListener('visibilitychange', () => (document.hidden ? rest() : wake()))
  addEventListener('pagehide', rest)
  addEventListener('pageshow', wake)
  setInterval(askAgain, ASK_EVERY_MS)
  setInterval(say, WANT_EVERY_MS)
  wake()
}

/** Whoever is seen may listen for all. Browsers lend locks to pages that came by TLS or from this machine only. */
function wake(): void {
  if (document.hidden || leading !== undefined) return
  say()
  // A page that came by plain HTTP over a network has none, whatever the types say.
  const locks = navigator.locks as LockManager | undefined
  if (locks === undefined) return
  const mine = new AbortController()
  leading = mine
  locks
    .request(CHANNEL, { signal: mine.signal }, () => lead(mine.signal))
    // Waiting for one's turn ends with an error when the tab is hidden meanwhile.
    .catch(() => undefined)
}

/** Listens until this tab is hidden. */
function lead(signal: AbortSignal): Promise<void> {
  const own = new Leader(tell)
  leader = own
  own.hear(tab, wanted())
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      own.stop()
      leader = undefined
      resolve()
    })
  })
}

function rest(): void {
  leading?.abort()
  leading = undefined
  channel?.postMessage({ kind: 'want', tab, wanted: undefined } satisfies Message)
}

/** The page shows one project at a time. */
function wanted(): Wanted | undefined {
  const [first] = watches
  if (document.hidden || first === undefined) return undefined
  const topics = [...watches].filter(({ project }) => project === first.project).map(({ topic }) => topic)
  return { project: first.project, topics: [...new Set(topics)] }
}

function say(): void {
  notify()
  const wish = wanted()
  channel?.postMessage({ kind: 'want', tab, wanted: wish } satisfies Message)
  leader?.hear(tab, wish)
}

/** A channel brings nothing back to the tab that it comes from. */
function tell(message: Message): void {
  channel?.postMessage(message)
  hear(message)
}

function hear(message: Message): void {
  switch (message.kind) {
    case 'want':
      leader?.hear(message.tab, message.wanted)
      return
    case 'who':
      if (leader === undefined) say()
      return
    case 'live':
      hello = { server: message.at, page: performance.now(), version: message.version }
      liveTopics.set(message.project, new Set(message.topics))
      notify()
      return
    case 'lost':
      liveTopics.delete(message.project)
      notify()
      return
    case 'change':
      hearChange(message.project, message.change)
  }
}

/** A stream begins with how everything is. Where that is news to this tab, something has changed meanwhile. */
function hearChange(project: string, change: LiveChange): void {
  for (const one of watches) {
    if (one.project !== project || one.topic !== change.topic) continue
    const isNews = versions.get(keyOf(one)) !== change.version
    if (isNews) one.onChange(change)
  }
  versions.set(`${project} ${change.topic}`, change.version)
}

function askAgain(): void {
  if (document.hidden) return
  for (const one of watches) if (!isWatchLive(one)) one.onChange(undefined)
}
