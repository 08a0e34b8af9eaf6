import { createHash } from 'node:crypto'
import type { Caller, ProjectContext } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import { DomainError, invalid, notFound } from '../../core/errors.ts'
import { decodeId, encodeId, idPrefixes, type Id, type IdPrefix, type ProjectId } from '../../core/ids.ts'
import type { Log } from '../../core/log.ts'
import type { Scope } from '../../core/scopes.ts'
import { onlyByIndex } from '../../storage/by-index.ts'
import type { Database } from '../../storage/postgres.ts'
import {
  ADMIT_EVERY_LOOKS,
  LOOK_EVERY_MS,
  MAX_STREAMS,
  MAX_STREAMS_EACH,
  MAX_STREAMS_OF_PROJECT,
  MAX_TOPICS,
  RETRY_SECONDS,
} from './limits.ts'
import type { Asked, Change, Found } from './schema.ts'
import * as store from './store.ts'
import { LiveStream, type Listener } from './stream.ts'
import { topicKinds, topicOf, type TopicKind } from './topics.ts'

interface LiveParts {
  db: Pick<Database, 'reads' | 'transaction'>
  /** Of Posthouse. */
  version: string
  /** A clock that is never set back. */
  steady: Clock
  /** Does the work again and again, until the function that it returns is called. */
  every(ms: number, work: () => void): () => void
  log: Log
}

/** Who wants to watch what. */
interface Wish {
  caller: Caller
  project: ProjectContext
  topics: string
  mayRead(scope: Scope): boolean
  admitAgain: Listener['admitAgain']
}

interface Named {
  name: string
  kind: TopicKind
  id: string | null
}

/** A topic of a project that a stream watches, and what was last found about it. */
interface Watched extends Named {
  projectId: ProjectId
  found: Found | undefined
  change: Change
  streams: Set<LiveStream>
}

/**
 * Tells whoever listens what has changed. Every second it looks at what is watched in this process, with one statement for
 * each kind; while no stream is open it asks for nothing. NOTIFY would tell sooner, but it takes a lock of the whole database
 * at each commit.
 */
export class Live {
  readonly #parts: LiveParts
  readonly #streams = new Set<LiveStream>()
  readonly #watched = new Map<string, Watched>()
  #stopLooking: (() => void) | undefined
  #looks = 0
  #isLooking = false
  #isStopped = false

  constructor(parts: LiveParts) {
    this.#parts = parts
  }

  async open(wish: Wish): Promise<AsyncIterable<string>> {
    const named = topicsIn(wish.topics)
    const scopes = new Set(named.map(({ kind }) => topicOf(kind).scope))
    const missing = [...scopes].find((scope) => !wish.mayRead(scope))
    if (missing !== undefined) throw lacking(missing)
    const { caller, project, admitAgain } = wish
    const stream = this.#admit({ holder: holderOf(caller), projectId: project.id, scopes, admitAgain })
    try {
      const at = await store.now(this.#parts.db.reads)
      const found = await this.#find(project.id, named)
      if (stream.isEnded) throw stopping()
      const watched = named.map((each) => this.#entry(project.id, each, found.get(each.name)))
      for (const { streams } of watched) streams.add(stream)
      stream.greet(
        { version: this.#parts.version, at: at.toISOString() },
        watched.map(({ change }) => ('more' in change ? { ...change, more: 0 } : change)),
      )
      return stream
    } catch (error) {
      stream.end()
      throw error
    }
  }

  /** How many streams are open. */
  get size(): number {
    return this.#streams.size
  }

  /** Ends all streams at once, and opens no more. */
  stop(): void {
    this.#isStopped = true
    for (const stream of this.#streams) stream.end()
  }

  /** Looks at everything that is due, and tells what has changed. */
  async runOnce(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const looks = this.#looks++
    try {
      for (const stream of this.#streams) stream.pass(this.#now())
      if (looks % ADMIT_EVERY_LOOKS === 0) await this.#admitAgain()
      await this.#lookAt(topicKinds.filter((kind) => looks % (topicOf(kind).everySeconds ?? 1) === 0))
    } finally {
      this.#isLooking = false
    }
  }

  #admit(listener: Listener): LiveStream {
    if (this.#isStopped) throw stopping()
    if (this.#isFullFor(listener)) {
      throw unavailable('Too many streams are open: end one, or ask for what you want to know every ten seconds.')
    }
    const stream = new LiveStream(listener, this.#now(), (ended) => this.#forget(ended))
    this.#streams.add(stream)
    this.#stopLooking ??= this.#parts.every(LOOK_EVERY_MS, () => void this.runOnce())
    return stream
  }

  #isFullFor({ holder, projectId }: Listener): boolean {
    const others = [...this.#streams].map((stream) => stream.listener)
    return (
      others.length >= MAX_STREAMS ||
      others.filter((other) => other.projectId === projectId).length >= MAX_STREAMS_OF_PROJECT ||
      others.filter((other) => other.holder === holder).length >= MAX_STREAMS_EACH
    )
  }

  #forget(stream: LiveStream): void {
    this.#streams.delete(stream)
    for (const [key, { streams }] of this.#watched) {
      if (streams.delete(stream) && streams.size === 0) this.#watched.delete(key)
    }
    if (this.#streams.size > 0) return
    this.#stopLooking?.()
    this.#stopLooking = undefined
  }

  /** What is asked for may not exist. */
  async #find(projectId: ProjectId, named: readonly Named[]): Promise<Map<string, Found>> {
    const byKind = Map.groupBy(named, ({ kind }) => kind)
    const rows = await this.#ask([...byKind.keys()], (kind) =>
      (byKind.get(kind) ?? []).map(({ id }) => ({ projectId, id, since: null })),
    )
    const found = new Map<string, Found>()
    for (const [kind, asked] of byKind) {
      for (const [i, { name }] of asked.entries()) {
        const row = rows.get(kind)?.find(({ position }) => position === i + 1)
        if (row === undefined) throw notFound(idPrefixes[topicOf(kind).names ?? 'prj'])
        found.set(name, row)
      }
    }
    return found
  }

  /** One statement for each kind. Whatever was last counted in the tables, they must find their rows by their indexes. */
  #ask(kinds: readonly TopicKind[], askedOf: (kind: TopicKind) => readonly Asked[]): Promise<Map<TopicKind, Found[]>> {
    return this.#parts.db.transaction(async (tx) => {
      await tx.run(onlyByIndex)
      const rows = new Map<TopicKind, Found[]>()
      for (const kind of kinds) rows.set(kind, await topicOf(kind).look(tx, askedOf(kind)))
      return rows
    })
  }

  /** A topic that another stream watches already is as that stream was told: the next look tells both what is new. */
  #entry(projectId: ProjectId, named: Named, found: Found | undefined): Watched {
    const key = keyOf(projectId, named.name)
    const known = this.#watched.get(key)
    if (known !== undefined) return known
    const entry = { ...named, projectId, found, change: changeOf(named, found), streams: new Set<LiveStream>() }
    this.#watched.set(key, entry)
    return entry
  }

  async #lookAt(kinds: readonly TopicKind[]): Promise<void> {
    const watched = Map.groupBy(this.#watched.values(), ({ kind }) => kind)
    const asked = kinds.filter((kind) => watched.has(kind))
    if (asked.length === 0) return
    try {
      const rows = await this.#ask(asked, (kind) => (watched.get(kind) ?? []).map(askedAbout))
      for (const kind of asked) this.#compareAll(watched.get(kind) ?? [], rows.get(kind) ?? [])
    } catch (error) {
      this.#parts.log.warn({ err: error, kinds: asked }, 'live look failed')
      // One that fails must not keep the others from being looked at.
      if (asked.length > 1) for (const kind of asked) await this.#lookAt([kind])
    }
  }

  #compareAll(watched: readonly Watched[], rows: readonly Found[]): void {
    const byPosition = new Map(rows.map((row) => [row.position, row]))
    for (const [i, each] of watched.entries()) this.#compare(each, byPosition.get(i + 1))
  }

  #compare(watched: Watched, found: Found | undefined): void {
    const change = changeOf(watched, found)
    if (change.version === watched.change.version) return
    watched.found = found
    watched.change = change
    for (const stream of watched.streams) stream.tell(change, this.#now())
  }

  /** All questions of one turn of the event loop are one statement, see `keys/identify.ts`. */
  async #admitAgain(): Promise<void> {
    const answers = await Promise.all([...this.#streams].map(endUnlessAdmitted))
    const failures = answers.filter((failure) => failure !== undefined)
    if (failures.length === 0) return
    this.#parts.log.warn({ err: failures[0], streams: failures.length }, 'live callers not checked')
  }

  #now(): number {
    return this.#parts.steady.now()
  }
}

/** What kept us from finding out is returned: the stream stays open until it can be found out. */
async function endUnlessAdmitted(stream: LiveStream): Promise<unknown> {
  const { scopes, admitAgain } = stream.listener
  try {
    const { mayRead } = await admitAgain()
    if (![...scopes].every(mayRead)) stream.end()
  } catch (error) {
    if (!(error instanceof DomainError)) return error
    stream.end()
  }
  return undefined
}

const keyOf = (projectId: ProjectId, name: string): string => `${projectId} ${name}`

const holderOf = (caller: Caller): string => (caller.type === 'person' ? caller.sessionId : caller.keyId)

const unavailable = (sentence: string): DomainError =>
  new DomainError('unavailable', sentence, { retryAfter: RETRY_SECONDS })

const stopping = (): DomainError => unavailable('This node is about to stop: connect again.')

const lacking = (scope: Scope): DomainError =>
  new DomainError('insufficient_scope', `A topic needs the scope ${scope}, which you lack.`, { requiredScope: scope })

/** An id that is malformed is answered like one that never existed. */
function topicsIn(text: string): Named[] {
  const names = [...new Set(text.split(','))]
  if (names.length > MAX_TOPICS) throw wrong(`has more than ${MAX_TOPICS} topics`)
  return names.map((name) => {
    const [word = '', given] = name.split(/:(.*)/s)
    const kind = topicKinds.find((each) => each === word)
    const prefix = kind && topicOf(kind).names
    if (kind === undefined || (prefix === undefined) !== (given === undefined)) {
      throw wrong(`has a topic that does not exist: use ${topicKinds.map(spelled).join(', ')}`)
    }
    const id = prefix === undefined ? null : decodeId(prefix, given ?? '')
    if (id === undefined) throw notFound(idPrefixes[prefix ?? 'prj'])
    return { name, kind, id }
  })
}

const spelled = (kind: TopicKind): string => {
  const { names } = topicOf(kind)
  return names === undefined ? kind : `${kind}:${names}_…`
}

const wrong = (message: string): DomainError => invalid([{ path: '/query/topics', message }])

function changeOf({ name, kind }: Pick<Named, 'name' | 'kind'>, found: Found | undefined): Change {
  if (found === undefined) return { topic: name, version: 'deleted', deleted: true }
  const { status, counts, isMore, leavingPerSecond, newest, more, mark } = found
  const prefix = topicOf(kind).newest
  return {
    topic: name,
    version: versionOf([status, counts, isMore, leavingPerSecond, newest, mark]),
    ...(status !== undefined && { status }),
    ...(counts != null && { counts }),
    ...(isMore !== undefined && { isMore }),
    ...(leavingPerSecond !== undefined && { leavingPerSecond }),
    ...(newest != null && prefix !== undefined && { newestId: encodeId(prefix, newest as Id<IdPrefix>) }),
    ...(more !== undefined && { more }),
  }
}

const versionOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16)

const askedAbout = ({ projectId, id, found }: Watched): Asked => ({ projectId, id, since: sinceOf(found) })

/** Before the first of them there was none. */
const sinceOf = (found: Found | undefined): string | null =>
  found?.newest === undefined ? null : (found.newest ?? '00000000-0000-0000-0000-000000000000')
