import { expect, test } from 'vitest'
import { projectRoles, roles } from '../../src/core/roles.ts'
import { scopes } from '../../src/core/scopes.ts'
import { kindNames, noticeKinds, type KindName, type NoticeKind } from '../../src/resources/notices/kinds.ts'
import { sql } from '../../src/storage/sql.ts'
import type { Client } from '../support/client.ts'
import { moveClock } from '../support/clock.ts'
import { reportsOf } from '../support/installation.ts'
import { finishedMail, mailFor, newDomain, plays, troubleAt, type Shown } from '../support/notices.ts'
import { signIn } from '../support/people.ts'
import { world, type World } from '../support/world.ts'

/** An installation with nothing to complain about. */
const quiet = (env: Record<string, string> = {}): Promise<World> =>
  world({ env: { PUBLIC_URL: 'https://mail.example', ...env } })

async function noticesOf(client: Client, projectId?: string): Promise<Shown[]> {
  const headers = projectId === undefined ? {} : { 'x-service-project-id': projectId }
  const { status, body, text } = await client.get<{ data: Shown[] }>('notices', { headers })
  expect(status, text).toBe(200)
  return body.data
}

const seenBy = async (here: World): Promise<Shown[]> => {
  const { client } = await signIn(here, { role: 'owner' })
  return noticesOf(client.in(here.projectId))
}

const alwaysThere = new Set<KindName>(['public_url_insecure', 'master_key_not_backed_up'])

test.each(kindNames)('%s is told when it comes about, and gone when it is over', async (kind) => {
  const { env, cause, over, told } = plays[kind]
  const here = await quiet(env)
  if (!alwaysThere.has(kind)) expect(await seenBy(here)).toEqual([])
  await cause(here)
  expect(await seenBy(here)).toEqual([
    {
      kind,
      severity: noticeKinds[kind].severity,
      since: expect.stringMatching(/^\d{4}-.*Z$/),
      title: expect.any(String),
      sentence: expect.stringMatching(/\.$/),
      link: expect.stringMatching(/^\/(p\/prj_|settings\/)/),
      count: 1,
      ...told,
    },
  ])
  if (kind === 'public_url_insecure') return
  await over(here)
  expect(await seenBy(here)).toEqual([])
})

test('with https there is nothing to say about PUBLIC_URL', async () => {
  expect(await seenBy(await quiet())).toEqual([])
})

test('several of a kind are one notice that says how many, with the link to the list', async () => {
  const here = await quiet()
  for (const name of ['one.example', 'two.example']) await newDomain(here, name)
  await moveClock(here.db, 80 * 3_600)
  expect(await seenBy(here)).toMatchObject([
    {
      kind: 'domain_unverified',
      count: 2,
      title: '2 domains are not verified yet',
      link: `/p/${here.projectId}/domains`,
    },
  ])
})

test('few mails are no rate, and neither is what another project sent', async () => {
  const here = await quiet()
  await finishedMail(here, { delivered: 20, bounced: 20 })
  expect(await seenBy(here)).toEqual([])
  await finishedMail(here, { delivered: 10 })
  expect(await seenBy(here)).toMatchObject([{ kind: 'bounces_high', title: '40.0 % of mail bounces' }])
  const other = await here.newProject()
  const { client } = await signIn(here, { role: 'owner' })
  expect(await noticesOf(client.in(other))).toEqual([])
})

test('the last thousand recipients count, and 2 % is not over 2 %', async () => {
  const here = await quiet()
  await finishedMail(here, { bounced: 100 })
  await finishedMail(here, { delivered: 980, bounced: 20 })
  expect(await seenBy(here)).toEqual([])
  await finishedMail(here, { bounced: 1 })
  expect(await seenBy(here)).toMatchObject([{ kind: 'bounces_high', title: '2.1 % of mail bounces' }])
})

test('a node that falls silent is down with all its processes', async () => {
  const here = await quiet()
  const up = { up: true, restarts: 0 }
  await reportsOf(here, () => [
    { role: 'api', ...up },
    { role: 'worker', ...up },
  ]).runOnce()
  expect(await seenBy(here)).toEqual([])
  await moveClock(here.db, 11 * 60)
  expect(await seenBy(here)).toMatchObject([{ kind: 'role_down', count: 2, title: '2 processes are down' }])
})

test('on a machine without a domain nobody is told how mail would get out', async () => {
  const here = await quiet()
  await plays.port_25_blocked.cause(here)
  await here.db.run(sql`update domains set removed_at = clock_now()`)
  expect(await seenBy(here)).toEqual([])
})

test('a destination in trouble is a matter of projects whose mail waits for it, and scheduled mail waits for its time', async () => {
  const here = await quiet()
  await troubleAt(here, 'google', { connectionLimit: 1 })
  await mailFor(here, 'yahoo', 'tried')
  await mailFor(here, 'google', 'scheduled')
  expect(await seenBy(here)).toEqual([])
  await mailFor(here, 'google', 'ready')
  expect(await seenBy(here)).toMatchObject([{ kind: 'destination_slowed', title: 'Mail to Google is slowed' }])
  const { client } = await signIn(here, { role: 'owner' })
  expect(await noticesOf(client.in(await here.newProject()))).toEqual([])
})

/** The call by which somebody reads what a kind is about. */
const subjects: Readonly<Record<KindName, string>> = {
  sending_held: 'notices',
  destination_unreachable: 'queue',
  destination_slowed: 'queue',
  destination_paused: 'queue',
  domain_record_lost: 'domains',
  domain_unverified: 'domains',
  bounces_high: 'notices',
  complaints_high: 'notices',
  webhook_disabled: 'webhooks',
  webhook_failing: 'webhooks',
  broadcast_returned: 'broadcasts',
  automation_failing: 'automations',
  quota_nearly_used: 'projects',
  key_expiring: 'api-keys',
  role_down: 'installation',
  role_restarting: 'installation',
  disk_low: 'installation',
  database_busy: 'installation',
  port_25_blocked: 'installation',
  host_name_wrong: 'installation',
  certificate_ending: 'installation',
  public_url_insecure: 'installation',
  master_key_not_backed_up: 'installation',
  operator_mail: 'operator/mailbox',
}

/** Everything is the matter at once. */
async function troubled(): Promise<World> {
  const here = await world({ env: { PUBLIC_URL: 'http://mail.example', MASTER_KEY: '' } })
  await plays.broadcast_returned.cause(here)
  await plays.domain_record_lost.cause(here)
  await newDomain(here, 'late.example')
  await here.db.run(sql`update domains set created_at = clock_now() - interval '4 days' where name = 'late.example'`)
  await finishedMail(here, { delivered: 90, bounced: 5, filteredspam: 5 })
  await plays.webhook_failing.cause(here)
  await here.db.run(sql`
    insert into webhook_endpoints (id, project_id, url, events, enabled, disabled_reason)
    select gen_random_uuid(), project_id, url, events, false, 'It failed.' from webhook_endpoints`)
  for (const kind of ['automation_failing', 'quota_nearly_used', 'key_expiring', 'database_busy'] as const)
    await plays[kind].cause(here)
  for (const kind of ['operator_mail', 'sending_held', 'destination_unreachable', 'destination_slowed'] as const)
    await plays[kind].cause(here)
  await plays.destination_paused.cause(here)
  await here.db.run(sql`
    insert into node_hosts (id, hostname, addresses, has_name, name_since, outgoing, outgoing_since)
    values ('one', 'mx.example', '[]', false, clock_now(), 'blocked', clock_now())`)
  // Its clock is that of the database, which was moved.
  const now = () => Date.now() + 3 * 3_600_000 - 120_000
  const nodeRoles = [
    { role: 'api', up: true, restarts: 9 },
    { role: 'worker', up: false, restarts: 0 },
  ]
  const more = { clock: { now }, room: { freeBytes: 1, totalBytes: 100 }, endsAt: new Date(now()) }
  await reportsOf(here, () => nodeRoles, more).runOnce()
  return here
}

test('nobody is told of what they could not read, whatever their scopes or their role', async () => {
  const here = await troubled()
  const { projectId } = here
  const everything = await seenBy(here)
  expect(everything.map(({ kind }) => kind).toSorted()).toEqual([...kindNames].toSorted())
  const callers: [what: string, client: Client][] = []
  for (const scope of [...scopes, '*'] as const) {
    const both = scope === '*' ? [scope] : (['stats:read', scope] as const)
    callers.push([`a key with ${scope}`, await here.clientWith({ scopes: both })])
    callers.push([`a key of the project with ${scope}`, await here.clientWith({ scopes: both, projectId })])
  }
  for (const role of roles) callers.push([`the ${role}`, (await signIn(here, { role })).client.in(projectId)])
  for (const role of projectRoles)
    callers.push([`the ${role} of the project`, (await signIn(here, { role, project: projectId })).client])
  for (const [what, client] of callers) {
    const told = new Set((await noticesOf(client, projectId)).map(({ kind }) => kind))
    for (const path of new Set(Object.values(subjects))) {
      const { status } = await client.get(path, { headers: { 'x-service-project-id': projectId } })
      for (const kind of kindNames.filter((one) => subjects[one] === path))
        expect(told.has(kind), `${what} and ${kind}, where GET /${path} is ${status}`).toBe(status === 200)
    }
  }
})

test('what is told of the workspace keys to a key of the project is nothing', async () => {
  const here = await quiet()
  const expiresAt = new Date(Date.now() + 5 * 86_400_000).toISOString()
  await here.api.post('api-keys', { name: 'wide', fullAccess: true, expiresAt })
  expect(await seenBy(here)).toMatchObject([{ kind: 'key_expiring' }])
  expect(await noticesOf(here.projectApi)).toEqual([])
})

test('the worst comes first', async () => {
  const order = ['problem', 'warning', 'hint']
  const told = (await seenBy(await troubled())).map(({ severity }) => order.indexOf(severity))
  expect(told).toEqual(told.toSorted())
})

test('the words of every kind are sentences, for one and for many', () => {
  const found = { id: 'dom_x', name: 'A', since: new Date(), detail: 'B', number: 3 }
  for (const kind of kindNames) {
    const { title, sentence, link }: NoticeKind = noticeKinds[kind]
    for (const count of [1, 2]) {
      const told = { ...found, count }
      expect(title(told), kind).toMatch(/^[A-Z0-9].*[^.]$/)
      expect(sentence(told), kind).toMatch(/^[A-Z0-9].*[.B]$/)
      expect(link('prj_x', told), kind).toMatch(/^\/(p\/prj_x|settings)\//)
    }
  }
})
