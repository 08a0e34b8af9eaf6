import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { moveClock } from '../support/clock.ts'
import { OWNER, PASSWORD, setUp, setupToken, signIn, visitor } from '../support/people.ts'
import { world } from '../support/world.ts'

const SECRET = 'correct-horse-battery'
const me = { name: 'Ada Lovelace', email: OWNER, password: PASSWORD }

test('with the link of the first start somebody becomes the owner, is signed in, and signs in again', async () => {
  const here = await world()
  const browser = visitor(here)
  expect(await browser.get('/session')).toMatchObject({
    status: 401,
    body: {
      code: 'unauthorized',
      setUp: false,
      ways: ['passkey', 'password'],
      publicUrl: 'http://localhost:3000',
      requestId: expect.stringMatching(/^req_/),
    },
  })
  const token = await setupToken(here)
  const first = await browser.post('/session/setup', { token, ...me, workspaceName: 'Engines' })
  expect(first).toMatchObject({
    status: 201,
    body: {
      person: {
        name: 'Ada Lovelace',
        email: OWNER,
        locale: null,
        timeZone: null,
        singleKeys: true,
        hasPassword: true,
        passkeys: [],
        totp: false,
      },
      workspace: { name: 'Engines' },
      roles: { workspace: 'owner', projects: [] },
      projects: [{ id: here.projectId, status: 'active', maySend: true, reads: [] }],
      lacksSecondFactor: false,
      installation: {
        publicUrl: 'http://localhost:3000',
        systemSender: null,
        sandboxSender: 'sandbox@sandbox.posthouse.test',
        simulatorDomain: 'simulator.posthouse.test',
        sms: false,
      },
    },
  })
  expect((first.body['projects'] as { can: string[] }[])[0]!.can).toContain('people:write')
  expect(first.headers.get('cache-control')).toBe('no-store')
  expect(first.headers.get('set-cookie')).toMatch(
    /^posthouse=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  expect((await browser.get('/session')).status).toBe(200)
  expect((await browser.get('projects')).status).toBe(200)

  const out = await browser.delete('/session')
  expect(out.body).toEqual({ signedOut: true })
  expect(out.headers.get('clear-site-data')).toBe('"cache", "storage"')
  expect(browser.cookie).toBeUndefined()
  expect(await browser.get('/session')).toMatchObject({ status: 401, body: { setUp: true } })

  const again = { email: OWNER.toUpperCase(), password: PASSWORD }
  expect((await browser.post('/session/password', again)).status).toBe(200)
  expect((await browser.get('/session')).status).toBe(200)
})

test('the link is good once, for 24 hours, and only the last one', async () => {
  const here = await world()
  const browser = visitor(here)
  const refused = { status: 410, body: { code: 'link_used' } }
  expect(await browser.post('/session/setup', { token: 'ps_never', ...me })).toMatchObject(refused)
  const first = await setupToken(here)
  const second = await setupToken(here)
  expect(second).toMatch(/^ps_[\w-]{43}$/)
  expect(await browser.post('/session/setup', { token: first, ...me })).toMatchObject(refused)
  await moveClock(here.db, 24 * 3_600)
  expect(await browser.post('/session/setup', { token: second, ...me })).toMatchObject(refused)
  const third = await setupToken(here)
  await moveClock(here.db, 48 * 3_600 - 60)
  expect((await browser.post('/session/setup', { token: third, ...me })).status).toBe(201)
  for (const token of [third, second]) {
    expect(await visitor(here).post('/session/setup', { token, ...me, email: 'b@example.com' })).toMatchObject(refused)
  }
  const { settingUp } = here.services.people
  expect(await settingUp.newLink((await here.services.projects.workspace())!)).toBeUndefined()
})

test.each(['the link', 'SETUP_SECRET'])(
  'of many who set up with %s at the same moment one owns the workspace',
  async (way) => {
    const here = await world(way === 'the link' ? {} : { env: { SETUP_SECRET: SECRET } })
    const proof = way === 'the link' ? { token: await setupToken(here) } : { secret: SECRET }
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        visitor(here).post('/session/setup', { ...proof, ...me, email: `p${i}@example.com` }),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 410)])
    const owners = await here.db.all(sql`select person_id from memberships where role = 'owner'`)
    expect(owners).toHaveLength(1)
    expect(await here.db.all(sql`select id from people`)).toHaveLength(1)
  },
)

test('SETUP_SECRET is typed instead of the link, until there is an owner; guesses are counted', async () => {
  const here = await world({ env: { SETUP_SECRET: SECRET } })
  const guess = () => visitor(here).post('/session/setup', { secret: 'wrong', ...me })
  for (let i = 0; i < 30; i++) expect((await guess()).body['code']).toBe('link_used')
  expect(await guess()).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect((await visitor(here).post('/session/setup', { secret: SECRET, ...me })).status).toBe(429)
  await moveClock(here.db, 601)
  expect((await visitor(here).post('/session/setup', { secret: SECRET, ...me })).status).toBe(201)
  expect(await visitor(here).post('/session/setup', { secret: SECRET, ...me })).toMatchObject({ status: 410 })
})

test('without SETUP_SECRET no secret opens anything', async () => {
  const here = await world()
  for (const secret of ['undefined', 'null', 'x']) {
    expect((await visitor(here).post('/session/setup', { secret, ...me })).status).toBe(410)
  }
})

test('an invited owner ends the set-up, too; another role does not', async () => {
  const here = await world()
  const token = await setupToken(here)
  await signIn(here, { role: 'admin' })
  expect((await visitor(here).get('/session')).body['setUp']).toBe(false)
  await signIn(here, { role: 'owner' })
  expect((await visitor(here).get('/session')).body['setUp']).toBe(true)
  expect((await visitor(here).post('/session/setup', { token, ...me })).status).toBe(410)
})

const guessable: [string, string, RegExp][] = [
  ['too short', 'eleven char', /12 characters/],
  ['too long', 'x'.repeat(64) + 'é'.repeat(100), /256 bytes/],
  ['its own name', 'i am lovelace of 1843', /your name or your address/],
  ['its own address', 'ada@example.com 12', /your name or your address/],
  ['the product', 'my PostHouse is big', /name of this product/],
  ['a repetition', 'gravelgravelgravel', /repetition/],
  ['one letter', 'aaaaaaaaaaaaaaaa', /repetition/],
  ['digits in a row', '1234567890123456', /row/],
  ['keys in a row', 'qwertyuiopasdfgh', /row/],
  ['letters in a row', 'abcdefghijklmnop', /row/],
  ['a common one', 'Password1234!', /tried first/],
  ['a common one in disguise', 'P@ssw0rd!2026', /tried first/],
  ['two common ones', 'dragonsunshine77', /tried first/],
  ['one that is famous', 'correcthorsebatterystaple', /tried first/],
]

test('a password that is easily guessed is refused with the reason, and the link stays good', async () => {
  const here = await world()
  const token = await setupToken(here)
  for (const [what, password, message] of guessable) {
    const reply = await visitor(here).post('/session/setup', { token, ...me, password })
    expect(reply, what).toMatchObject({
      status: 400,
      body: { code: 'validation_error', details: [{ path: '/password', message: expect.stringMatching(message) }] },
    })
  }
  expect((await visitor(here).post('/session/setup', { token, ...me })).status).toBe(201)
})

test('spaces, other scripts and 256 bytes are fine in a password, however they were typed', async () => {
  const here = await world()
  const password = 'Ångström und ein Löwe 🦁 '.repeat(8)
  const owner = await setUp(here, { password })
  expect((await owner.post('/session/password', { email: OWNER, password: password.normalize('NFD') })).status).toBe(
    200,
  )
})

test('what is asked for is asked for by name', async () => {
  const here = await world()
  const token = await setupToken(here)
  const ask = (body: unknown) => visitor(here).post('/session/setup', body)
  const problemsOf = async (body: unknown) =>
    ((await ask(body)).body as { details: { path: string }[] }).details.map(({ path }) => path)
  expect(await problemsOf({ token, name: 'Ada', email: 'nobody', password: PASSWORD })).toEqual(['/email'])
  expect(await problemsOf({ token, name: 'Ada', email: OWNER })).toEqual(['/'])
  expect(await problemsOf({ token, secret: 'x', ...me })).toEqual(['/'])
  expect(await problemsOf(me)).toEqual(['/'])
  expect(await problemsOf({ token })).toEqual(['/name', '/email'])
  expect(await problemsOf({ token, ...me, role: 'owner' })).toEqual(['/role'])
})
