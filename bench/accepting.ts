/** What it costs to accept mail durably, beside a loop that only inserts. Nothing is delivered meanwhile. */
import { randomUUID } from 'node:crypto'
import { newId, type EmailId, type ProjectId } from '../src/core/ids.ts'
import { insertContents, insertDeliveries, insertEmails } from '../src/resources/emails/store/accept.ts'
import type { Database } from '../src/storage/postgres.ts'
import { sql } from '../src/storage/sql.ts'
import { measure } from './load.ts'
import { mail } from './mail.ts'
import { startMailNode, type MailNode } from './mail-node.ts'
import { median, perSecond, rate, ratio, type Row } from './table.ts'

const BATCH = 100
const SECONDS = 4
const ROUNDS = 3

export async function accepting(): Promise<Row[]> {
  const node = await startMailNode(1, { ROLES: 'api' })
  const [batches, singles, sameRows, plain]: number[][] = [[], [], [], []]
  await node.inDatabase((db) => db.run(sql`create table bench_rows (id uuid primary key, html text, text text)`))
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = [
      BATCH * (await send(node, 'batch', 4)),
      await send(node, 'send', 64),
      await node.inDatabase((db) => loop(db, insertSameRows)),
      await node.inDatabase((db) => loop(db, insertPlainRows)),
    ]
    // The first round only warms up.
    if (round > 0) [batches, singles, sameRows, plain].forEach((all, i) => all?.push(measured[i] ?? 0))
  }
  await node.stop()
  const [ours, single, same, bare] = [batches, singles, sameRows, plain].map((all) => median(all ?? []))
  const row = (what: string, value = 0, name: string, theirs = 0, target: string): Row => ({
    what,
    ours: rate(value),
    yardstick: `${name} ${rate(theirs)}`,
    result: ratio(value, theirs),
    target,
  })
  return [
    row('accepted in batches of 100', ours, 'bare loop, the same rows', same, '≥ 0.6 ×'),
    row('accepted in batches of 100 (2)', ours, 'bare loop, one table', bare, ''),
    row('accepted one by one', single, 'bare loop, the same rows', same, ''),
  ]
}

/** Requests per second. */
async function send(
  { port, projectKey, from }: MailNode,
  kind: 'send' | 'batch',
  connections: number,
): Promise<number> {
  const one = (i: number) => mail(from, `user${i}@sink.test`, i)
  const body = kind === 'send' ? one(0) : { emails: Array.from({ length: BATCH }, (_, i) => one(i)) }
  const headers = { authorization: `Bearer ${projectKey}`, 'content-type': 'application/json' }
  const load = { port, path: `/api/v1/email/${kind}`, headers, body: JSON.stringify(body), expected: 202 }
  return (await measure({ ...load, connections, seconds: SECONDS })).perSecond
}

/** Rows per second, in batches, over two connections. */
async function loop(db: Database, insert: (db: Database) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  const end = startedAt + SECONDS * 1_000
  let rows = 0
  const inserter = async (): Promise<void> => {
    while (performance.now() < end) {
      await insert(db)
      rows += BATCH
    }
  }
  await Promise.all([inserter(), inserter()])
  return perSecond(rows, performance.now() - startedAt)
}

async function insertPlainRows(db: Database): Promise<void> {
  const { html, text } = mail('', '', 0)
  await db.run(sql`
    insert into bench_rows
    select * from unnest(${batch(() => randomUUID())}::uuid[], ${batch(() => html)}::text[], ${batch(() => text)}::text[])`)
}

/** What an accepted batch leaves behind, without anybody having asked for it, read it or checked it. */
async function insertSameRows(db: Database): Promise<void> {
  const projectId = randomUUID() as ProjectId
  const createdAt = new Date()
  const rows = batch((i) => ({ ...mail('shop@bench.example', `user${i}@sink.test`, i), id: newId<'em'>() }))
  const emails = rows.map(({ id, from, to }) => emailRow(id, projectId, from, to, createdAt))
  await db.transaction(async (tx) => {
    await Promise.all([
      insertContents(
        tx,
        rows.map(({ id, subject, html, text }) => ({ ...contentRow(id, projectId), subject, html, text })),
      ),
      insertEmails(tx, emails),
      insertDeliveries(
        tx,
        rows.map(({ id, to }) => deliveryRow(id, projectId, to, createdAt)),
      ),
    ])
  })
}

const contentRow = (id: string, projectId: ProjectId) => ({
  id,
  projectId,
  headers: {},
  variables: {},
  templateId: null,
  templateVersion: null,
  size: 4_000,
})

const emailRow = (id: EmailId, projectId: ProjectId, from: string, to: string, createdAt: Date) => ({
  id,
  projectId,
  contentId: id,
  domainId: null,
  batchId: null,
  keyId: newId<'key'>(),
  personId: null,
  sender: from,
  addresses: { from: { name: '', email: from }, replyTo: [], recipients: [{ name: '', email: to, kind: 'to' }] },
  tags: {},
  options: { metadata: {}, tracking: { opens: false, clicks: false }, inReplyTo: null },
  sendAt: null,
  createdAt,
})

const deliveryRow = (emailId: EmailId, projectId: ProjectId, recipient: string, dueAt: Date) => ({
  id: newId<'em'>(),
  projectId,
  emailId,
  position: 0,
  recipient,
  domain: 'sink.test',
  destination: null,
  state: 'ready' as const,
  dueAt,
})

const batch = <T>(one: (i: number) => T): T[] => Array.from({ length: BATCH }, (_, i) => one(i))
