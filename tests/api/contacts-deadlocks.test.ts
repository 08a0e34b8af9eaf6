/** Many who write the same people at the same time wait for each other one after the other, and never in a ring. */
import { expect, onTestFinished, test } from 'vitest'
import { compose } from '../../src/app/compose.ts'
import { allJobs } from '../../src/app/jobs.ts'
import { Vault } from '../../src/app/vault.ts'
import type { Actor, ProjectContext } from '../../src/core/caller.ts'
import { systemClock } from '../../src/core/clock.ts'
import { DomainError } from '../../src/core/errors.ts'
import { decodeId, newId } from '../../src/core/ids.ts'
import { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import { gate, runnerOf } from '../jobs/world.ts'
import { addContact, contactsOf, countsOf, newAudience, newTag, recounted } from '../support/audiences.ts'
import { newAutomation } from '../support/automations.ts'
import { workspaceOf } from '../support/domains.ts'
import { eventually } from '../support/eventually.ts'
import { world, type World } from '../support/world.ts'

const actor: Actor = { type: 'operator' }

/** Services of a second process on the same database, with a limited number of connections. */
async function crowdOf(here: World, connections: number) {
  const db = new Database({ url: here.databaseUrl, name: 'crowd', connections })
  const services = compose(db, new Vault(here.config, db), here.config, systemClock)
  const project: ProjectContext = {
    id: decodeId('prj', here.projectId)!,
    workspaceId: await workspaceOf(here),
    status: 'active',
  }
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => (closed ??= db.close())
  onTestFinished(close)
  return { db, services, project, close }
}

/** A file of one chunk. */
async function* file(lines: readonly string[]): AsyncIterable<Buffer> {
  yield Buffer.from(lines.join('\n'))
}

const somebodyWaits = (db: Database): Promise<unknown> =>
  eventually('somebody waits for a lock', async () => {
    const { n } = await db.one(sql<{ n: number }>`
      select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    return n > 0
  })

test('nobody who counts waits for anybody else who does', async () => {
  const here = await world()
  const { projectApi } = here
  // More of them than a counter had rows when each connection had one of sixteen.
  const { db, project } = await crowdOf(here, 20)
  const audience = await newAudience(projectApi)
  const tag = await newTag(projectApi, 'vip')
  const people = Array.from({ length: 20 }, (_, i) => `p${i}@example.com`)
  const [audienceId, tagId] = [decodeId('aud', audience)!, decodeId('tag', tag)!]
  const open = gate()
  let counted = 0
  const writing = people.map((email) =>
    db.transaction(async (tx) => {
      await tx.run(sql`
        insert into contacts (id, project_id, audience_id, email)
        values (${newId<'con'>()}, ${project.id}, ${audienceId}, ${email})`)
      await tx.run(sql`
        insert into applied_tags (tag_id, email, project_id) values (${tagId}, ${email}, ${project.id})`)
      await tx.run(sql`
        update contacts set subscribed = false, unsubscribed_at = clock_now()
         where project_id = ${project.id} and email = ${email}`)
      counted++
      await open.promise
    }),
  )
  try {
    await eventually('all have counted, and none has ended', () => counted === people.length)
  } finally {
    open.resolve()
    await Promise.all(writing)
  }
  expect(await countsOf(projectApi, audience)).toEqual({ total: 20, subscribed: 0, unsubscribed: 20 })
  expect((await projectApi.get(`contact-tags/${tag}`)).body).toMatchObject({ contactCount: 20 })
  // The rows that were made for the rush are used again.
  const rows = () => db.one(sql<{ n: number }>`select count(*) as n from audience_counts`)
  const before = await rows()
  for (const email of people) await addContact(projectApi, audience, `again-${email}`)
  expect(await rows()).toEqual(before)
  expect(await countsOf(projectApi, audience)).toEqual({ total: 40, subscribed: 20, unsubscribed: 20 })
})

test('an import that waits for somebody holds nobody else meanwhile', async () => {
  const here = await world()
  const { projectApi } = here
  const { db, services, project } = await crowdOf(here, 4)
  const audience = await newAudience(projectApi)
  const audienceId = decodeId('aud', audience)!
  await addContact(projectApi, audience, 'known@example.com')
  const lines = ['email,firstName', 'added@example.com,A', 'known@example.com,K']
  await services.imports.receive(project, actor, audienceId, { format: 'csv', map: null }, file(lines))
  let importing: Promise<void> | undefined
  await here.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into contacts (id, project_id, audience_id, email)
      values (${newId<'con'>()}, ${project.id}, ${audienceId}, 'added@example.com')`)
    importing = runnerOf(db, allJobs(db, services)).runOnce()
    await somebodyWaits(db)
    await tx.run(sql`set local lock_timeout = '3s'`)
    const held = await tx.all(sql`
      select from contacts where project_id = ${project.id} and email = 'known@example.com' for share`)
    expect(held).toHaveLength(1)
  })
  await importing
  const { data } = await contactsOf(projectApi, audience)
  expect(data.map(({ email, firstName }) => [email, firstName]).toSorted()).toEqual([
    ['added@example.com', 'A'],
    ['known@example.com', 'K'],
  ])
})

test('an automation that waits for somebody holds nobody’s tags meanwhile', async () => {
  const here = await world()
  const { projectApi } = here
  const { db, services, project } = await crowdOf(here, 4)
  const audience = await newAudience(projectApi)
  const [trial, leaving] = [await newTag(projectApi, 'trial'), await newTag(projectApi, 'leaving')]
  const people = ['ann@example.com', 'bob@example.com'] as const
  for (const email of people) await addContact(projectApi, audience, email)
  const give = (tag: string, email: string) => projectApi.post(`contact-tags/${tag}/contacts`, { email })
  const begin = (tagId: string, steps: object[]) =>
    newAutomation(projectApi, { trigger: { type: 'tag', tagId }, steps })
  // Ann is to lose the tag by which Bob is inside.
  await give(trial, people[0])
  await begin(trial, [{ type: 'tag', action: 'apply', tagId: leaving }])
  await begin(leaving, [{ type: 'tag', action: 'remove', tagId: trial }])
  await give(leaving, people[0])
  await give(trial, people[1])
  let advancing: Promise<number> | undefined
  // As somebody does who takes the tag from both.
  await here.db.transaction(async (tx) => {
    const take = (email: string) =>
      tx.all(sql`select from applied_tags where tag_id = ${decodeId('tag', trial)!} and email = ${email} for update`)
    await services.contacts.holdKnown(tx, project.id, people)
    expect(await take(people[0])).toHaveLength(1)
    advancing = services.executor.advanceDue()
    await somebodyWaits(db)
    await tx.run(sql`set local lock_timeout = '500ms'`)
    expect(await take(people[1])).toHaveLength(1)
  })
  expect(await advancing).toBeGreaterThan(0)
})

const CONNECTIONS = 8
/** Of each of them. */
const OPERATIONS = 70
const PEOPLE = Array.from({ length: 40 }, (_, i) => `p${String(i).padStart(2, '0')}@simulator.posthouse.test`)

const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!
/** In no order, as clients send them. */
const some = (): string[] => PEOPLE.filter(() => Math.random() < 0.4).toSorted(() => Math.random() - 0.5)

test('people are added, changed, tagged and removed from all sides at once, and nobody meets a deadlock', async () => {
  const here = await world()
  const { projectApi } = here
  const { db, services, project, close } = await crowdOf(here, CONNECTIONS)
  const names = ['one', 'two']
  const audienceIds = await Promise.all(names.map((name) => newAudience(projectApi, name)))
  const audiences = audienceIds.map((id) => decodeId('aud', id)!)
  const tagIds = await Promise.all(['a', 'b', 'c', 'd'].map((name) => newTag(projectApi, name)))
  const tags = tagIds.map((id) => decodeId('tag', id)!)
  const [a, b, c, d] = tagIds
  const tagStep = (action: string, tagId: string | undefined) => ({ type: 'tag', action, tagId })
  const tagged = (tagId: string | undefined, steps: object[]) =>
    newAutomation(projectApi, { trigger: { type: 'tag', tagId }, reentry: 'always', steps })
  await tagged(a, [tagStep('apply', c), tagStep('apply', b), tagStep('remove', d)])
  await tagged(d, [tagStep('remove', a), tagStep('remove', c)])

  const runner = runnerOf(db, allJobs(db, services), { concurrency: 4 })
  const now = () => new Date().toISOString()
  const operations: (() => Promise<unknown>)[] = [
    () => services.tags.apply(project, any(tags), { emails: some() }),
    () => services.tags.remove(project, any(tags), undefined, { emails: some() }),
    () => services.contacts.upsert(project, any(audiences), { email: any(PEOPLE), consent: { at: now() } }),
    () => services.contacts.update(project, actor, any(audiences), any(PEOPLE), { subscribed: Math.random() < 0.5 }),
    () => services.contacts.remove(project, actor, any(audiences), any(PEOPLE)),
    () => services.executor.advanceDue(),
    async () => {
      const people = [...some(), ...some()]
      const rows = people.map((email) => `${email},${any(['a;b', 'c', 'd;a', 'e;b'])},${any(['', now()])}`)
      const bytes = file(['email,tags,consentAt', ...rows])
      await services.imports.receive(project, actor, any(audiences), { format: 'csv', map: null }, bytes)
      await runner.runOnce()
    },
    async () => {
      const { id } = await services.tags.create(project, actor, { name: `tag ${newId<'tag'>()}` })
      const tag = decodeId('tag', id)!
      await services.tags.apply(project, tag, { emails: some() })
      await services.tags.delete(project, actor, tag)
      await runner.runOnce()
    },
    async () => {
      const { id } = await services.audiences.create(project, actor, { name: 'passing' })
      const audience = decodeId('aud', id)!
      for (const email of some()) await services.contacts.upsert(project, audience, { email })
      await services.audiences.remove(project, actor, audience)
      await runner.runOnce()
    },
  ]
  const failures: unknown[] = []
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let i = 0; i < OPERATIONS; i++) {
        await any(operations)().catch((error: unknown) => {
          // Somebody else has just removed them.
          if (!(error instanceof DomainError)) failures.push(error)
        })
      }
    }),
  )
  expect(failures).toEqual([])
  // What a connection has met is known for certain once it is closed.
  await close()
  const { deadlocks } = await here.db.one(sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`)
  expect(deadlocks).toBe(0)
  for (const [i, name] of names.entries()) {
    expect(await countsOf(projectApi, audienceIds[i]!)).toEqual(await recounted(here.db, name))
  }
  for (const id of tagIds) {
    const { n } = await here.db.one(sql<{ n: number }>`
      select count(*) as n from applied_tags where tag_id = ${decodeId('tag', id)!}`)
    expect((await projectApi.get(`contact-tags/${id}`)).body).toMatchObject({ contactCount: n })
  }
})
