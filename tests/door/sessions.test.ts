import { expect, test } from 'vitest'
import type { PersonId } from '../../src/core/ids.ts'
import { hashToken } from '../../src/core/secret-token.ts'
import { sql } from '../../src/storage/sql.ts'
import { moveClock } from '../support/clock.ts'
import { Authenticator } from '../support/authenticator.ts'
import {
  addPasskey,
  OWNER,
  PASSWORD,
  setUp,
  signIn,
  signInAgain,
  signInWithPassword,
  tokenIn,
  visitor,
  type Browser,
  type SignedIn,
} from '../support/people.ts'
import { totpNow } from '../support/totp.ts'
import { world, type World } from '../support/world.ts'

const DAY = 86_400
const HOUR = 3_600

test('where PUBLIC_URL is https the cookie is for that host and TLS alone', async () => {
  const here = await world({ env: { PUBLIC_URL: 'https://mail.example.com', SESSION_DAYS: '7' } })
  const browser = visitor(here)
  const link = await here.services.people.settingUp.newLink((await here.services.projects.workspace())!)
  expect(link).toMatch(/^https:\/\/mail\.example\.com\/setup#ps_/)
  const reply = await browser.post('/session/setup', {
    token: tokenIn(link!),
    name: 'Ada',
    email: OWNER,
    password: PASSWORD,
  })
  expect(reply.headers.get('set-cookie')).toMatch(
    /^__Host-posthouse=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  )
  expect((await browser.delete('/session')).headers.get('set-cookie')).toBe(
    '__Host-posthouse=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure',
  )
})

/** What ends a session, tried by a copy of its cookie at two servers, over and over. */
const endings: [string, (here: World, victim: SignedIn) => Promise<unknown>][] = [
  ['signing out', (_, { client }) => client.copy().delete('/session')],
  [
    'signing out elsewhere',
    async (here, { personId }) => (await signInAgain(here, personId)).delete('/session/me/sessions'),
  ],
  [
    'another password',
    async (here, { personId }) =>
      (await signInAgain(here, personId)).post('/session/me/password', { password: 'nine bridges under gravel' }),
  ],
  ['a passkey taken away', (here, { personId }) => passkeyTakenAway(here, personId)],
  ['coming back by a link', comeBack],
  ['a lower role', (here, { id }) => here.api.patch(`people/${id}`, { role: 'viewer' })],
  [
    'a role in one more project',
    (here, { id }) => here.api.patch(`people/${id}`, { projects: [{ projectId: here.projectId, role: 'admin' }] }),
  ],
  ['being disabled', (here, { id }) => here.api.patch(`people/${id}`, { disabled: true })],
  ['being removed', (here, { id }) => here.api.delete(`people/${id}`)],
  ['being signed out by an admin', (here, { id }) => here.api.delete(`people/${id}/sessions`)],
  [
    'everybody being signed out',
    async ({ services }) =>
      services.sessions.endEverybodys({ type: 'operator' }, (await services.projects.workspace())!),
  ],
]

async function passkeyTakenAway(here: World, personId: PersonId): Promise<unknown> {
  const browser = await signInAgain(here, personId)
  const passkey = await addPasskey(browser, new Authenticator(here.config.publicUrl))
  return browser.delete(`/session/me/passkeys/${passkey.id}`)
}

async function comeBack(here: World, { email }: SignedIn): Promise<unknown> {
  const workspace = (await here.services.projects.workspace())!
  const link = await here.services.people.recovery.linkFor({ type: 'operator' }, workspace, email, false)
  return visitor(here).post('/session/recovery/finish', { token: tokenIn(link), password: PASSWORD })
}

test.each(endings)('after %s no request with the cookie is accepted, at any server', async (_, end) => {
  const here = await world()
  const second = (await here.anotherApi()).url
  const victim = await signIn(here, { role: 'developer', password: PASSWORD })
  const stolen = [victim.client.copy(), victim.client.copy(second)]
  for (const thief of stolen) expect((await thief.get('projects')).status).toBe(200)
  await end(here, victim)
  const replies = await Promise.all(
    Array.from({ length: 1_000 }, (_, i) => stolen[i % 2]!.copy().get(i % 3 === 0 ? '/session' : 'projects')),
  )
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]))
})

test('a new token takes the place of the old one at every confirmation and change', async () => {
  const here = await world()
  const { client: owner, personId } = await signIn(here, { role: 'owner', password: PASSWORD })
  const changes: [string, () => Promise<{ status: number }>][] = [
    ['confirm', () => owner.post('/session/confirm', { password: PASSWORD })],
    ['password', () => owner.post('/session/me/password', { password: PASSWORD })],
    [
      'totp',
      async () => {
        const { secret } = (await owner.post<{ secret: string }>('/session/me/totp')).body
        return owner.post('/session/me/totp/confirm', { code: totpNow(secret) })
      },
    ],
    ['no totp', () => owner.delete('/session/me/totp')],
  ]
  for (const [what, change] of changes) {
    const before = owner.copy()
    const elsewhere = await signInAgain(here, personId)
    const reply = await change()
    expect(reply.status, what).toBe(200)
    expect(owner.cookie, what).not.toBe(before.cookie)
    expect((await before.get('/session')).status, what).toBe(401)
    expect((await owner.get('/session')).status, what).toBe(200)
    expect((await elsewhere.get('/session')).status, what).toBe(what === 'confirm' ? 200 : 401)
  }
})

test('a session lasts 30 days at most, and 72 hours without a request', async () => {
  const here = await world()
  const owner = await setUp(here)
  await moveClock(here.db, 71 * HOUR)
  expect((await owner.get('/session')).status).toBe(200)
  await recordUseOf(here, owner)
  await moveClock(here.db, 142 * HOUR)
  expect((await owner.get('/session')).status).toBe(200)
  await moveClock(here.db, (142 + 73) * HOUR)
  expect(await owner.get('projects')).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  expect((await owner.get('/session')).status).toBe(401)

  await moveClock(here.db, 0)
  const { browser } = await signInWithPassword(here, OWNER)
  for (let days = 2; days < 30; days += 2) {
    await moveClock(here.db, days * DAY)
    expect((await browser.get('/session')).status, `${days} days`).toBe(200)
    await recordUseOf(here, browser)
  }
  await moveClock(here.db, 30 * DAY + 1)
  expect((await browser.get('/session')).status).toBe(401)
})

/** When sessions were used is written every ten seconds; a test does not wait. */
async function recordUseOf(here: World, { cookie }: Browser): Promise<void> {
  await here.services.sessionIdentifier.identify(hashToken(cookie!), undefined)
  await here.services.sessionIdentifier.recordUse()
}

test('the workspace can have shorter times than the operator allows, not longer ones', async () => {
  const here = await world({ env: { SESSION_DAYS: '10', SESSION_IDLE_HOURS: '48' } })
  const owner = await setUp(here)
  expect((await owner.get('workspace')).body).toMatchObject({ sessionDays: 10, sessionIdleHours: 48 })
  expect(await owner.patch('workspace', { sessionDays: 11, sessionIdleHours: 49 })).toMatchObject({
    status: 400,
    body: { details: [{ path: '/sessionDays' }, { path: '/sessionIdleHours' }] },
  })
  expect((await owner.patch('workspace', { sessionDays: 1, sessionIdleHours: 2 })).body).toMatchObject({
    sessionDays: 1,
    sessionIdleHours: 2,
  })
  await moveClock(here.db, 2 * HOUR + 1)
  expect((await owner.get('/session')).status).toBe(401)
  const { browser } = await signInWithPassword(here, OWNER)
  expect((await browser.patch('workspace', { sessionDays: null, sessionIdleHours: null })).body).toMatchObject({
    sessionDays: 10,
    sessionIdleHours: 48,
  })
  await moveClock(here.db, 40 * HOUR)
  expect((await browser.get('/session')).status).toBe(200)
})

test('some things want the person and not just their cookie, for ten minutes after a confirmation', async () => {
  const here = await world()
  const owner = await setUp(here)
  const { confirmedUntil } = (await owner.get<{ confirmedUntil: string }>('/session')).body
  expect(Date.parse(confirmedUntil) - Date.now()).toBeGreaterThan(550_000)
  expect((await owner.post('people/invitations', { email: 'b@example.com', role: 'viewer' })).status).toBe(201)
  await moveClock(here.db, 601)
  const ask = () => owner.post('people/invitations', { email: 'c@example.com', role: 'viewer' })
  expect(await ask()).toMatchObject({
    status: 403,
    body: { code: 'confirmation_required', ways: ['password'], withinSeconds: 600 },
  })
  expect((await owner.post('/session/me/password', { password: PASSWORD })).body['code']).toBe('confirmation_required')
  expect(await owner.post('/session/confirm', { password: 'wrong' })).toMatchObject({
    status: 401,
    body: { code: 'wrong_credentials' },
  })
  expect((await ask()).status).toBe(403)
  for (const body of [{}, { password: PASSWORD, totp: '123456' }]) {
    expect((await owner.post('/session/confirm', body)).body['code']).toBe('validation_error')
  }
  const confirmed = await owner.post<{ confirmedUntil: string }>('/session/confirm', { password: PASSWORD })
  expect(confirmed.status).toBe(200)
  expect((await ask()).status).toBe(201)
})

test('people see where they are signed in, and end one session or all others', async () => {
  const here = await world()
  const owner = await setUp(here)
  const phone = visitor(here)
  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
  await phone.request('POST', '/session/password', {
    headers: { 'user-agent': userAgent },
    body: { email: OWNER, password: PASSWORD },
  })
  const { browser: other } = await signInWithPassword(here, OWNER)
  const { data } = (
    await owner.get<{ data: { id: string; current: boolean; device: string }[] }>('/session/me/sessions')
  ).body
  expect(data).toMatchObject([
    { id: expect.stringMatching(/^ses_/), current: false, address: '127.0.0.1', createdAt: expect.any(String) },
    { current: false, device: 'Safari on iPhone', lastSeenAt: expect.any(String) },
    { current: true },
  ])
  const stranger = await signIn(here, { role: 'owner' })
  expect((await stranger.client.delete(`/session/me/sessions/${data[1]!.id}`)).status).toBe(404)
  expect((await owner.delete(`/session/me/sessions/${data[1]!.id}`)).body).toEqual({ id: data[1]!.id, deleted: true })
  expect((await phone.get('/session')).status).toBe(401)
  expect((await owner.delete(`/session/me/sessions/${data[1]!.id}`)).status).toBe(404)
  expect((await owner.delete('/session/me/sessions')).body).toEqual({ ended: 1 })
  expect((await other.get('/session')).status).toBe(401)
  expect((await owner.get('/session')).status).toBe(200)
})

test('a session is forgotten 90 days after its end, with the address that it was used from', async () => {
  const here = await world()
  const owner = await setUp(here)
  await signInWithPassword(here, OWNER)
  await owner.delete('/session')
  const kept = async () => (await here.db.all(sql`select id from sessions`)).length
  await moveClock(here.db, 89 * DAY)
  await here.services.sessions.forgetOld()
  expect(await kept()).toBe(2)
  await moveClock(here.db, 91 * DAY)
  await here.services.sessions.forgetOld()
  // The other session expired, and counts as ended from the first clean-up after that.
  expect(await kept()).toBe(1)
  await moveClock(here.db, (89 + 91) * DAY)
  await here.services.sessions.forgetOld()
  expect(await kept()).toBe(0)
})

test('without the portal there are no cookies, and no way in', async () => {
  const here = await world({ env: { PORTAL: 'off' } })
  const { client } = await signIn(here, { role: 'owner' })
  expect((await client.get('projects')).status).toBe(401)
  expect((await client.get('/session')).status).toBe(404)
  expect((await visitor(here).post('/session/passkey/options')).status).toBe(404)
})
