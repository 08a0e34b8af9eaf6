import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../support/client.ts'

/** The clients' ledger. What is in `asked` and not in `acknowledged` may or may not be sent; nobody promised anything. */
export interface Ledger {
  asked: Set<string>
  /** Recipients whose mail was answered with 202, and when. */
  acknowledged: Map<string, number>
  /** Requests that failed or were cut off, and were asked again with the same key. */
  repeated: number
  /** Those of them that had been committed although nobody was told: the answer to the repetition says so. */
  committedUnheard: number
  /** Answers that were neither 202 nor a plain "not now" (429, 503). */
  surprises: string[]
}

export const newLedger = (): Ledger => ({
  asked: new Set(),
  acknowledged: new Map(),
  repeated: 0,
  committedUnheard: 0,
  surprises: [],
})

export interface Post {
  /** Wherever the API is now: it may move from node to node. */
  api: () => Client
  from: string
  /** One mail each; those of one post go together. */
  to: readonly string[]
  tagsOf?: (recipient: string) => Record<string, string>
}

/** Asks until it is acknowledged, as a careful client does: with an idempotency key, and a short wait after a failure. */
export async function post({ api, from, to, tagsOf }: Post, ledger: Ledger): Promise<void> {
  const emails = to.map((recipient) => ({
    from,
    to: recipient,
    subject: 'Hello',
    html: '<p>Hello there.</p>',
    ...(tagsOf && { tags: tagsOf(recipient) }),
  }))
  for (const recipient of to) ledger.asked.add(recipient)
  const [path, body] = emails.length === 1 ? ['email/send', emails[0]] : ['email/batch', { emails }]
  for (let attempt = 0; ; attempt++) {
    const reply = await api()
      .post(path, body, { 'Idempotency-Key': `chaos ${to[0]}` })
      .catch(() => undefined)
    if (reply?.status === 202) {
      if (attempt > 0 && reply.headers.get('idempotency-replayed') === 'true') ledger.committedUnheard++
      for (const recipient of to) ledger.acknowledged.set(recipient, performance.now())
      return
    }
    // 409: the first one with this key is still under way somewhere. What is refused for good is not asked again.
    if (reply && ![409, 429, 503].includes(reply.status)) {
      ledger.surprises.push(`${reply.status} ${reply.text}`)
      if (reply.status < 500) return
    }
    ledger.repeated++
    await sleep(50)
  }
}

/** Posts one after the other from several sides at once, until there are no more. */
export async function postAll(posts: Iterable<Post>, ledger: Ledger, sides = 8): Promise<void> {
  const waiting = posts[Symbol.iterator]()
  const side = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await post(next.value, ledger)
  }
  await Promise.all(Array.from({ length: sides }, side))
}
