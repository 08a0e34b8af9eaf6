import type { Client, Reply } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import type { Receiver } from '../support/receiver.ts'
import type { MailNumbers } from '../support/statistics.ts'

/** Something that happened to one recipient. */
interface Happened {
  kind: string
  at: string
  /** Written `name:value`. */
  tag: string
}

interface Listed {
  data: { createdAt: string; tags: Record<string, string> }[]
  nextCursor: string | null
}

/** What a receiver of webhooks was told, each event once however often it came. */
export function toldTo({ heard }: Receiver): Map<string, { kind: string; at: string; recipient: string }> {
  const told = new Map<string, { kind: string; at: string; recipient: string }>()
  for (const { headers, body } of heard) {
    const { type = '', timestamp: at = '', recipient = '' } = body
    told.set(headers['webhook-id'] ?? '', { kind: type.replace('email.', ''), at, recipient })
  }
  return told
}

/** A connection to a process that was killed may still be in use. */
const ask = <Body>(api: Client, path: string): Promise<Reply<Body>> =>
  eventually(`an answer to ${path}`, async () => {
    const reply = await api.get<Body>(path).catch(() => undefined)
    return reply?.status === 200 && reply
  })

/** When every email was accepted. */
export async function acceptedIn(api: Client): Promise<Happened[]> {
  const found: Happened[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body }: Reply<Listed> = await ask<Listed>(api, `emails?limit=100${cursor && `&cursor=${cursor}`}`)
    for (const { createdAt, tags } of body.data) {
      found.push({
        kind: 'accepted',
        at: createdAt,
        tag: Object.entries(tags)
          .map((tag) => tag.join(':'))
          .join(),
      })
    }
    cursor = body.nextCursor
  }
  return found
}

/**
 * Compares the statistics of the last day with what happened, for each minute, kind and tag: how many numbers there are, and
 * those that differ.
 */
export async function comparedCells(
  api: Client,
  happened: readonly Happened[],
): Promise<{ cells: number; wrong: string[] }> {
  const expected = new Map<string, number>()
  for (const { kind, at, tag } of happened) {
    for (const group of ['', tag]) {
      const cell = `${group} ${at.slice(0, 16)} ${kind}`
      expected.set(cell, (expected.get(cell) ?? 0) + 1)
    }
  }
  const counted = new Map<string, number>()
  const [from, to] = [-86_400_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString())
  for (const group of ['', '&groupBy=tag']) {
    const { body } = await ask<MailNumbers>(api, `statistics/emails?from=${from}&to=${to}&step=minute${group}`)
    for (const { key, points } of body.series)
      for (const { at, ...counts } of points)
        for (const [kind, count] of Object.entries(counts))
          if (count !== 0) counted.set(`${group && key} ${String(at).slice(0, 16)} ${kind}`, count)
  }
  const cells = new Set([...expected.keys(), ...counted.keys()])
  const wrong = [...cells].filter((cell) => expected.get(cell) !== counted.get(cell))
  return {
    cells: cells.size,
    wrong: wrong.map((cell) => `${cell}: ${counted.get(cell) ?? 0} instead of ${expected.get(cell) ?? 0}`),
  }
}
