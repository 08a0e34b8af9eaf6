import { Client, type Reply } from '../support/client.ts'
import { newLedger, postAll, type Ledger } from './senders.ts'

/** What callers heard, whatever became of it. */
export interface Heard {
  /** How often each status was the answer; 0 stands for none at all. */
  statuses: Map<number, number>
  slowestMs: number
}

export interface Stream {
  ledger: Ledger
  heard: Heard
  /** Nobody begins anything more, and everybody comes to an end: false when they do not in time. */
  stop(withinMs?: number): Promise<boolean>
}

interface StreamOptions {
  /** Those that take requests now; callers spread over them, and turn to another one when theirs has failed. */
  apis: () => readonly Client[]
  from: string
  sites: readonly string[]
  sides?: number
}

/** Callers that never tire: one mail after the other, to everywhere in turn, until they are told to stop. */
export function startStream({ apis, from, sites, sides = 8 }: StreamOptions): Stream {
  const ledger = newLedger()
  const heard: Heard = { statuses: new Map(), slowestMs: 0 }
  const wish = { isOver: false }
  let turn = 0
  const api = (): Client => {
    const present = apis()
    const { url, key } = present[turn++ % present.length]!
    return new Witness(url, key, heard)
  }
  function* posts() {
    for (let i = 0; !wish.isOver; i++) yield { api, from, to: [`user${i}@${sites[i % sites.length]}`] }
  }
  const ended = postAll(posts(), ledger, sides).then(() => true)
  return {
    ledger,
    heard,
    stop: (withinMs = 60_000) => {
      wish.isOver = true
      return Promise.race([ended, new Promise<boolean>((resolve) => void setTimeout(resolve, withinMs, false).unref())])
    },
  }
}

/** Anything but a mail that was taken, a plain "not now", or "the first one with this key is still under way". */
export const unplain = ({ statuses }: Heard): number[] =>
  [...statuses.keys()].filter((status) => ![202, 409, 429, 503].includes(status))

export const inWords = ({ statuses, slowestMs }: Heard): string => {
  const counts = [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, times]) => `${times} × ${status || 'nothing'}`)
  return `${counts.join(', ')}, the slowest after ${seconds(slowestMs)}`
}

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

class Witness extends Client {
  readonly #heard: Heard

  constructor(url: string, key: string | undefined, heard: Heard) {
    super(url, key)
    this.#heard = heard
  }

  override async post<B>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply<B>> {
    const askedAt = performance.now()
    let status = 0
    try {
      const reply = await super.post<B>(path, body, headers)
      status = reply.status
      return reply
    } finally {
      this.#heard.statuses.set(status, (this.#heard.statuses.get(status) ?? 0) + 1)
      this.#heard.slowestMs = Math.max(this.#heard.slowestMs, performance.now() - askedAt)
    }
  }
}
