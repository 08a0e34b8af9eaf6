import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { compose } from '../../src/app/compose.ts'
import { Vault } from '../../src/app/vault.ts'
import { loadConfig } from '../../src/config/load.ts'
import { systemClock } from '../../src/core/clock.ts'
import {
  encodeId,
  newId,
  type AutomationId,
  type BatchId,
  type BroadcastId,
  type DomainId,
  type ProjectId,
  type TemplateId,
  type WorkspaceId,
} from '../../src/core/ids.ts'
import { decodeCursor } from '../../src/core/page.ts'
import { sql } from '../../src/storage/sql.ts'
import { freshDatabase } from '../support/database.ts'
import { entriesRead } from '../support/entries-read.ts'
import { some } from '../support/runs.ts'

// One connection: what it reads is counted.
const { db, drop } = await freshDatabase(1)
afterAll(drop)
const config = loadConfig({ MASTER_KEY: randomBytes(32).toString('hex') })
/** How long a search has taken is what this clock says: nothing, unless a test sets how long each look takes. */
let lookMs = 0
let passedMs = 0
const steady = { now: () => (passedMs += lookMs) }
const { emails } = compose(db, new Vault(config, db), config, systemClock, { steady })

const COUNT = 30_000
const START = Date.parse('2026-01-01T00:00:00Z')
const STEP_MS = 10_000
const TABLES = ['emails', 'recipients', 'deliveries', 'contents', 'email_tags']
/** A thousand candidates of two filters in three projects, with what is looked up for each of them. */
const BOUND = 8_000
/** What is not finished has no index by its state: ten times as many are looked at. */
const BOUND_UNFINISHED = 18_000

interface Made {
  n: number
  project: string
  status: string
  to: string
  from: string
  tag: string
  batchId: string
  domainId: string
  templateId: string
  source: string
  broadcastId: string
  automationId: string
  createdAt: number
}

const workspace = randomUUID() as WorkspaceId
const project = randomUUID() as ProjectId
const batchOf = (n: number): BatchId =>
  `019b7000-0000-7000-8000-${String(Math.floor(n / 100)).padStart(12, '0')}` as BatchId

/** Ids that say their number. */
const numbered = (n: number): string => `019b7000-0000-7000-8000-${String(n).padStart(12, '0')}`

/** Broadcasts take their turns, one in each stretch of 3,000 emails; automations run all the time. */
const broadcastOf = (n: number): number => Math.floor(n / 3_000)
const automationOf = (n: number): number => 100 + (Math.floor(n / 20) % 3)

/** Mail of three projects, every tenth in another one than the rest; filters that are as common as can be, or rare. */
const made: Made[] = Array.from({ length: COUNT }, (_, n) => ({
  n,
  project: n % 10 === 9 ? 'second' : n % 1_000 === 500 ? 'foreign' : 'first',
  status: statusOf(n),
  to: n % 9_000 === 77 ? 'rare@to.test' : `${n % 2}@to.test`,
  from: n % 7_000 === 77 ? 'rare@from.test' : `${Math.floor(n / 2) % 2}@from.test`,
  // Of every sender one kind, so that the other kind never goes with it.
  tag: n % 8_000 === 77 ? 'kind:rare' : `kind:${Math.floor(n / 2) % 2}`,
  batchId: encodeId('bat', batchOf(n)),
  domainId: encodeId('dom', numbered(n % 3) as DomainId),
  templateId: encodeId('tpl', numbered(n % 4) as TemplateId),
  source: sourceOf(n),
  broadcastId: sourceOf(n) === 'broadcast' ? encodeId('brd', numbered(broadcastOf(n)) as BroadcastId) : '',
  automationId: sourceOf(n) === 'automation' ? encodeId('aut', numbered(automationOf(n)) as AutomationId) : '',
  createdAt: START + n * STEP_MS,
}))

function sourceOf(n: number): string {
  if (n % 4_000 > 3_980) return 'automation'
  return n % 2 === 1 ? 'broadcast' : 'transactional'
}

function statusOf(n: number): string {
  if (n >= COUNT - 8_000) return n % 2_000 === 78 ? 'scheduled' : n % 3 === 0 ? 'deferred' : 'queued'
  return n % 5_000 === 78 ? 'failed' : n % 16 < 8 ? 'delivered' : 'bounced'
}

const at = (n: number): string => new Date(START + n * STEP_MS).toISOString()

const values: Record<string, string[]> = {
  status: ['bounced', 'failed', 'scheduled', 'deferred'],
  to: ['0@to.test', 'rare@to.test'],
  from: ['0@from.test', 'rare@from.test'],
  tag: ['kind:1', 'kind:rare'],
  batchId: [encodeId('bat', batchOf(12_345))],
  domainId: [encodeId('dom', numbered(1) as DomainId)],
  templateId: [encodeId('tpl', numbered(2) as TemplateId)],
  source: ['transactional', 'broadcast', 'automation'],
  broadcastId: [encodeId('brd', numbered(1) as BroadcastId), encodeId('brd', numbered(8) as BroadcastId)],
  automationId: [encodeId('aut', numbered(101) as AutomationId)],
  createdAfter: [at(29_900), at(100)],
  createdBefore: [at(20_000), at(30)],
}

type Query = Record<string, string>

const singles: Query[] = Object.entries(values).flatMap(([name, all]) => all.map((value) => ({ [name]: value })))
const pairs: Query[] = singles.flatMap((one, i) =>
  singles
    .slice(i + 1)
    .flatMap((other) => (Object.keys(one)[0] === Object.keys(other)[0] ? [] : [{ ...one, ...other }])),
)

const matches = (query: Query, email: Made): boolean =>
  Object.entries(query).every(([name, value]) => {
    if (name === 'createdAfter') return email.createdAt > Date.parse(value)
    if (name === 'q') return value.split(' ').every((word) => String(email.n).includes(word))
    if (name === 'createdBefore') return email.createdAt < Date.parse(value)
    return email[name as keyof Made] === value
  })

const expected = (query: Query, whole: boolean): string[] =>
  made
    .filter((email) => email.project === 'first' || (whole && email.project === 'second'))
    .filter((email) => matches(query, email))
    .map(({ n }) => String(n))
    .toReversed()

async function fill(): Promise<void> {
  const projects = { first: project, second: randomUUID(), foreign: randomUUID() }
  const stranger = randomUUID()
  await db.run(sql`insert into workspaces (id, name) values (${workspace}, 'Ours'), (${stranger}, 'Theirs')`)
  await db.run(sql`
    insert into projects (id, workspace_id, name)
    values (${projects.first}, ${workspace}, '1'), (${projects.second}, ${workspace}, '2'),
           (${projects.foreign}, ${stranger}, '3')`)
  const id = sql`lpad(to_hex((extract(epoch from created) * 1000)::bigint), 12, '0') || lpad(to_hex(n), 20, '0')`
  await db.run(sql`
    create table made as
    select (${id})::uuid as id, n, project_id, status, recipient, sender, tag, batch_id, created
      from (select n, project_id, status, recipient, sender, tag, batch_id,
                   to_timestamp(${START / 1_000} + n * ${STEP_MS / 1_000}) as created
              from unnest(${made.map(({ n }) => n)}::int[],
                          ${made.map((one) => projects[one.project as keyof typeof projects])}::uuid[],
                          ${made.map(({ status }) => status)}::text[], ${made.map(({ to }) => to)}::text[],
                          ${made.map(({ from }) => from)}::text[], ${made.map(({ tag }) => tag.slice(5))}::text[],
                          ${made.map(({ n }) => batchOf(n))}::uuid[])
                   as m (n, project_id, status, recipient, sender, tag, batch_id)) m`)
  await db.run(sql`
    insert into contents (id, project_id, subject, size, template_id, template_version)
    select id, project_id, n::text, 0, ('019b7000-0000-7000-8000-' || lpad((n % 4)::text, 12, '0'))::uuid, 1 from made`)
  await db.run(sql`
    insert into emails (id, project_id, content_id, batch_id, sender, addresses, tags, created_at, domain_id,
                        broadcast_id, contact_id, run_id, step)
    select id, project_id, id, batch_id, sender, '{"from":{"name":"","email":"a@b.test"},"replyTo":[],"recipients":[]}',
           jsonb_build_object('kind', tag), created, domain_id, broadcast_id, id, run_id, 'a'
      from made
      join unnest(${made.map(({ n }) => n)}::int[], ${made.map(({ n }) => numbered(n % 3))}::uuid[],
                  ${made.map(({ n }) => (sourceOf(n) === 'broadcast' ? numbered(broadcastOf(n)) : null))}::uuid[],
                  ${made.map(({ n }) => (sourceOf(n) === 'automation' ? numbered(1_000 + n) : null))}::uuid[])
             as more (n, domain_id, broadcast_id, run_id) using (n)`)
  await origins()
  await db.run(sql`
    insert into recipients (email_id, position, project_id, recipient, state, attempts)
    select id, 0, project_id, recipient, status, 1 from made where status not in ('queued', 'scheduled', 'deferred')`)
  await db.run(sql`
    insert into deliveries (id, project_id, email_id, position, recipient, destination, lane, state, lease_no)
    select gen_random_uuid(), project_id, id, 0, recipient, 'to.test', 0,
           case status when 'queued' then 'ready' else 'waiting' end, case status when 'deferred' then 1 else 0 end
      from made where status in ('queued', 'scheduled', 'deferred')`)
}

/** The domains, templates, broadcasts and automations that the emails come from, all of the first project. */
async function origins(): Promise<void> {
  const ids = (...numbers: number[]) => sql`unnest(${numbers.map(numbered)}::uuid[]) as origin (id)`
  await db.run(sql`
    insert into domains (id, project_id, name) select id, ${project}, id::text from ${ids(0, 1, 2)}`)
  await db.run(sql`
    insert into template_versions (template_id, version, project_id, subject, html, text, variables)
    select id, 1, ${project}, '', '', '', '[]' from ${ids(0, 1, 2, 3)}`)
  const broadcasts = Array.from({ length: COUNT / 3_000 }, (_, i) => i)
  await db.run(sql`
    insert into broadcasts (id, project_id, audience_id, status, sender, started_at, fed_at, expanded_at, completed_at,
                            content_id, sent_as)
    select id, ${project}, id, 'sent', 'a@b.test', started, started + interval '30000 s', started, now(), id, '{}'
      from unnest(${broadcasts.map(numbered)}::uuid[], ${broadcasts.map((i) => at(i * 3_000))}::timestamptz[])
             as b (id, started)`)
  await db.run(sql`
    insert into automations (id, project_id, name, enabled, reentry, version, audience_id, created_at)
    select id, ${project}, '', false, 'never', 1, id, ${at(0)} from ${ids(100, 101, 102)}`)
  const automated = made.filter(({ source }) => source === 'automation').map(({ n }) => n)
  await db.run(sql`
    insert into automation_runs (id, project_id, automation_id, version, contact_id, status, finished_at)
    select id, ${project}, automation, 1, id, 'completed', now()
      from unnest(${automated.map((n) => numbered(1_000 + n))}::uuid[],
                  ${automated.map((n) => numbered(automationOf(n)))}::uuid[]) as r (id, automation)`)
}

const whoseOf = (whole: boolean) => ({
  workspaceId: workspace,
  projectId: whole ? null : project,
  keyId: newId<'key'>(),
  contentAccess: 'all' as const,
})

async function list(query: Query, whole: boolean, cursor: string | null = null) {
  const request = { limit: 25, after: cursor === null ? null : decodeCursor(cursor) }
  const { data, hasMore, nextCursor } = await emails.list(whoseOf(whole), query, request)
  return { subjects: data.map(({ subject }) => subject), hasMore, nextCursor }
}

test('any filter and any two of them read little, with a bound key and with one of the workspace', async () => {
  // As it is known in a young installation: nobody has counted the tables since they were empty.
  await db.run(sql`vacuum analyze emails, recipients, deliveries, contents, email_tags`)
  await fill()
  await check('workspace')
  await db.run(sql`analyze emails, recipients, deliveries, contents, email_tags, projects`)
  await db.run(sql`discard plans`)
  await check('project')
})

async function check(of: 'project' | 'workspace'): Promise<void> {
  const whole = of === 'workspace'
  const tooMuch: string[] = []
  for (const query of [{}, ...singles, ...some(pairs)]) {
    const name = `${of}, ${JSON.stringify(query)}`
    let page = { subjects: [''], hasMore: false }
    const read = await entriesRead(db, TABLES, async () => {
      page = await list(query, whole)
    })
    const isUnfinished = ['scheduled', 'deferred'].includes(query['status'] ?? '')
    if (read > (isUnfinished ? BOUND_UNFINISHED : BOUND)) tooMuch.push(`${name}: ${read}`)
    // As much as was found is right, and where there is more the page says so.
    const all = expected(query, whole)
    expect(page.subjects, name).toEqual(all.slice(0, page.subjects.length))
    if (page.subjects.length < all.length) expect(page.hasMore, name).toBe(true)
  }
  expect(tooMuch).toEqual([])
}

test('a single filter fills its page, however rare what it asks for', async () => {
  for (const query of singles) {
    const all = expected(query, false)
    const { subjects } = await list(query, false)
    expect(subjects, JSON.stringify(query)).toHaveLength(Math.min(25, all.length))
  }
})

test('no more is read of what emails say than a page shows', async () => {
  // Which template an email was made from is known to its content alone.
  for (const query of [{}, ...singles, ...some(pairs)].filter(({ templateId }: Query) => templateId === undefined)) {
    const read = await entriesRead(db, 'contents', () => list(query, false))
    expect(read, JSON.stringify(query)).toBeLessThanOrEqual(26)
  }
})

test('where little passes, the cursors of short pages lead to all of it', async () => {
  const thin: Query[] = [
    { to: '0@to.test', tag: 'kind:rare' },
    { from: '1@from.test', status: 'failed' },
    { status: 'bounced', batchId: encodeId('bat', batchOf(12_345)) },
    // As common as can be, each of them, and never together.
    { from: '0@from.test', tag: 'kind:1' },
    { to: '1@to.test', from: '1@from.test', tag: 'kind:1', status: 'deferred' },
    { status: 'scheduled' },
    { createdBefore: at(30) },
    { q: '2345' },
    { q: '29 83', source: 'broadcast' },
    { templateId: encodeId('tpl', numbered(2) as TemplateId), source: 'automation' },
  ]
  for (const query of thin) {
    const seen: string[] = []
    let cursor: string | null = null
    let pages = 0
    do {
      const page = await list(query, true, cursor)
      seen.push(...page.subjects)
      cursor = page.nextCursor
      expect(page.hasMore).toBe(cursor !== null)
      pages++
    } while (cursor !== null)
    expect(seen, JSON.stringify(query)).toEqual(expected(query, true))
    expect(pages).toBeLessThan(2 + COUNT / 400)
  }
})

test('a search for words looks at some thousand emails, and says how far back that was', async () => {
  const read = await entriesRead(db, TABLES, () => list({ q: 'nothing' }, false))
  expect(read).toBeLessThan(40_000)
  const { data, hasMore, searchedTo } = await emails.list(whoseOf(false), { q: 'nothing' }, { limit: 25, after: null })
  expect(data).toEqual([])
  expect(hasMore).toBe(true)
  // Nine of ten emails are in this project.
  const back = (START + COUNT * STEP_MS - Date.parse(searchedTo!)) / STEP_MS
  expect(back).toBeGreaterThan(5_000)
  expect(back).toBeLessThan(6_000)
})

test('a search that takes long ends earlier, and goes on from there', async () => {
  lookMs = 301
  const { hasMore, searchedTo } = await emails.list(whoseOf(false), { q: 'nothing' }, { limit: 25, after: null })
  lookMs = 0
  expect(hasMore).toBe(true)
  expect((START + COUNT * STEP_MS - Date.parse(searchedTo!)) / STEP_MS).toBeLessThan(100)
})

test('a page that is the last says that everything was looked at', async () => {
  const { hasMore, searchedTo } = await emails.list(
    whoseOf(false),
    { createdBefore: at(20), q: '1' },
    { limit: 25, after: null },
  )
  expect([hasMore, searchedTo]).toEqual([false, null])
})
