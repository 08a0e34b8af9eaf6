import { expect, test } from 'vitest'
import { decodeId, newId } from '../../src/core/ids.ts'
import { sentenceOf, sentences as knownSentences } from '../../src/resources/audit/sentences.ts'
import { sql } from '../../src/storage/sql.ts'
import { newAudience } from '../support/audiences.ts'
import type { Client } from '../support/client.ts'
import { stopClock } from '../support/clock.ts'
import { entriesSoFar } from '../support/entries-read.ts'
import { eventually } from '../support/eventually.ts'
import { signIn } from '../support/people.ts'
import { created, tenants, world } from '../support/world.ts'

const tenant = tenants()

interface Entry {
  id: string
  at: string
  actor: { type: string; id: string | null; name: string | null }
  action: string
  subject: string
  subjectName: string | null
  projectId: string | null
  requestId: string | null
  details: Record<string, unknown>
  sentence: string
}

interface Listed {
  data: Entry[]
  hasMore: boolean
  nextCursor: string | null
}

async function entries(client: Client, query: Record<string, string> = {}): Promise<Entry[]> {
  const reply = await client.get<Listed>(`audit-log?${new URLSearchParams({ limit: '100', ...query })}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.data
}

const sentences = (found: readonly Entry[]): string[] => found.map(({ sentence }) => sentence)

test('what a key and a person did is told with who did it, to what, by which call, and in words', async () => {
  const here = await tenant()
  const { api, projectApi, projectId } = here
  const { client, id: person } = await signIn(here, { role: 'admin', project: projectId, name: 'Ann' })
  const reply = await projectApi.post<{ id: string }>('audiences', { name: 'Readers' })
  const { id } = reply.body
  expect((await client.patch(`audiences/${id}`, { name: 'Friends' })).status).toBe(200)
  const [second, first] = await entries(api, { subject: id })
  expect(first).toEqual({
    id: expect.stringMatching(/^log_[0-9a-z]{26}$/),
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    actor: { type: 'key', id: expect.stringMatching(/^key_/), name: expect.any(String) },
    action: 'audience.created',
    subject: id,
    // The log shows the audience's name of today, because a reader of the log wants to find it.
    subjectName: 'Friends',
    projectId,
    requestId: reply.headers.get('x-request-id'),
    details: { name: 'Readers' },
    sentence: 'created the audience Friends',
  })
  expect(second).toMatchObject({
    actor: { type: 'person', id: person, name: 'Ann' },
    action: 'audience.updated',
    sentence: 'changed the audience Friends',
  })
})

test('what is gone keeps the name that it had', async () => {
  const { api, projectApi } = await tenant()
  const id = await newAudience(projectApi, 'Teapots')
  expect((await projectApi.delete(`audiences/${id}`)).status).toBe(200)
  expect(sentences(await entries(api, { subject: id }))).toEqual([
    'deleted the audience Teapots',
    'created the audience Teapots',
  ])
})

test('the log is narrowed by who, what, to what, where, when and by which call', async () => {
  const here = await world()
  const { api, db, projectApi, projectId, newProject } = here
  const other = await newProject('other')
  const { client, id: person } = await signIn(here, { role: 'owner', name: 'Ann' })
  const start = Date.now()
  await stopClock(db, start)
  const tag = created(await projectApi.post<{ id: string }>('contact-tags', { name: 'vip' }))
  await stopClock(db, start + 1_000)
  const mine = await client.in(projectId).post<{ id: string }>('contact-tags', { name: 'new' })
  await stopClock(db, start + 2_000)
  const elsewhere = created(
    await api.post<{ id: string }>('contact-tags', { name: 'x' }, { 'x-service-project-id': other }),
  )
  const ids = async (query: Record<string, string>): Promise<string[]> =>
    (await entries(api, { action: 'tag', ...query })).map(({ subject }) => subject)
  expect(await ids({})).toEqual([elsewhere.id, mine.body.id, tag.id])
  expect(await ids({ action: 'tag.' })).toEqual([elsewhere.id, mine.body.id, tag.id])
  expect(await ids({ action: 'tag.created' })).toEqual([elsewhere.id, mine.body.id, tag.id])
  expect(await ids({ action: 'tag.deleted' })).toEqual([])
  expect(await ids({ projectId })).toEqual([mine.body.id, tag.id])
  expect(await ids({ projectId: other })).toEqual([elsewhere.id])
  expect(await ids({ actor: person })).toEqual([mine.body.id])
  expect(await ids({ actor: 'operator' })).toEqual([])
  expect(await ids({ subject: tag.id })).toEqual([tag.id])
  expect(await ids({ subject: 'tag_nothing' })).toEqual([])
  expect(await ids({ requestId: mine.headers.get('x-request-id')! })).toEqual([mine.body.id])
  const [newest, , oldest] = await entries(api, { action: 'tag' })
  expect(await ids({ after: oldest!.at })).toEqual([elsewhere.id, mine.body.id])
  expect(await ids({ before: newest!.at })).toEqual([mine.body.id, tag.id])
  expect(await ids({ after: oldest!.at, before: newest!.at })).toEqual([mine.body.id])
  for (const query of ['action=Tag', 'after=yesterday', 'nothing=1']) {
    expect((await api.get(`audit-log?${query}`)).status, query).toBe(400)
  }
  expect((await api.get('audit-log?projectId=prj_nothing')).status).toBe(404)
})

test('who sees one project sees what was done there, and nothing of the workspace or of other projects', async () => {
  const here = await world()
  const { api, projectApi, projectId, newProject } = here
  const other = await newProject('other')
  await api.post('contact-tags', { name: 'x' }, { 'x-service-project-id': other })
  await projectApi.post('contact-tags', { name: 'y' })
  const { client } = await signIn(here, { role: 'developer', project: projectId })
  const all = await entries(api)
  expect(new Set(all.map((entry) => entry.projectId))).toEqual(new Set([projectId, other, null]))
  for (const seer of [projectApi, client, client.in(undefined)]) {
    const seen = await entries(seer)
    expect(new Set(seen.map((entry) => entry.projectId))).toEqual(new Set([projectId]))
  }
  expect(await projectApi.get(`audit-log?projectId=${other}`)).toMatchObject({
    status: 403,
    body: { code: 'project_not_allowed' },
  })
  expect((await client.in(undefined).get(`audit-log?projectId=${other}`)).status).toBe(404)
  expect(await entries(projectApi, { projectId })).not.toEqual([])
  const [foreign] = await entries(api, { projectId: other, action: 'tag' })
  expect(await entries(projectApi, { subject: foreign!.subject })).toEqual([])
  const { client: marketer } = await signIn(here, { role: 'marketer', project: projectId })
  expect((await marketer.get('audit-log')).status).toBe(403)
})

test('the log is downloaded for a spreadsheet or for programs, and that is remembered', async () => {
  const here = await world()
  const { api, projectApi, projectId } = here
  await projectApi.post('contact-tags', { name: '=cmd|" /C calc"!A0' })
  for (let n = 0; n < 3; n++) await projectApi.post('contact-tags', { name: `tag ${n}` })
  const csv = await api.get('audit-log/export?action=tag')
  expect(csv.status).toBe(200)
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"')
  const lines = csv.text.split('\r\n')
  expect(lines[0]).toMatch(/^at,actorType,actorId,actorName,sentence,action,subject,/)
  expect(lines).toHaveLength(6)
  expect(csv.text).toContain(`"'=cmd|"" /C calc""!A0"`)
  expect(csv.text).not.toMatch(/(^|,)"?[=+@-]/m)
  const ndjson = await projectApi.get('audit-log/export?format=ndjson&action=tag')
  const parsed = ndjson.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry)
  expect(parsed).toEqual(await entries(projectApi, { action: 'tag' }))
  const [bound, wide] = await entries(api, { action: 'audit.exported' })
  expect(wide).toMatchObject({
    projectId: null,
    subject: expect.stringMatching(/^acc_/),
    details: { format: 'csv', action: 'tag' },
    sentence: 'exported the activity log',
  })
  expect(bound).toMatchObject({ projectId, details: { format: 'ndjson' } })
})

test('a log of any length is read in pieces: little for a page, and all of it in the end', async () => {
  const { api, db, projectId } = await world()
  const project = decodeId('prj', projectId)!
  const COUNT = 9_000
  await db.run(sql`
    insert into audit_log (id, workspace_id, project_id, actor, action, subject, at)
    select encode(set_byte(set_byte(uuid_send('019b7000-0000-7000-8000-000000000000'), 14, n / 256), 15, n % 256), 'hex')::uuid,
           workspace_id, id, 'operator', case when n % 4000 = 7 then 'key.revoked' else 'tag.created' end, 'tag_' || n,
           timestamptz '2026-01-01' + n * interval '1 second'
      from projects, generate_series(1, ${COUNT}::int) n
     where id = ${project}`)
  const before = await entriesSoFar(db, 'audit_log')
  for (const where of [{}, { projectId }] as Record<string, string>[]) {
    const seen: Entry[] = []
    let cursor: string | null = null
    do {
      const query: Record<string, string> = {
        action: 'key.revoked',
        limit: '100',
        ...where,
        ...(cursor === null ? {} : { cursor }),
      }
      const { body } = await api.get<Listed>(`audit-log?${new URLSearchParams(query)}`)
      seen.push(...body.data)
      cursor = body.nextCursor
    } while (cursor !== null)
    expect(seen.map(({ subject }) => subject)).toEqual(['tag_8007', 'tag_4007', 'tag_7'])
  }
  // Every entry is looked at twice for each list: for what fits, and for where the look ended. Connections tell what they
  // have read when they are used again after a second; the request that uses them looks at no entry.
  const read = await eventually('all was counted', async () => {
    await api.get('audit-log?after=2999-01-01T00:00:00Z')
    const count = (await entriesSoFar(db, 'audit_log')) - before
    return count >= 3 * COUNT && count
  })
  expect(read).toBeLessThan(5 * COUNT)
  const whole = await api.get('audit-log/export?format=ndjson&action=tag.created&before=2026-06-01T00:00:00Z')
  expect(whole.text.trimEnd().split('\n')).toHaveLength(COUNT - 3)
})

test('every action has words, whatever is known of what it was done to', () => {
  const actions = Object.keys(knownSentences)
  expect(actions.length).toBeGreaterThan(70)
  for (const action of actions) {
    for (const subjectName of [null, 'Teapots']) {
      for (const details of [{}, { enabled: true, status: 'paused', id: 'smsbp_x', toAnotherAddress: true }]) {
        const sentence = sentenceOf({ action, subject: 'brd_x', subjectName, details })
        expect(sentence, action).toMatch(/^[a-z][^.]* ?[^ ]*$/)
        expect(sentence).not.toMatch(/undefined|null|true/)
      }
    }
  }
  const told = (action: string, subjectName: string | null, details = {}): string =>
    sentenceOf({ action, subject: 'brd_x', subjectName, details })
  expect(told('broadcast.paused', 'Teapots')).toBe('paused the broadcast Teapots')
  expect(told('broadcast.paused', null)).toBe('paused the broadcast brd_x')
  expect(told('project.updated', 'Shop', { status: 'paused' })).toBe('paused the project Shop')
  expect(told('project.updated', 'Shop', { name: 'Shop' })).toBe('changed the project Shop')
  expect(told('automation.updated', 'Welcome', { enabled: false })).toBe('disabled the automation Welcome')
  expect(told('person.invited', null)).toBe('invited a person')
  expect(told('something.newer', null)).toBe('something newer')
  expect(told('constructor', null)).toBe('constructor')
})

test('an action that is not known matches nothing, and one that a newer node wrote is found by its name', async () => {
  const { api, db, projectApi, projectId } = await tenant()
  await newAudience(projectApi)
  expect(await entries(api, { action: 'audience.creat' })).toEqual([])
  await db.run(sql`
    insert into audit_log (id, workspace_id, project_id, actor, action, subject)
    select ${newId()}, workspace_id, id, 'operator', 'audience.merged', 'aud_x' from projects
     where id = ${decodeId('prj', projectId)!}`)
  expect(sentences(await entries(api, { action: 'audience.merged' }))).toEqual(['audience merged'])
  expect(await entries(projectApi, { action: 'audience' })).toHaveLength(2)
})

test('a download is remembered with the ids and times that narrowed it, and without other texts of the caller', async () => {
  const { api, projectId } = await tenant()
  const secret = 'sk_live_0123456789abcdef'
  for (const name of ['actor', 'subject', 'requestId']) {
    expect((await api.get(`audit-log/export?projectId=${projectId}&${name}=${secret}`)).status).toBe(200)
  }
  const after = '2026-01-01T00:00:00Z'
  expect((await api.get(`audit-log/export?subject=${projectId}&action=key&after=${after}`)).status).toBe(200)
  const [last, ...others] = await entries(api, { action: 'audit.exported' })
  expect(last?.details).toEqual({ format: 'csv', subject: projectId, action: 'key', after })
  expect(others.slice(0, 3).map(({ details }) => details)).toEqual([1, 2, 3].map(() => ({ format: 'csv', projectId })))
  expect(JSON.stringify(others)).not.toContain(secret)
})

test('a page of somebody with roles in many projects reads no more entries than one of the whole workspace', async () => {
  const here = await world()
  const { db, projectId, newProject } = here
  const [COUNT, EACH] = [12, 2_500]
  const { client, personId } = await signIn(here, { role: 'developer', project: projectId })
  for (let n = 1; n < COUNT; n++) await newProject(`project ${n}`)
  const first = decodeId('prj', projectId)!
  await db.run(sql`
    insert into memberships (workspace_id, person_id, project_id, role)
    select workspace_id, ${personId}, id, 'developer' from projects where id <> ${first}`)
  await db.run(sql`
    insert into audit_log (id, workspace_id, project_id, actor, action, subject)
    select ('019b7000-' || lpad(to_hex(n), 4, '0') || '-7000-8000-' || right(id::text, 12))::uuid, workspace_id, id, 'operator',
           'tag.created', 'tag_' || n
      from projects, generate_series(1, ${EACH}::int) n`)
  const before = await entriesSoFar(db, 'audit_log')
  const { body } = await client.in(undefined).get<Listed>('audit-log?action=tag.created&limit=100')
  expect(body.data).toHaveLength(100)
  expect(new Set(body.data.map((entry) => entry.projectId)).size).toBe(COUNT)
  const read = await eventually('all was counted', async () => {
    await client.in(undefined).get('audit-log?after=2999-01-01T00:00:00Z')
    const entries = (await entriesSoFar(db, 'audit_log')) - before
    return entries >= 100 && entries
  })
  expect(read).toBeLessThan(2 * 2_000 + 100)
})
