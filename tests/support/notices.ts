/** For each kind of notice: how it comes about, and how it is over. */
import { decodeId, newId, type ProjectId } from '../../src/core/ids.ts'
import { holdSending, resumeSending } from '../../src/dispatch/sending.ts'
import type { KindName } from '../../src/resources/notices/kinds.ts'
import type { StateReport } from '../../src/resources/queue/index.ts'
import { sql } from '../../src/storage/sql.ts'
import { makeAllDue } from '../jobs/world.ts'
import { runJobs } from './audiences.ts'
import { newAutomation } from './automations.ts'
import { newBroadcast, readBroadcast } from './broadcasts.ts'
import { moveClock } from './clock.ts'
import { reportsOf } from './installation.ts'
import { created, type World } from './world.ts'

export interface Shown {
  kind: KindName
  severity: string
  since: string
  title: string
  sentence: string
  link: string
  count: number
}

interface Play {
  env?: Record<string, string>
  cause(here: World): Promise<unknown>
  over(here: World): Promise<unknown>
  /** What is told of it. */
  told: Partial<Omit<Shown, 'since'>>
}

const idOf = ({ projectId }: World): ProjectId => decodeId('prj', projectId)!

const api = { role: 'api', up: true, restarts: 0 }

/** Without keys: what seals those is not there in every installation of these tests. */
export const newDomain = (here: World, name = 'shop.example'): Promise<unknown> =>
  here.db.run(sql`insert into domains (id, project_id, name) values (${newId<'dom'>()}, ${idOf(here)}, ${name})`)

const verify = (here: World): Promise<unknown> =>
  here.db.run(sql`update domains set status = 'verified', verified_at = clock_now() where project_id = ${idOf(here)}`)

/** Recipients of today that are finished, of each kind so many. */
export async function finishedMail(here: World, states: Readonly<Record<string, number>>): Promise<void> {
  const all = Object.entries(states).flatMap(([state, count]) => Array<string>(count).fill(state))
  const ids = all.map(() => newId<'em'>())
  await here.db.run(sql`
    insert into emails (id, project_id, content_id, sender, addresses)
    select id, ${idOf(here)}, id, 'a@shop.example', '{}' from unnest(${ids}::uuid[]) as id`)
  await here.db.run(sql`
    insert into recipients (email_id, position, project_id, recipient, state, attempts)
    select id, 0, ${idOf(here)}, 'x@y.example', state, 1 from unnest(${ids}::uuid[], ${all}::text[]) as ended (id, state)`)
}

/** Mail for the destination: that was tried once and waits, is ready to leave, or is scheduled for later. */
export const mailFor = (here: World, destination: string, kind: 'tried' | 'ready' | 'scheduled'): Promise<unknown> =>
  here.db.run(sql`
    insert into deliveries (id, project_id, email_id, position, recipient, destination, lane, state, due_at, lease_no, attempts)
    values (${newId()}, ${idOf(here)}, ${newId()}, 0, 'ann@example.org', ${destination}, 0,
            ${kind === 'ready' ? 'ready' : 'waiting'}, clock_now() + interval '1 hour', ${kind === 'tried' ? 1 : 0},
            ${kind === 'tried' ? 1 : 0})`)

/** What a worker says of a destination that mail waits for. */
async function troubleFor(here: World, destination: string, state: Partial<StateReport>): Promise<void> {
  await mailFor(here, destination, 'tried')
  await troubleAt(here, destination, state)
}

export async function troubleAt(here: World, destination: string, state: Partial<StateReport>): Promise<void> {
  const workerId = newId()
  await here.db.run(sql`insert into workers (id, role, name) values (${workerId}, 'worker', 'one')`)
  const usual = { busy: 0, connections: 0, connectionLimit: null, perMinute: null, suspendedForMs: 0, onTrial: false }
  const one = { destination, ...usual, troubledForMs: 60_000, note: undefined, ...state }
  await here.services.queueReports.write({ workerId, states: [one], flows: [], replies: [] })
}

const endTroubles = ({ db }: World): Promise<unknown> => db.run(sql`delete from workers`)

const newHook = async (here: World): Promise<void> => {
  await here.db.run(sql`
    insert into webhook_endpoints (id, project_id, url, events)
    values (${newId<'whk'>()}, ${idOf(here)}, 'https://shop.example/hook', '{email.delivered}')`)
}

const host = (here: World, change: { hasName: boolean; outgoing: string; addresses?: object[] }): Promise<unknown> =>
  here.db.run(sql`
    insert into node_hosts (id, hostname, addresses, has_name, name_since, outgoing, outgoing_since)
    values ('one', 'mx.posthouse.test', ${JSON.stringify(change.addresses ?? [])}, ${change.hasName}, clock_now(),
            ${change.outgoing}, clock_now())
    on conflict (id) do update
       set has_name = excluded.has_name, addresses = excluded.addresses, outgoing = excluded.outgoing`)

const worker = (up: boolean) => [api, { role: 'worker', up, restarts: 0 }]

export const plays: Readonly<Record<KindName, Play>> = {
  sending_held: {
    cause: ({ db }) => holdSending(db, 'a copy of a database'),
    over: ({ db }) => resumeSending(db),
    told: { severity: 'problem', sentence: partly('a copy of a database') },
  },
  destination_unreachable: {
    cause: (here) =>
      troubleFor(here, 'google', {
        suspendedForMs: 60_000,
        note: { code: null, stage: 'connect', text: '', host: null, at: 0 },
      }),
    over: endTroubles,
    told: { severity: 'problem', title: 'Google cannot be reached', link: partly('/queue/google') },
  },
  destination_slowed: {
    cause: (here) => troubleFor(here, 'mx.one.example,mx.two.example', { connectionLimit: 1 }),
    over: endTroubles,
    told: {
      severity: 'warning',
      title: 'Mail to mx.one.example is slowed',
      link: partly('/queue/mx.one.example%2Cmx.two.example'),
    },
  },
  destination_paused: {
    cause: ({ projectApi }) => projectApi.post('queue/yahoo/pause', { because: 'Their postmaster was asked' }),
    over: ({ projectApi }) => projectApi.post('queue/yahoo/resume'),
    told: { severity: 'warning', sentence: partly('Their postmaster was asked'), link: partly('/queue/yahoo') },
  },
  domain_record_lost: {
    cause: async (here) => {
      await newDomain(here)
      await verify(here)
      await here.db.run(sql`update domains set status = 'warning', warning_since = clock_now()`)
    },
    over: ({ db }) => db.run(sql`update domains set status = 'verified', warning_since = null`),
    told: { severity: 'problem', title: 'shop.example lost a DNS record' },
  },
  domain_unverified: {
    cause: async (here) => {
      await newDomain(here)
      await moveClock(here.db, 73 * 3_600)
    },
    over: verify,
    told: { severity: 'warning', title: 'shop.example is not verified yet' },
  },
  bounces_high: {
    cause: (here) => finishedMail(here, { delivered: 97, bounced: 3 }),
    over: (here) => finishedMail(here, { delivered: 100 }),
    told: { title: '3.0 % of mail bounces' },
  },
  complaints_high: {
    cause: (here) => finishedMail(here, { delivered: 898, filteredspam: 2, suppressed: 100 }),
    over: (here) => moveClock(here.db, 25 * 3_600),
    told: { title: '0.2 % of mail is called spam' },
  },
  webhook_disabled: {
    cause: async (here) => {
      await newHook(here)
      await here.db.run(sql`update webhook_endpoints set enabled = false, disabled_reason = 'It failed for days.'`)
    },
    over: ({ db }) => db.run(sql`update webhook_endpoints set enabled = true, disabled_reason = null`),
    told: { severity: 'problem', sentence: 'https://shop.example/hook is told nothing any more: It failed for days.' },
  },
  webhook_failing: {
    cause: async (here) => {
      await newHook(here)
      await here.db.run(sql`update webhook_endpoints set failing_since = clock_now() - interval '11 minutes'`)
    },
    over: ({ db }) => db.run(sql`update webhook_endpoints set failing_since = null`),
    told: { severity: 'warning', title: 'A webhook endpoint fails' },
  },
  broadcast_returned: {
    cause: async (here) => {
      const { projectApi, db } = here
      const { id: audience } = created(await projectApi.post<{ id: string }>('audiences', { name: 'Readers' }))
      const contact = { email: 'ann@simulator.posthouse.test' }
      created(await projectApi.post(`audiences/${audience}/contacts`, contact))
      const { id } = await newBroadcast(projectApi, audience, { name: 'Teapots' })
      const sendAt = new Date(Date.now() + 3_600_000).toISOString()
      await projectApi.post(`broadcasts/${id}/schedule`, { sendAt })
      await projectApi.patch(`audiences/${audience}/contacts/${contact.email}`, { subscribed: false })
      await moveClock(db, 3 * 3_600)
      await makeAllDue(db)
      await runJobs(here)
      if ((await readBroadcast(projectApi, { id })).problem === null) throw new Error('it was sent')
    },
    over: async ({ projectApi }) => {
      const { body } = await projectApi.get<{ data: { id: string }[] }>('broadcasts')
      await projectApi.patch(`broadcasts/${body.data[0]!.id}`, {})
    },
    told: { severity: 'problem', title: 'The broadcast Teapots was not sent' },
  },
  automation_failing: {
    cause: async (here) => {
      const { id: audience } = created(await here.projectApi.post<{ id: string }>('audiences', { name: 'Members' }))
      const { id } = await newAutomation(here.projectApi, { trigger: { type: 'audience', audienceId: audience } })
      await here.db.run(sql`
        insert into automation_runs (id, project_id, automation_id, version, contact_id, email, status, stop_reason, step_id,
                                     finished_at)
        values (${newId<'run'>()}, ${idOf(here)}, ${decodeId('aut', id)!}, 1, ${newId<'con'>()}, 'a@b.example', 'failed', 'error', 'Hello',
                clock_now())`)
    },
    // Whoever mends it makes a new version.
    over: ({ db }) => db.run(sql`update automations set version = 2`),
    told: { sentence: 'In the last day one run of Welcome failed at the step Hello.' },
  },
  quota_nearly_used: {
    cause: async (here) => {
      await here.api.patch(`projects/${here.projectId}`, { quota: { emailsPerDay: 100 } })
      await here.db.run(sql`
        insert into quota_usage (project_id, period, starts_on, used)
        values (${idOf(here)}, 'day', date_trunc('day', clock_now() at time zone 'UTC'), 91)`)
    },
    over: (here) => moveClock(here.db, 25 * 3_600),
    told: { title: '91 % of the emails of this day are used', link: '/settings/projects' },
  },
  key_expiring: {
    cause: async (here) => {
      const expiresAt = new Date(Date.now() + 5 * 86_400_000).toISOString()
      const key = { name: 'shop', scopes: ['email:send'], projectId: here.projectId, expiresAt }
      created(await here.api.post('api-keys', key))
    },
    over: ({ db }) => db.run(sql`update api_keys set revoked_at = clock_now() where name = 'shop'`),
    told: { title: 'The API key shop expires soon' },
  },
  role_down: {
    cause: async (here) => {
      const long = { now: () => Date.now() - 120_000 }
      await reportsOf(here, () => worker(false), { clock: long }).runOnce()
    },
    over: (here) => reportsOf(here, () => worker(true)).runOnce(),
    told: { severity: 'problem', title: 'worker on post-1 is down', link: '/settings/installation' },
  },
  role_restarting: {
    cause: (here) => reportsOf(here, () => [{ ...api, restarts: 4 }]).runOnce(),
    over: (here) => moveClock(here.db, 3_700).then(() => reportsOf(here, () => [{ ...api, restarts: 0 }]).runOnce()),
    told: { sentence: partly('was started again 4 times within an hour') },
  },
  disk_low: {
    cause: (here) => reportsOf(here, () => [api], { room: { freeBytes: 9, totalBytes: 100 } }).runOnce(),
    over: (here) => reportsOf(here, () => [api], { room: { freeBytes: 11, totalBytes: 100 } }).runOnce(),
    told: { title: 'The disk of post-1 is nearly full', sentence: partly('9 % is free') },
  },
  database_busy: {
    cause: ({ db }) =>
      db.run(sql`
        update installation
           set database = '{"version": "17", "connections": 95, "limit": 100, "sizeBytes": 1}', database_full_since = clock_now()`),
    over: ({ db }) => db.run(sql`update installation set database_full_since = null`),
    told: { sentence: partly('95 of 100 connections') },
  },
  port_25_blocked: {
    cause: async (here) => {
      await newDomain(here)
      await verify(here)
      await host(here, { hasName: true, outgoing: 'blocked' })
    },
    over: (here) => host(here, { hasName: true, outgoing: 'open' }),
    told: { severity: 'problem', title: 'Mail does not get out of mx.posthouse.test' },
  },
  host_name_wrong: {
    cause: async (here) => {
      await newDomain(here)
      await verify(here)
      const addresses = [{ address: '192.0.2.1', ptr: null, matches: false }]
      await host(here, { hasName: false, outgoing: 'open', addresses })
    },
    over: (here) => host(here, { hasName: true, outgoing: 'open' }),
    told: { severity: 'warning', sentence: partly('The PTR record of 192.0.2.1 is not mx.posthouse.test') },
  },
  certificate_ending: {
    cause: (here) => reportsOf(here, () => [api], { endsAt: new Date(Date.now() + 13 * 86_400_000) }).runOnce(),
    over: (here) => reportsOf(here, () => [api], { endsAt: new Date(Date.now() + 15 * 86_400_000) }).runOnce(),
    told: { severity: 'warning' },
  },
  public_url_insecure: {
    env: { PUBLIC_URL: 'http://mail.example' },
    cause: async () => {},
    // It is a matter of the configuration: see the test below.
    over: async () => {},
    told: { severity: 'hint', sentence: partly('http://mail.example') },
  },
  master_key_not_backed_up: {
    env: { MASTER_KEY: '' },
    cause: async () => {},
    over: ({ db }) => db.run(sql`update installation set backup_noted_at = clock_now()`),
    told: { severity: 'hint', link: '/settings/installation' },
  },
  operator_mail: {
    cause: async ({ db }) => {
      const message = newId<'rcv'>()
      await db.run(sql`
        insert into received_messages (id, blob, size, envelope_from, session)
        values (${message}, 'nowhere', 1, 'ann@other.example', '{}')`)
      await db.run(sql`
        insert into operator_mail (id, message_id, recipient)
        values (${newId<'rcv'>()}, ${message}, 'postmaster@shop.example')`)
    },
    over: ({ db }) => moveClock(db, 8 * 86_400),
    told: { severity: 'hint', sentence: partly('ann@other.example wrote to postmaster@shop.example') },
  },
}

/** A part of the sentence. */
function partly(part: string): string {
  return { asymmetricMatch: (text: unknown) => String(text).includes(part), toString: () => part } as unknown as string
}
