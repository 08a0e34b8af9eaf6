import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { createDomain, publish, verifiedDomain, worldWithDns } from '../support/domains.ts'
import { at, mail, read, refusal, rowsOf, type Batch } from '../support/emails.ts'
import { accepted, created } from '../support/world.ts'

/** A workspace key, and two projects with a verified domain each. */
async function twoProjects() {
  const here = await worldWithDns()
  const thereId = await here.newProject('there')
  const there = await here.clientWith({ scopes: ['*'], projectId: thereId })
  await verifiedDomain(here.projectApi, here.dns, 'here.example')
  await verifiedDomain(there, here.dns, 'there.example')
  return { ...here, there, thereId }
}

const from = (...domains: string[]) => domains.map((domain) => mail({ from: `news@${domain}` }))

const batch = (client: Client, emails: unknown, headers: Record<string, string> = {}) =>
  client.post<Batch>('email/batch', { emails }, headers)

const outcomes = ({ data }: Batch): (string | undefined)[] => data.map(({ code, status }) => code ?? status)

test('with a workspace key each email of a batch belongs to the project of its domain', async () => {
  const { api, projectApi, projectId, there, thereId, db } = await twoProjects()
  created(await there.post('suppressions', { email: at('gone') }))
  const body = accepted(
    await batch(api, [
      ...from('here.example', 'there.example'),
      mail(),
      ...from('unknown.example'),
      mail({ from: 'news@there.example', to: at('gone') }),
      mail({ from: 'news@here.example', to: at('gone') }),
    ]),
  )
  expect(body).toMatchObject({ id: expect.stringMatching(/^bat_/), accepted: 3, rejected: 3 })
  expect(outcomes(body)).toEqual([
    'queued',
    'queued',
    'project_required',
    'domain_not_verified',
    'recipient_suppressed',
    'queued',
  ])
  expect(body.data[2]).toMatchObject({ index: 2, error: expect.stringContaining('X-Service-Project-ID') })
  expect(body.data[3]).toMatchObject({ index: 3, error: expect.stringContaining('unknown.example') })
  const [first, second] = body.data
  expect(await read(api, { id: first!.id! })).toMatchObject({ projectId, batchId: body.id })
  expect(await read(api, { id: second!.id! })).toMatchObject({ projectId: thereId, batchId: body.id })
  expect(await projectApi.get(`emails/${second!.id}`)).toMatchObject({ status: 404 })
  expect(await rowsOf(db)).toMatchObject({ emails: 3, deliveries: 3 })
})

test('a template is looked for in the project of each email', async () => {
  const { api, projectApi, there, db } = await twoProjects()
  const template = (word: string) => ({ name: 'T', alias: 'greeting', subject: `From ${word}`, text: 'Hello.' })
  created(await projectApi.post('templates', template('here')))
  const emails = from('here.example', 'there.example').map((one) => ({
    ...one,
    subject: undefined,
    html: undefined,
    templateId: 'greeting',
  }))
  expect(await batch(api, emails)).toMatchObject(refusal(404, 'not_found'))
  expect(await rowsOf(db)).toEqual({})
  created(await there.post('templates', template('there')))
  const { data } = accepted(await batch(api, emails))
  const subjects = await Promise.all(data.map(async ({ id }) => (await read(api, { id: id! })).subject))
  expect(subjects).toEqual(['From here', 'From there'])
})

test('a batch of which no email belongs to a project is still an answer', async () => {
  const { api, db } = await twoProjects()
  const body = accepted(await batch(api, [...from('unknown.example'), mail()], { 'idempotency-key': 'nothing' }))
  expect(body).toMatchObject({ accepted: 0, rejected: 2 })
  expect(outcomes(body)).toEqual(['domain_not_verified', 'project_required'])
  expect(await rowsOf(db)).toEqual({})
})

test('a header that one of the senders contradicts refuses the batch, and says which one it is', async () => {
  const { api, projectId, thereId, db } = await twoProjects()
  const emails = [...from('here.example', 'there.example'), mail(), ...from('there.example')]
  const refused = await batch(api, emails, { 'x-service-project-id': projectId })
  expect(refused).toMatchObject({
    status: 403,
    body: { code: 'project_not_allowed', details: [{ path: '/emails/1/from' }, { path: '/emails/3/from' }] },
  })
  expect(await rowsOf(db)).toEqual({})
  const guarded = await batch(api, [...from('there.example'), mail()], { 'x-service-project-id': thereId })
  expect(accepted(guarded)).toMatchObject({ accepted: 2 })
})

test('each project counts its own, and refuses its own', async () => {
  const { api, projectId, thereId } = await twoProjects()
  await api.patch(`projects/${thereId}`, { quota: { emailsPerDay: 1 } })
  const emails = from('here.example', 'there.example', 'there.example', 'here.example')
  expect(outcomes(accepted(await batch(api, emails)))).toEqual(['queued', 'queued', 'quota_exceeded', 'queued'])
  await api.patch(`projects/${thereId}`, { quota: { emailsPerDay: null }, status: 'paused' })
  expect(outcomes(accepted(await batch(api, emails)))).toEqual(['queued', 'project_paused', 'project_paused', 'queued'])
  expect(await batch(api, from('there.example', 'unknown.example'))).toMatchObject(refusal(403, 'project_paused'))
  await api.delete(`projects/${thereId}`)
  expect(outcomes(accepted(await batch(api, emails)))).toEqual([
    'queued',
    'project_archived',
    'project_archived',
    'queued',
  ])
  expect(await read(api, { id: accepted(await batch(api, from('here.example'))).data[0]!.id! })).toMatchObject({
    projectId,
  })
})

test('a batch over several projects is done once, also when domains come and go in between', async () => {
  const { api, projectApi, there, dns, db } = await twoProjects()
  const pending = await createDomain(projectApi, 'later.example')
  const key = { 'idempotency-key': 'once' }
  const emails = from('later.example', 'there.example', 'here.example')
  const first = accepted(await batch(api, emails, key))
  expect(outcomes(first)).toEqual(['domain_not_verified', 'queued', 'queued'])
  const again = async () => {
    const reply = await batch(api, emails, key)
    expect(reply.headers.get('idempotency-replayed')).toBe('true')
    expect(accepted(reply)).toEqual(first)
  }
  await again()
  publish(dns.zones, pending.records)
  await projectApi.post(`domains/${pending.id}/verify`)
  await again()
  const [domain] = (await there.get<{ data: { id: string }[] }>('domains')).body.data
  await there.delete(`domains/${domain!.id}`)
  await again()
  expect(await rowsOf(db)).toMatchObject({ emails: 2, keys: 2 })
})

test('the key of a batch is used up in each of its projects, and in no other', async () => {
  const { api, projectApi, there, clientWith, newProject, db } = await twoProjects()
  const third = await clientWith({ scopes: ['*'], projectId: await newProject('third') })
  const key = { 'idempotency-key': 'shared' }
  accepted(await batch(api, from('here.example', 'there.example'), key))
  for (const client of [projectApi, there]) {
    expect(await batch(client, [mail()], key)).toMatchObject(refusal(409, 'idempotency_mismatch'))
  }
  accepted(await batch(third, [mail()], key))
  // One that is taken in one of the projects is left free in the other.
  const taken = { 'idempotency-key': 'taken' }
  accepted(await batch(there, [mail()], taken))
  expect(await batch(api, from('here.example', 'there.example'), taken)).toMatchObject(
    refusal(409, 'idempotency_mismatch'),
  )
  accepted(await batch(projectApi, [mail()], taken))
  expect(await rowsOf(db)).toMatchObject({ emails: 5 })
})

test('of many equal batches over several projects at once one is done', async () => {
  const { api, anotherApi, db } = await twoProjects()
  const other = await anotherApi()
  const key = { 'idempotency-key': 'crowd' }
  const emails = from('here.example', 'there.example')
  const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => batch(i % 2 === 0 ? api : other, emails, key)))
  const [first] = replies
  for (const reply of replies) expect(accepted(reply)).toEqual(first?.body)
  expect(await rowsOf(db)).toMatchObject({ emails: 2, deliveries: 2, keys: 2 })
})

test('a batch over several projects is stored whole or not at all', async () => {
  const { api, db, thereId } = await twoProjects()
  await db.withClient(async (client) => {
    await client.query(`
      create function refuse() returns trigger language plpgsql as $$ begin
        if new.project_id = (select id from projects where name = 'there') then raise 'no'; end if;
        return new;
      end $$`)
    await client.query('create trigger refuse after insert on deliveries for each row execute function refuse()')
  })
  const emails = from('here.example', 'there.example', 'here.example')
  const key = { 'idempotency-key': 'k' }
  expect(await batch(api, emails, key)).toMatchObject(refusal(500, 'internal_error'))
  expect(await rowsOf(db)).toEqual({})
  await db.withClient((client) => client.query('drop function refuse cascade'))
  const { data } = accepted(await batch(api, emails, key))
  expect(await read(api, { id: data[1]!.id! })).toMatchObject({ projectId: thereId })
})
