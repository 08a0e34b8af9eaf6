import { expect, test } from 'vitest'
import { decodeId, newId } from '../../src/core/ids.ts'
import { MAX_ADDED_UP } from '../../src/resources/live/limits.ts'
import { topicKinds, topicOf, topics, type TopicKind } from '../../src/resources/live/topics.ts'
import { sql } from '../../src/storage/sql.ts'
import { neverExisted } from '../contract/requests.ts'
import { makers } from '../contract/tenants.ts'
import { moveClock, stopClock } from '../support/clock.ts'
import { listen, liveWorld, sendOne, thingsOf, type LiveWorld } from '../support/live.ts'
import { signIn } from '../support/people.ts'
import { foldNow } from '../support/statistics.ts'
import { created } from '../support/world.ts'

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString()

test('a stream says hello with the version and the time of the database, then how everything is now', async () => {
  const here = await liveWorld()
  await moveClock(here.db, 3_600)
  const stream = await listen(here.projectApi, 'overview,emails')
  const [hello, overview, emails] = await stream.some(3)
  expect(hello).toMatchObject({ event: 'hello', data: { version: '9.9.9' } })
  expect(Date.parse(String(hello!.data['at'])) - Date.now()).toBeGreaterThan(3_500_000)
  expect(overview).toMatchObject({
    event: 'change',
    data: { topic: 'overview', version: expect.any(String), counts: { accepted: 0, waiting: 0 } },
  })
  expect(emails!.data).toEqual({ topic: 'emails', version: expect.any(String), more: 0 })
})

test('new emails are counted, and whoever comes later begins at zero', async () => {
  const here = await liveWorld()
  const first = await listen(here.projectApi, 'emails')
  await first.some(2)
  const id = await sendOne(here.projectApi)
  await here.look()
  expect((await first.next())!.data).toMatchObject({ topic: 'emails', newestId: id, more: 1 })
  await sendOne(here.projectApi)
  const newest = await sendOne(here.projectApi)
  const second = await listen(here.projectApi, 'emails')
  await here.look()
  expect((await first.next())!.data).toMatchObject({ newestId: newest, more: 2 })
  const [, start] = await second.some(2)
  expect(start!.data).toMatchObject({ more: 0 })
})

test('nothing is said where nothing changed', async () => {
  const here = await liveWorld()
  await sendOne(here.projectApi, { sendAt: inAnHour() })
  const stream = await listen(here.projectApi, Object.values(await thingsOf(here)).join(','))
  await stream.some(1 + 6)
  for (let i = 0; i < 10; i++) await here.look()
  here.live.stop()
  expect(await stream.rest()).toEqual([])
})

test('each kind of thing is told with its status when it changes, and when it is gone', async () => {
  const here = await liveWorld()
  const made = await thingsOf(here)
  const idOf = (kind: TopicKind): string => made[kind]!.split(':')[1]!
  const stream = await listen(here.projectApi, Object.values(made).join(','))
  const [, ...start] = await stream.some(1 + 6)
  const statuses = Object.fromEntries(start.map((told) => [told!.data['topic'], told!.data['status']]))
  expect(statuses).toEqual({
    [made.email!]: 'scheduled',
    [made.broadcast!]: 'draft',
    [made.import!]: 'queued',
    [made.automation!]: expect.stringMatching(/abled$/),
    [made.webhook!]: 'enabled',
    [made.domain!]: 'pending',
  })
  await here.projectApi.post(`emails/${idOf('email')}/cancel`)
  await here.projectApi.patch(`webhooks/${idOf('webhook')}`, { enabled: false })
  await here.projectApi.delete(`domains/${idOf('domain')}`)
  await here.projectApi.patch(`automations/${idOf('automation')}`, { name: 'renamed' })
  await here.projectApi.delete(`broadcasts/${idOf('broadcast')}`)
  await here.db.run(sql`update contact_imports set processed_rows = 7 where id = ${decodeId('imp', idOf('import'))!}`)
  await here.look()
  await here.look()
  const told = await stream.some(6)
  const changes = Object.fromEntries(told.map((one) => [one!.data['topic'], one!.data]))
  expect(changes[made.email!]).toMatchObject({ status: 'cancelled', counts: { cancelled: 1 } })
  expect(changes[made.webhook!]).toMatchObject({ status: 'disabled', counts: { pending: 0 } })
  expect(changes[made.domain!]).toEqual({ topic: made.domain, version: 'deleted', deleted: true })
  expect(changes[made.broadcast!]).toMatchObject({ deleted: true })
  expect(changes[made.automation!]).toMatchObject({ counts: { started: 0 } })
  expect(changes[made.import!]).toMatchObject({ counts: { processedRows: 7 } })
})

test('what waits, and what came, moves the overview and the queue', async () => {
  const here = await liveWorld()
  await stopClock(here.db, Date.now())
  const stream = await listen(here.projectApi, 'overview,queue')
  await stream.some(3)
  await sendOne(here.projectApi)
  await here.look()
  const told = await stream.some(2)
  expect(told[0]!.data).toMatchObject({ topic: 'overview', counts: { accepted: 1, waiting: 1 } })
  expect(told[1]!.data).toMatchObject({ topic: 'queue', counts: { waiting: 1 } })
  // Nothing is more or less: one of the rows has been tried.
  await here.db.run(sql`update deliveries set attempts = attempts + 1`)
  await here.look()
  expect((await stream.some(2)).map((one) => one!.data['topic'])).toEqual(['overview', 'queue'])
})

test('the overview tells the minute that runs, whether it was moved already or not, and what leaves', async () => {
  const here = await liveWorld()
  const foreign = await listen(here.api, 'overview', { 'x-service-project-id': await here.newProject() })
  await foreign.some(2)
  const minute = Math.ceil(Date.now() / 60_000) * 60_000
  await stopClock(here.db, minute + 1_000)
  const stream = await listen(here.projectApi, 'overview')
  const [, start] = await stream.some(2)
  expect(start!.data).toMatchObject({ counts: { accepted: 0, delivered: 0, bounced: 0 }, isMore: false })
  const told = async () => {
    await here.look()
    return (await stream.next())!.data
  }
  await sendOne(here.projectApi, { tags: { kind: 'order' } })
  expect(await told()).toMatchObject({ counts: { accepted: 1, waiting: 1 }, leavingPerSecond: 0 })
  await foldNow(here)
  await sendOne(here.projectApi)
  expect(await told()).toMatchObject({ counts: { accepted: 2, waiting: 2 } })
  const { id: workerId } = await here.db.one(sql<{ id: string }>`
    insert into workers (id, role, name) values (gen_random_uuid(), 'worker', 'one') returning id`)
  const flows = [{ projectId: decodeId('prj', here.projectId)!, perSecond: 41.26 }]
  await here.services.queueReports.write({ workerId, states: [], replies: [], flows })
  expect(await told()).toMatchObject({ counts: { accepted: 2 }, leavingPerSecond: 41.3 })
  await stopClock(here.db, minute + 61_000)
  expect(await told()).toMatchObject({ counts: { accepted: 0, waiting: 2 }, leavingPerSecond: 0 })
  here.live.stop()
  expect(await foreign.rest()).toEqual([])
})

test('the overview says when there is too much to add up each second', async () => {
  const here = await liveWorld()
  await stopClock(here.db, Date.now())
  const stream = await listen(here.projectApi, 'overview')
  await stream.some(2)
  await here.db.run(sql`
    insert into statistics_added (project_id, at, domain_id, provider, source, template_id, tag, kind, recipients)
    select ${decodeId('prj', here.projectId)!}, date_trunc('minute', clock_now()), gen_random_uuid(), 'other',
           'transactional', gen_random_uuid(), '', 'accepted', 1
      from generate_series(1, ${MAX_ADDED_UP + 5})`)
  await here.look()
  expect((await stream.next())!.data).toMatchObject({ counts: { accepted: MAX_ADDED_UP }, isMore: true })
  await foldNow(here)
  await here.look()
  expect((await stream.next())!.data).toMatchObject({ counts: { accepted: MAX_ADDED_UP + 5 }, isMore: false })
})

test('notices and the inbox change with what they are about', async () => {
  const here = await liveWorld()
  const stream = await listen(here.projectApi, 'notices,inbox')
  await stream.some(3)
  await makers.rcv!({ name: 'own', client: here.api, projectId: here.projectId, world: here }, {})
  await here.db.run(sql`update sending set held_since = clock_now(), held_because = 'a test'`)
  for (let i = 0; i < 5; i++) await here.look()
  const told = await stream.some(2)
  expect(told.map((one) => one!.data['topic']).toSorted()).toEqual(['inbox', 'notices'])
  expect(told.find((one) => one!.data['topic'] === 'inbox')!.data['newestId']).toMatch(/^rcv_/)
})

test('a pause is told to the queue and the notices of those for whom it counts, and so is its end', async () => {
  const here = await liveWorld()
  const other = await here.clientWith({ scopes: ['*'], projectId: await here.newProject() })
  const own = await listen(here.projectApi, 'queue,notices')
  const foreign = await listen(other, 'queue,notices')
  for (const stream of [own, foreign]) await stream.some(3)
  /** Notices are looked at every five seconds. */
  const topicsTold = async (stream: typeof own): Promise<unknown[]> => {
    for (let i = 0; i < 5; i++) await here.look()
    return (await stream.some(2)).map((one) => one!.data['topic']).toSorted()
  }
  const both = ['notices', 'queue']
  await here.projectApi.post('queue/one.example/pause', {})
  expect(await topicsTold(own)).toEqual(both)
  // One more and one less: their number stays.
  await here.projectApi.post('queue/two.example/pause', {})
  await here.projectApi.post('queue/one.example/resume')
  expect(await topicsTold(own)).toEqual(both)
  await here.projectApi.post('queue/two.example/resume')
  expect(await topicsTold(own)).toEqual(both)
  // The other project has heard nothing until all of them are concerned.
  await here.db.run(sql`
    insert into destination_holds (id, workspace_id, destination) select ${newId()}, id, 'all.example' from workspaces`)
  expect(await topicsTold(own)).toEqual(both)
  here.live.stop()
  expect((await foreign.rest()).map((one) => one.data['topic']).toSorted()).toEqual(both)
})

test('an id of another project is answered like one that never existed, for every kind', async () => {
  const here = await liveWorld()
  const foreign = await thingsOf(here, await here.newProject())
  for (const [kind, topic] of Object.entries(foreign)) {
    const told = async (name: string) => {
      const { status, body } = await here.projectApi.get(`live?topics=${name}`)
      return { status, code: body['code'], error: body['error'] }
    }
    const prefix = topicOf(kind as TopicKind).names!
    const reference = await told(`${kind}:${neverExisted(prefix)}`)
    expect(reference, kind).toMatchObject({ status: 404, code: 'not_found' })
    expect(await told(topic), kind).toEqual(reference)
    expect(await told(`${kind}:${prefix}_nonsense`), kind).toEqual(reference)
  }
})

test('streams of two projects hear of their own mail only', async () => {
  const here = await liveWorld()
  const other = await here.newProject()
  const own = await listen(here.projectApi, 'overview,emails')
  const foreign = await listen(here.api, 'overview,emails', { 'x-service-project-id': other })
  await own.some(3)
  await foreign.some(3)
  await sendOne(here.projectApi)
  await here.look()
  expect((await own.some(2)).map((one) => one!.data['topic'])).toEqual(['overview', 'emails'])
  here.live.stop()
  expect(await foreign.rest()).toEqual([])
})

test('a key needs the scope of each topic besides its own', async () => {
  const here = await liveWorld()
  const made = await thingsOf(here)
  for (const kind of topicKinds) {
    const topic = made[kind] ?? kind
    const { scope } = topics[kind]
    const others = (['email:send', 'domains:read', 'webhooks:write', 'receiving:read'] as const).filter(
      (one) => one !== scope,
    )
    const without = await here.clientWith({ scopes: ['stats:read', ...others], projectId: here.projectId })
    if (scope !== 'stats:read') {
      const reply = await without.get(`live?topics=overview,${topic}`)
      expect(reply, kind).toMatchObject({
        status: 403,
        body: { code: 'insufficient_scope', requiredScope: scope },
      })
    }
    const both = [...new Set(['stats:read', scope] as const)]
    const holder = await here.clientWith({ scopes: both, projectId: here.projectId })
    const stream = await listen(holder, topic)
    expect((await stream.some(2))[1]!.data['topic']).toBe(topic)
    stream.leave()
  }
})

const streamOf = async (here: LiveWorld, client: { cookie: string | undefined }, topic: string) =>
  listen(here.api.with(undefined), topic, {
    cookie: `posthouse=${client.cookie}`,
    'x-service-project-id': here.projectId,
  })

test('a person watches what their roles can read, each of them counted', async () => {
  const here = await liveWorld()
  const { webhook } = await thingsOf(here)
  const { client: marketer } = await signIn(here, { role: 'marketer', project: here.projectId })
  expect(await marketer.get(`live?topics=${webhook}`)).toMatchObject({
    status: 403,
    body: { requiredScope: 'webhooks:write' },
  })
  const stream = await streamOf(here, marketer, 'emails')
  expect((await stream.next())!.event).toBe('hello')
  const { client: viewer } = await signIn(here, { role: 'viewer' })
  expect((await (await streamOf(here, viewer, webhook!)).next())!.event).toBe('hello')
})

test('a stream ends when its key is revoked, its session ended or its role lowered', async () => {
  const here = await liveWorld()
  const { id, secret } = created(
    await here.api.post<{ id: string; secret: string }>('api-keys', { name: 'x', fullAccess: true }),
  )
  const project = { 'x-service-project-id': here.projectId }
  const { client, personId } = await signIn(here, { role: 'developer', project: here.projectId })
  const { client: leaving } = await signIn(here, { role: 'viewer' })
  const { webhook } = await thingsOf(here)
  const ofKey = await listen(here.api.with(secret), 'overview', project)
  const ofRole = await streamOf(here, client, webhook!)
  const ofSession = await streamOf(here, leaving, 'overview')
  const staying = await listen(here.projectApi, 'overview')
  await here.look()
  await here.look()
  for (const stream of [ofKey, ofRole, ofSession, staying]) await stream.some(2)
  await here.api.delete(`api-keys/${id}`)
  await leaving.request('DELETE', '/session')
  await here.db.run(sql`update memberships set role = 'marketer' where person_id = ${personId}`)
  await here.look()
  await here.look()
  for (const stream of [ofKey, ofRole, ofSession]) expect(await stream.rest()).toEqual([])
  await sendOne(here.projectApi)
  await here.look()
  expect((await staying.next())!.data['topic']).toBe('overview')
})

test('whoever only listens does not use their session', async () => {
  const here = await liveWorld()
  const { client, personId } = await signIn(here, { role: 'viewer', project: here.projectId })
  const stream = await streamOf(here, client, 'overview')
  await stream.some(2)
  const { sessionIdentifier } = here.services
  const seen = () => here.db.one(sql`select last_seen_at from sessions where person_id = ${personId}`)
  await moveClock(here.db, 3_600)
  const before = await seen()
  const hash = (await here.db.one(sql<{ hash: Buffer }>`select token_hash as hash from sessions`)).hash
  expect(await sessionIdentifier.identify(hash, undefined, false)).toMatchObject({ personId })
  await sessionIdentifier.recordUse()
  expect(await seen()).toEqual(before)
  await sessionIdentifier.identify(hash, undefined)
  await sessionIdentifier.recordUse()
  expect(await seen()).not.toEqual(before)
})
