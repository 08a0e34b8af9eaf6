import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { Authenticator } from '../support/authenticator.ts'
import {
  addPasskey,
  challengeFor,
  enableTotp,
  join,
  OWNER,
  PASSWORD,
  setUp,
  signIn,
  signInWithPassword,
  visitor,
} from '../support/people.ts'
import { tenants, world } from '../support/world.ts'

const tenant = tenants()

test('people change their own name, language, time zone, keys and preferences', async () => {
  const here = await tenant()
  const { client } = await signIn(here, { role: 'viewer' })
  const preferences = { columns: { emails: ['to', 'status'] }, inboxSeenAt: '2026-01-01T00:00:00Z' }
  const change = { name: 'Grace', locale: 'de-CH', timeZone: 'Europe/Zurich', singleKeys: false, preferences }
  expect(await client.patch('/session/me', change)).toMatchObject({ status: 200, body: { person: change } })
  expect((await client.get('/session')).body).toMatchObject({ person: change })
  expect((await client.patch('/session/me', { locale: null, timeZone: null })).body).toMatchObject({
    person: { name: 'Grace', locale: null, timeZone: null, preferences },
  })
})

test.each([
  [{ timeZone: 'Mars/Olympus' }, '/timeZone'],
  [{ locale: 'not a language' }, '/locale'],
  [{ name: ' ' }, '/name'],
  [{ email: 'new@example.com' }, '/email'],
  [{ role: 'owner' }, '/role'],
  [{ preferences: { text: 'x'.repeat(16_384) } }, '/preferences'],
  [{ preferences: [] }, '/preferences'],
])('an account takes no %o', async (change, path) => {
  const here = await tenant()
  const { client } = await signIn(here, { role: 'viewer' })
  expect(await client.patch('/session/me', change)).toMatchObject({
    status: 400,
    body: { code: 'validation_error', details: [{ path }] },
  })
})

test('a changed password works, the old one does not, and a bad one changes nothing', async () => {
  const here = await world()
  const owner = await setUp(here)
  expect((await owner.post('/session/me/password', { password: 'password password' })).status).toBe(400)
  expect((await owner.post('/session/me/password', { password: 'nine gravel bridges' })).status).toBe(200)
  expect((await signInWithPassword(here, OWNER)).reply.status).toBe(401)
  expect((await signInWithPassword(here, OWNER, { password: 'nine gravel bridges' })).reply.status).toBe(200)
  const actions = await here.db.all(sql<{ action: string; actor: string; person: string | null }>`
    select action, actor, person_id as person from audit_log where action = 'password.changed'`)
  expect(actions).toHaveLength(1)
  expect(actions[0]).toMatchObject({ actor: 'person', person: expect.any(String) })
})

test('an authenticator is taken away again, and with it its recovery codes', async () => {
  const here = await world()
  const owner = await setUp(here)
  expect((await owner.delete('/session/me/totp')).status).toBe(404)
  const { recoveryCodes } = await enableTotp(owner)
  expect((await owner.get('/session')).body).toMatchObject({ person: { totp: true } })
  expect((await signInWithPassword(here, OWNER)).reply.status).toBe(401)
  expect((await owner.delete('/session/me/totp')).body).toMatchObject({ person: { totp: false } })
  expect((await signInWithPassword(here, OWNER)).reply.status).toBe(200)
  expect(await here.db.all(sql`select code_hash from recovery_codes`)).toEqual([])
  expect(recoveryCodes).toHaveLength(10)
})

test('where the workspace asks for a second factor, somebody without one can add one and nothing else', async () => {
  const here = await world()
  const owner = await setUp(here)
  const member = await join(here, owner, 'b@example.com', { role: 'developer' })
  expect((await owner.patch('workspace', { secondFactor: 'required' })).body).toMatchObject({
    secondFactor: 'required',
  })
  for (const browser of [owner, member]) {
    expect(await browser.get('projects')).toMatchObject({
      status: 401,
      body: { code: 'second_factor_required', factors: ['passkey', 'totp'] },
    })
    expect((await browser.get('/session')).body).toMatchObject({ lacksSecondFactor: true })
  }
  await enableTotp(owner)
  expect((await owner.get('projects')).status).toBe(200)
  await addPasskey(member, new Authenticator('http://localhost:3000'))
  expect((await member.get('projects')).status).toBe(200)
  expect((await owner.get('people')).body).toMatchObject({ data: [{ secondFactor: true }, { secondFactor: true }] })
})

test('what somebody may do is told project by project', async () => {
  const here = await tenant()
  const other = await here.newProject('other')
  const { client } = await signIn(here, { role: 'author', project: here.projectId })
  const projectsOf = async () =>
    (await client.get<{ projects: { id: string; can: string[]; reads: string[]; maySend: boolean }[] }>('/session'))
      .body.projects
  expect(await projectsOf()).toMatchObject([{ id: here.projectId, maySend: false }])
  const { can, reads } = (await projectsOf())[0]!
  expect(can).toEqual(['projects:read', 'templates:write', 'audiences:write', 'broadcasts:write', 'automations:write'])
  expect(reads).toEqual(['email:send', 'domains:read', 'suppressions:write', 'stats:read'])
  const viewer = await signIn(here, { role: 'viewer' })
  const seen = (await viewer.client.get<{ projects: { id: string; can: string[] }[] }>('/session')).body.projects
  expect(seen.map((project) => project.id)).toEqual(expect.arrayContaining([here.projectId, other]))
  expect(seen.every((project) => project.can.length === 0)).toBe(true)
})

test('a password is set by somebody who has none yet, after the passkey has confirmed it', async () => {
  const here = await world()
  const passkey = new Authenticator('http://localhost:3000')
  const owner = await setUp(here, { credential: passkey.register(await challengeFor(visitor(here))) })
  expect((await owner.post('/session/me/password', { password: PASSWORD })).body).toMatchObject({
    person: { hasPassword: true },
  })
  expect((await signInWithPassword(here, OWNER)).reply.status).toBe(200)
})
