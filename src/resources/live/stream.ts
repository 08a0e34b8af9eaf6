import { COMMENT, eventText } from '../../core/event-text.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Scope } from '../../core/scopes.ts'
import { COMMENT_AFTER_MS, MAX_STREAM_MS, MAX_UNREAD_MS } from './limits.ts'
import type { Change } from './schema.ts'

/** Whoever listens, and how to ask whether they still may. */
export interface Listener {
  /** The session or the key. */
  holder: string
  projectId: ProjectId
  /** What the topics of the stream can be read with. */
  scopes: ReadonlySet<Scope>
  admitAgain(): Promise<{ mayRead(scope: Scope): boolean }>
}

interface Pull {
  resolve(result: IteratorResult<string, undefined>): void
}

/**
 * One client's events. They are pulled by whoever sends them, as fast as the client reads. What it has not read yet is
 * the last change of each topic and no more, so a slow client costs no memory.
 */
export class LiveStream implements AsyncIterableIterator<string, undefined> {
  readonly listener: Listener
  readonly #openedAt: number
  readonly #onEnd: (stream: LiveStream) => void
  readonly #changes = new Map<string, Change>()
  #first = ''
  #isCommentDue = false
  #pull: Pull | undefined
  #isEnded = false
  /** When the client last took something, and since when something waits for it. */
  #takenAt: number
  #waitsSince: number | undefined

  constructor(listener: Listener, now: number, onEnd: (stream: LiveStream) => void) {
    this.listener = listener
    this.#openedAt = now
    this.#takenAt = now
    this.#onEnd = onEnd
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  greet(hello: { version: string; at: string }, changes: readonly Change[]): void {
    this.#first = [eventText('hello', hello), ...changes.map(written)].join('')
  }

  tell(change: Change, now: number): void {
    const waiting = this.#changes.get(change.topic)
    const isSum = waiting?.more !== undefined && change.more !== undefined
    this.#changes.set(change.topic, isSum ? { ...change, more: (waiting.more ?? 0) + (change.more ?? 0) } : change)
    this.#offer(now)
  }

  /** Ends a stream that is over or that its client does not read, and sends the comment that keeps the others open. */
  pass(now: number): void {
    const isUnread = this.#waitsSince !== undefined && now - this.#waitsSince >= MAX_UNREAD_MS
    if (isUnread || now - this.#openedAt >= MAX_STREAM_MS) return this.end()
    if (now - this.#takenAt < COMMENT_AFTER_MS) return
    this.#isCommentDue = true
    this.#offer(now)
  }

  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#pull?.resolve({ done: true, value: undefined })
    this.#onEnd(this)
  }

  next(): Promise<IteratorResult<string, undefined>> {
    if (this.#isEnded) return Promise.resolve({ done: true, value: undefined })
    const text = this.#take()
    if (text !== '') return Promise.resolve({ done: false, value: text })
    return new Promise((resolve) => (this.#pull = { resolve }))
  }

  /** The client has gone. */
  return(): Promise<IteratorResult<string, undefined>> {
    this.end()
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #offer(now: number): void {
    const pull = this.#pull
    if (pull === undefined) {
      this.#waitsSince ??= now
      return
    }
    this.#pull = undefined
    this.#takenAt = now
    pull.resolve({ done: false, value: this.#take() })
  }

  #take(): string {
    const text = this.#first + [...this.#changes.values()].map(written).join('')
    const isSilent = text === '' && this.#isCommentDue
    this.#first = ''
    this.#changes.clear()
    this.#isCommentDue = false
    this.#waitsSince = undefined
    return isSilent ? COMMENT : text
  }
}

const written = (change: Change): string => eventText('change', change)
