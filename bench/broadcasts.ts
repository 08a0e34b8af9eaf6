/** A broadcast to a million: how quickly its recipients are written down, and what else waits for it meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises'
import { addContacts, newAudience } from './crowd.ts'
import { mail, startReceiver } from './mail.ts'
import { startMailNode, type MailNode } from './mail-node.ts'
import { watchMemory } from './node.ts'
import { perSecond, rate, type Row } from './table.ts'

const CONTACTS = 1_000_000
/** Ordinary mails that are sent while the broadcast leaves. */
const ORDINARY = 100

export async function broadcasts(): Promise<Row[]> {
  const receiver = await startReceiver()
  const node = await startMailNode(receiver.port)
  const audienceId = await newAudience(node)
  await addContacts(node, audienceId, 0, CONTACTS)
  const alone = await delays(node)
  const memory = watchMemory(node)
  const expansion = await expand(node, audienceId)
  const during = await delays(node)
  const peak = memory.stop()
  await node.stop()
  await receiver.stop()
  return [
    {
      what: `recipients of a broadcast to ${CONTACTS.toLocaleString('en')}, written down`,
      ours: rate(perSecond(CONTACTS, expansion)),
      yardstick: '',
      result: `${(expansion / 1_000).toFixed(1)} s`,
      target: '≥ 20,000/s',
    },
    {
      what: 'the largest process meanwhile',
      ours: `${peak.toFixed(0)} MB`,
      yardstick: '',
      result: '',
      target: '≤ 400 MB',
    },
    {
      what: 'an ordinary mail, from our yes to that of its server, while the broadcast leaves',
      ours: `p50 ${at(during, 0.5)}, p99 ${at(during, 0.99)}`,
      yardstick: `without a broadcast: p50 ${at(alone, 0.5)}, p99 ${at(alone, 0.99)}`,
      result: '',
      target: '≤ 2 s',
    },
  ]
}

/** Until the last recipient is written down, in milliseconds. */
async function expand({ api, from }: MailNode, audienceId: string): Promise<number> {
  const { html } = mail(from, '', 1)
  const draft = { audienceId, from, subject: 'News for {{ firstName }}', html }
  const { body } = await api.post<{ id: string }>('broadcasts', draft)
  const startedAt = performance.now()
  const { status, text } = await api.post(`broadcasts/${body.id}/send`)
  if (status !== 202) throw new Error(text)
  for (;;) {
    const { stats } = (await api.get<{ stats: { recipients: number } }>(`broadcasts/${body.id}`)).body
    if (stats.recipients === CONTACTS) return performance.now() - startedAt
    await sleep(50)
  }
}

/** Of ordinary mails that are sent a tenth of a second apart, sorted. */
async function delays({ api, from }: MailNode): Promise<number[]> {
  const ids: string[] = []
  for (let i = 0; i < ORDINARY; i++) {
    const { body } = await api.post<{ id: string }>('email/send', mail(from, `ordinary${i}@sink.test`, i))
    ids.push(body.id)
    await sleep(100)
  }
  const found: number[] = []
  for (const id of ids) found.push(await delayOf(api, id))
  return found.toSorted((a, b) => a - b)
}

async function delayOf(api: MailNode['api'], id: string): Promise<number> {
  for (;;) {
    const { createdAt, sentAt } = (await api.get<{ createdAt: string; sentAt: string | null }>(`emails/${id}`)).body
    if (sentAt !== null) return Date.parse(sentAt) - Date.parse(createdAt)
    await sleep(100)
  }
}

const at = (sorted: readonly number[], share: number): string =>
  `${(sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(0)} ms`
