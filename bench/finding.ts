/**
 * What people wait for when they look for something among a million emails and contacts: pages of the list by each filter,
 * the search, and everything about an address. `BENCH_ROWS=20000 npm run bench -- finding` tries it with fewer.
 */
import { decodeId, encodeId, type EmailId } from '../src/core/ids.ts'
import type { Database } from '../src/storage/postgres.ts'
import { sql } from '../src/storage/sql.ts'
import { addContacts, newAudience } from './crowd.ts'
import { startMailNode, type MailNode } from './mail-node.ts'
import type { Row } from './table.ts'

const ROWS = Number(process.env['BENCH_ROWS'] ?? 1_000_000)
const REQUESTS = 100
/** A statement may not take longer than half a minute. */
const PIECE = 20_000

export async function finding(): Promise<Row[]> {
  const node = await startMailNode(1, { ROLES: 'api' })
  const audience = await newAudience(node)
  await addContacts(node, audience, 0, ROWS)
  const ids = await made(node, audience)
  await node.inDatabase((db) => addEmails(db, ids))
  const rows: Row[] = []
  for (const [what, limit, ask] of asked(ids)) rows.push(await measured(node, what, limit, ask))
  await node.stop()
  return rows
}

interface Ids {
  audience: string
  template: string
  broadcast: string
  domain: string
}

async function made({ api }: MailNode, audience: string): Promise<Ids> {
  const template = await api.post<{ id: string }>('templates', { name: 'Teapots of the week', html: 'x' })
  const from = 'shop@bench.example'
  const broadcast = await api.post<{ id: string }>('broadcasts', {
    audienceId: audience,
    from,
    subject: 'x',
    text: 'x',
  })
  const domains = await api.get<{ data: { id: string }[] }>('domains')
  return { audience, template: template.body.id, broadcast: broadcast.body.id, domain: domains.body.data[0]?.id ?? '' }
}

/** Each address gets one in a thousand; one in a hundred bounces, and one in ten is of a broadcast. */
async function addEmails(db: Database, { template, broadcast, domain }: Ids): Promise<void> {
  const [templateId, broadcastId, domainId] = [
    decodeId('tpl', template),
    decodeId('brd', broadcast),
    decodeId('dom', domain),
  ]
  await db.run(sql`
    update broadcasts
       set status = 'sent', started_at = clock_now() - interval '1 hour', completed_at = clock_now(),
           fed_at = clock_now() + interval '1 day', expanded_at = clock_now(), content_id = uuidv7(),
           sent_as = '{"domainId": null, "tracking": {"opens": false, "clicks": false}}'
     where id = ${broadcastId}`)
  for (let at = 0; at < ROWS; at += PIECE) {
    await db.run(sql`
      with given as materialized (
        select n, uuidv7() as id, uuidv7() as content_id, p.id as project_id
          from projects p, generate_series(${at}::int + 1, ${Math.min(ROWS, at + PIECE)}::int) as n
      ), said as (
        insert into contents (id, project_id, subject, text, size, template_id, template_version)
        select content_id, project_id, 'Order ' || n || ' is on its way', 'x', 1,
               case when n % 100 = 0 then ${templateId}::uuid end, case when n % 100 = 0 then 1 end
          from given
      ), sent as (
        insert into emails (id, project_id, content_id, domain_id, sender, addresses, contact_id, broadcast_id)
        select id, project_id, content_id, case when n % 1000 = 0 then ${domainId}::uuid end,
               'shop' || n % 1000 || '@bench.example',
               jsonb_build_object('from', jsonb_build_object('email', 'shop@bench.example', 'name', ''), 'replyTo', '[]'::jsonb,
                 'recipients', jsonb_build_array(jsonb_build_object('email', 'user' || n % 1000 || '@sink.test', 'name', '', 'kind', 'to'))),
               case when n % 10 = 0 then uuidv7() end, case when n % 10 = 0 then ${broadcastId}::uuid end
          from given
      )
      insert into recipients (email_id, position, project_id, recipient, state, attempts)
      select id, 0, project_id, 'user' || n % 1000 || '@sink.test',
             case when n % 100 = 0 then 'bounced' else 'delivered' end, 1
        from given`)
  }
  for (const table of ['emails', 'recipients', 'contents'])
    await db.withClient((client) => client.query(`analyze ${table}`))
}

type Ask = (i: number, email: string) => string

const asked = ({ template, broadcast, domain }: Ids): [what: string, limit: number, ask: Ask][] => [
  ['emails, newest', 50, () => 'emails?limit=50'],
  ['emails to an address', 50, (i) => `emails?limit=50&to=user${i}@sink.test`],
  ['emails from a sender', 50, (i) => `emails?limit=50&from=shop${i}@bench.example`],
  ['emails that bounced', 50, () => 'emails?limit=50&status=bounced'],
  ['emails of a domain', 50, () => `emails?limit=50&domainId=${domain}`],
  ['emails of a template', 50, () => `emails?limit=50&templateId=${template}`],
  ['emails of a broadcast', 50, () => `emails?limit=50&broadcastId=${broadcast}`],
  ['emails of automations', 50, () => 'emails?limit=50&source=automation'],
  ['emails by words that nobody wrote', 300, () => 'emails?limit=50&q=teapot'],
  ['search for an id', 100, (_, email) => `search?q=${email}`],
  ['search for an address', 100, (i) => `search?q=user${1 + i}@sink.test`],
  ['search for a name', 100, () => 'search?q=teap'],
  ['everything about an address', 100, (i) => `addresses/user${1 + i}@sink.test`],
  ['recipients of a broadcast', 100, () => `broadcasts/${broadcast}/recipients?limit=50`],
  ['recipients of a broadcast that bounced', 100, () => `broadcasts/${broadcast}/recipients?limit=50&status=bounced`],
]

async function measured(node: MailNode, what: string, limit: number, ask: Ask): Promise<Row> {
  const { id } = await node.inDatabase((db) => db.one(sql<{ id: EmailId }>`select id from emails order by id limit 1`))
  const times: number[] = []
  for (let i = 0; i < REQUESTS; i++) {
    const startedAt = performance.now()
    const { status, text } = await node.api.get(ask(i, encodeId('em', id)))
    if (status !== 200) throw new Error(`${what}: ${text}`)
    times.push(performance.now() - startedAt)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): string => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)} ms`
  return {
    what: `${what}, among ${ROWS.toLocaleString('en')}`,
    ours: `p50 ${at(0.5)}, p95 ${at(0.95)}`,
    yardstick: '',
    result: '',
    target: `p95 ≤ ${limit} ms`,
  }
}
