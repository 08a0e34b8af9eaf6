import { expect } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { recordOf, type ShownDomain } from './domains.ts'
import { hand, intakeOf } from './receiving.ts'
import type { World } from './world.ts'

export interface DmarcAnswer {
  data: {
    key: string
    kind: string | null
    name: string | null
    messages: number
    dkimAligned: number
    spfAligned: number
    dispositions: { none: number; quarantine: number; reject: number }
  }[]
  reports: number
  from: string
  to: string
}

export interface AdviceAnswer {
  policy: string | null
  next: string | null
  reports: number
  messages: number
  wouldLose: {
    messages: number
    share: number
    sources: { key: string; kind: string; name: string | null; messages: number }[]
  }
}

/** The address that the advised record asks for reports at. */
export function addressIn(domain: ShownDomain): string {
  const [, address] =
    /^v=DMARC1; p=none; rua=mailto:(dmarc\+[0-9a-f]{32}@\S+)$/.exec(recordOf(domain, 'dmarc').value) ?? []
  expect(address, recordOf(domain, 'dmarc').value).toBeDefined()
  return address!
}

/** Without a mail server and a worker. */
export async function receive(
  world: Pick<World, 'services' | 'db'>,
  to: string,
  mails: readonly Buffer[],
): Promise<void> {
  const intake = intakeOf(world)
  for (const mail of mails) await hand(intake, to, mail)
  await processAll(world)
}

export async function processAll({ db, services }: Pick<World, 'services' | 'db'>): Promise<void> {
  const unread = await db.all(sql<{ id: string }>`select id from received_messages where state = 'unread'`)
  await services.receivedProcessor.processAll(unread.map(({ id }) => id))
}

export const outcomes = async ({ db }: Pick<World, 'db'>): Promise<(string | null)[]> =>
  (await db.all(sql<{ outcome: string | null }>`select outcome from received_reports order by id`)).map(
    (row) => row.outcome,
  )

/** The sums of an answer. */
export function totals({ data }: DmarcAnswer) {
  const total = { messages: 0, dkimAligned: 0, spfAligned: 0, none: 0, quarantine: 0, reject: 0 }
  for (const { messages, dkimAligned, spfAligned, dispositions } of data) {
    total.messages += messages
    total.dkimAligned += dkimAligned
    total.spfAligned += spfAligned
    for (const word of ['none', 'quarantine', 'reject'] as const) total[word] += dispositions[word]
  }
  return total
}
