/** What counting costs a mail on its way, and how long an answer of numbers takes when there are many. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createClient } from '../packages/sdk/src/index.ts'
import { Statistics } from '../src/resources/statistics/index.ts'
import type { Database } from '../src/storage/postgres.ts'
import { sql } from '../src/storage/sql.ts'
import { startReceiver } from './mail.ts'
import { startMailNode, type MailNode } from './mail-node.ts'
import { mailsFor, sendAll } from './sending.ts'
import { median, perSecond, rate, ratio, type Row } from './table.ts'

/** `BENCH_MAILS=500` tries it with few. */
const MAILS = Number(process.env['BENCH_MAILS'] ?? 5_000)
const ROUNDS = 7
const DAYS = 90
const REQUESTS = 100

export async function statistics(): Promise<Row[]> {
  const receiver = await startReceiver()
  const node = await startMailNode(receiver.port)
  const rows = [await costOfCounting(receiver.port, node), ...(await manyNumbers(node))]
  await node.stop()
  await receiver.stop()
  return rows
}

const folder = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))

/** Two nodes in turns; the one that does not count is the same program without the statements that count, and without an open page. */
async function costOfCounting(mxPort: number, counting: MailNode): Promise<Row> {
  const copy = folder('dist-uncounted')
  cpSync(folder('dist'), copy, { recursive: true })
  try {
    leaveOutCounting(`${copy}/resources/statistics/counting.js`)
    const plain = await startMailNode(mxPort, {}, `${copy}/main.js`)
    const rates = { counting: [] as number[], plain: [] as number[] }
    for (const node of [counting, plain]) await sendAll(node, mailsFor(node, MAILS))
    for (let round = 0; round < ROUNDS; round++) {
      const leave = openOverview(counting)
      rates.counting.push(await rateOf(counting))
      leave()
      rates.plain.push(await rateOf(plain))
    }
    await plain.stop()
    const [ours, theirs] = [median(rates.counting), median(rates.plain)]
    return {
      what: 'end to end, with everything counted and one open overview',
      ours: rate(ours),
      yardstick: `without counting ${rate(theirs)}`,
      result: ratio(ours, theirs),
      target: '≥ 0.97 ×',
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function leaveOutCounting(file: string): void {
  const source = readFileSync(file, 'utf8')
  const nothing = `import { sql } from '../../storage/sql.js'\n${source}`
    .replace('store.eventCounts(', '(() => sql`select`)(')
    .replace('recipients.length > 0', 'false')
  if (!nothing.includes('`select`') || !nothing.includes('if (false)')) throw new Error('counting is written otherwise')
  writeFileSync(file, nothing)
}

/** As the page does: it listens, and asks for the numbers again when something has changed. */
function openOverview({ api: { url, key = '' } }: MailNode): () => void {
  const leaving = new AbortController()
  const { call, stream } = createClient({ baseUrl: url, key })
  const watch = async (): Promise<void> => {
    const signal = leaving.signal
    for await (const { event } of await stream('GET /live', { query: { topics: 'overview,notices' }, signal })) {
      if (event !== 'change') continue
      const to = Date.now()
      const query = { from: new Date(to - 86_400_000).toISOString(), to: new Date(to).toISOString() }
      await call('GET /statistics/emails', { query, signal })
    }
  }
  watch().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error
  })
  return () => leaving.abort()
}

async function rateOf(node: MailNode): Promise<number> {
  const mails = mailsFor(node, MAILS)
  const startedAt = performance.now()
  await sendAll(node, mails)
  return perSecond(mails.count, performance.now() - startedAt)
}

/** Three months of a project that mails ten providers from two domains, in both ways, at every hour. */
async function manyNumbers(node: MailNode): Promise<Row[]> {
  await node.inDatabase(fill)
  const to = new Date()
  const time = `from=${new Date(to.getTime() - DAYS * 86_400_000).toISOString()}&to=${to.toISOString()}&step=hour`
  const asked = { 'one series': '', 'by provider': '&groupBy=provider', 'one provider': '&provider=google' }
  const rows: Row[] = []
  for (const [what, more] of Object.entries(asked)) {
    const times: number[] = []
    for (let i = 0; i < REQUESTS; i++) {
      const startedAt = performance.now()
      const { status, text } = await node.api.get(`statistics/emails?${time}${more}&timeZone=Europe/Zurich`)
      if (status !== 200) throw new Error(text)
      times.push(performance.now() - startedAt)
    }
    const p95 = times.toSorted((a, b) => a - b)[Math.floor(REQUESTS * 0.95)] ?? 0
    const target = more === '' ? 'p95 ≤ 50 ms' : ''
    const ours = `p50 ${median(times).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`
    rows.push({ what: `numbers of ${DAYS} days by hour, ${what}`, ours, yardstick: '', result: '', target })
  }
  return rows
}

async function fill(db: Database): Promise<void> {
  const waiting = async () => ({ recipients: 0, isMore: false, oldestAt: null })
  const nothing = async (): Promise<void> => undefined
  const require = { domain: nothing, template: nothing, endpoint: nothing }
  const numbers = new Statistics({ db, retainDays: 730, waiting, require })
  for (let day = 1; day < DAYS; day++) {
    await db.run(sql`
      insert into statistics_added
        (project_id, at, domain_id, provider, source, template_id, tag, kind, latency, recipients)
      select p.id, date_trunc('hour', now()) - ${day} * interval '1 day' + hour * interval '1 hour',
             ('00000000-0000-0000-0000-00000000000' || domain)::uuid, provider, source,
             '00000000-0000-0000-0000-000000000000', '', kind, case kind when 'delivered' then hour % 12 end, 500
        from projects p, generate_series(0, 23) as hour, generate_series(1, 2) as domain,
             unnest('{google,microsoft,yahoo,apple,comcast,united-internet,orange,proton,fastmail,other}'::text[]) as provider,
             unnest('{transactional,broadcast}'::text[]) as source,
             unnest('{accepted,delivered,deferred,bounced,opened}'::text[]) as kind`)
    await numbers.fold(async () => {}, new AbortController().signal)
  }
  await db.run(sql`vacuum analyze statistics_hours`)
}
