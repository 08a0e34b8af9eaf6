import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { Authenticator, type Algorithm, type Wrong } from '../support/authenticator.ts'
import { moveClock } from '../support/clock.ts'
import {
  acceptWithPasskey,
  challengeFor,
  OWNER,
  PASSWORD,
  setUp,
  setupToken,
  signIn,
  visitor,
  type Browser,
} from '../support/people.ts'
import { created, world, type World } from '../support/world.ts'

const ORIGIN = 'http://localhost:3000'

async function owner(here: World, authenticator = new Authenticator(ORIGIN)): Promise<Browser> {
  const credential = authenticator.register(await challengeFor(visitor(here)))
  return setUp(here, { credential })
}

async function signInWith(here: World, authenticator: Authenticator, wrong: Wrong = {}) {
  const browser = visitor(here)
  authenticator.counter++
  const credential = authenticator.answer(await challengeFor(browser), wrong)
  return { browser, reply: await browser.post('/session/passkey', { credential }) }
}

test.each<Algorithm>(['ES256', 'EdDSA', 'RS256'])(
  'somebody sets up and signs in with a passkey of %s',
  async (algorithm) => {
    const here = await world()
    const authenticator = new Authenticator(ORIGIN, algorithm)
    const first = await owner(here, authenticator)
    expect(await first.get('/session')).toMatchObject({
      status: 200,
      body: { person: { hasPassword: false, passkeys: [{ id: expect.stringMatching(/^psk_/), lastUsedAt: null }] } },
    })
    const { browser, reply } = await signInWith(here, authenticator)
    expect(reply.status).toBe(200)
    expect((await browser.get('projects')).status).toBe(200)
    expect(reply.body).toMatchObject({ person: { passkeys: [{ lastUsedAt: expect.any(String) }] } })
  },
)

test('what the browser is told: the host of PUBLIC_URL, five minutes, another challenge each time', async () => {
  const here = await world({ env: { PUBLIC_URL: 'https://mail.example.com' } })
  const [a, b] = [
    await visitor(here).post('/session/passkey/options'),
    await visitor(here).post('/session/passkey/options'),
  ]
  expect(a.body).toEqual({
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    rpId: 'mail.example.com',
    timeout: 300_000,
  })
  expect(a.body['challenge']).not.toBe(b.body['challenge'])
})

const forgeries: [string, Wrong][] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['the origin of another port', { origin: 'http://localhost:3001' }],
  ['TLS where there is none', { origin: 'https://localhost:3000' }],
  ['another relying party', { rpId: 'evil.example' }],
  ['the wrong type', { type: 'webauthn.create' }],
  ['another challenge', { challenge: randomBytes(32).toString('base64url') }],
  ['nobody present', { isPresent: false }],
  ['nobody verified', { isVerified: false }],
  ['a signature of noise', { signature: randomBytes(70) }],
  ['a frame of a page that is not named', { crossOrigin: true }],
  ['a frame of another page', { crossOrigin: true, topOrigin: 'https://evil.example' }],
]

test('a forged answer is refused in one way, whatever is wrong with it', async () => {
  const here = await world()
  const authenticator = new Authenticator(ORIGIN)
  await owner(here, authenticator)
  for (const [what, wrong] of forgeries) {
    const { reply } = await signInWith(here, authenticator, wrong)
    expect(reply, what).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } })
    expect(reply.headers.get('set-cookie'), what).toBeNull()
  }
  const stranger = await signInWith(here, new Authenticator(ORIGIN))
  expect(stranger.reply).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } })
  const copied = new Authenticator(ORIGIN)
  Object.assign(copied, { id: authenticator.id })
  expect((await signInWith(here, copied)).reply.status).toBe(401)
  expect((await signInWith(here, authenticator)).reply.status).toBe(200)
})

test('a forged registration is refused, and makes nobody', async () => {
  const here = await world()
  const token = await setupToken(here)
  for (const [what, wrong] of forgeries.filter(([, { signature, type }]) => !signature && !type)) {
    const credential = new Authenticator(ORIGIN).register(await challengeFor(visitor(here)), wrong)
    const reply = await visitor(here).post('/session/setup', { token, name: 'Ada', email: OWNER, credential })
    expect(reply, what).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } })
  }
  const attested = {
    fmt: 'fido-u2f',
    attStmt: new Map<string, unknown>([
      ['x5c', [randomBytes(100)]],
      ['sig', randomBytes(70)],
    ]),
  }
  const certificates = {
    fmt: 'packed',
    attStmt: new Map<string, unknown>([
      ['alg', -7],
      ['sig', randomBytes(70)],
      ['x5c', [randomBytes(100)]],
    ]),
  }
  for (const attestation of [attested, certificates]) {
    const credential = new Authenticator(ORIGIN).register(await challengeFor(visitor(here)), {}, attestation)
    const reply = await visitor(here).post('/session/setup', { token, name: 'Ada', email: OWNER, credential })
    expect(reply).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } })
  }
  expect(await here.db.all(sql`select id from people`)).toEqual([])
})

test('a challenge is good once, for five minutes, and for whom it was made', async () => {
  const here = await world()
  const authenticator = new Authenticator(ORIGIN)
  const browser = await owner(here, authenticator)
  const challenge = await challengeFor(visitor(here))
  const answer = () => (
    authenticator.counter++,
    visitor(here).post('/session/passkey', { credential: authenticator.answer(challenge) })
  )
  expect((await answer()).status).toBe(200)
  expect((await answer()).status).toBe(401)

  const ours = await challengeFor(browser, '/session/me/passkeys/options')
  authenticator.counter++
  expect((await visitor(here).post('/session/passkey', { credential: authenticator.answer(ours) })).status).toBe(401)

  const late = await challengeFor(visitor(here))
  await moveClock(here.db, 301)
  authenticator.counter++
  expect((await visitor(here).post('/session/passkey', { credential: authenticator.answer(late) })).status).toBe(401)
})

test('of many answers to one challenge one is let in', async () => {
  const here = await world()
  const authenticator = new Authenticator(ORIGIN)
  await owner(here, authenticator)
  const challenge = await challengeFor(visitor(here))
  const answers = Array.from({ length: 10 }, (_, i) => authenticator.answer(challenge, { counter: i + 1 }))
  const replies = await Promise.all(answers.map((credential) => visitor(here).post('/session/passkey', { credential })))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('a counter that goes back is refused and written down; an authenticator that does not count is fine', async () => {
  const here = await world()
  const authenticator = new Authenticator(ORIGIN)
  await owner(here, authenticator)
  for (const counter of [0, 0, 7]) expect((await signInWith(here, authenticator, { counter })).reply.status).toBe(200)
  for (const counter of [7, 6, 0]) expect((await signInWith(here, authenticator, { counter })).reply.status).toBe(401)
  expect((await signInWith(here, authenticator, { counter: 8 })).reply.status).toBe(200)
  const noted = await here.db.all(sql<{ details: object }>`
    select details from audit_log where action = 'session.refused'`)
  expect(noted).toEqual([
    { details: { passkey: expect.stringMatching(/^psk_/), reason: expect.stringContaining('counter') } },
  ])
})

test('passkeys are added, named and removed, but never the last way in', async () => {
  const here = await world()
  const first = new Authenticator(ORIGIN)
  const browser = await owner(here, first)
  const options = await browser.post<{ challenge: string; user: { id: string } }>('/session/me/passkeys/options')
  expect(options.body).toMatchObject({
    rpId: 'localhost',
    user: { name: OWNER, displayName: 'Ada' },
    excludeCredentials: [{ id: first.credentialId, type: 'public-key' }],
  })
  const second = new Authenticator(ORIGIN, 'EdDSA')
  const credential = second.register(options.body.challenge)
  const added = await browser.post<{ id: string }>('/session/me/passkeys', { name: 'Blue key', credential })
  expect(added).toMatchObject({ status: 201, body: { name: 'Blue key', lastUsedAt: null } })
  const twice = await browser.post('/session/me/passkeys', { name: 'Again', credential })
  expect(twice).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } })
  const other = second.register(await challengeFor(browser, '/session/me/passkeys/options'))
  expect(await browser.post('/session/me/passkeys', { name: 'Again', credential: other })).toMatchObject({
    status: 409,
    body: { code: 'already_exists' },
  })
  expect((await browser.patch(`/session/me/passkeys/${added.body.id}`, { name: 'Green key' })).body).toMatchObject({
    name: 'Green key',
  })
  const elsewhere = await signInWith(here, second)
  expect(elsewhere.reply.status).toBe(200)
  const [before] = (await browser.get<{ person: { passkeys: { id: string }[] } }>('/session')).body.person.passkeys
  expect((await browser.delete(`/session/me/passkeys/${before!.id}`)).body).toEqual({ id: before!.id, deleted: true })
  expect((await elsewhere.browser.get('/session')).status).toBe(401)
  expect((await browser.get('/session')).status).toBe(200)
  expect(await browser.delete(`/session/me/passkeys/${added.body.id}`)).toMatchObject({
    status: 409,
    body: { code: 'invalid_state' },
  })
  expect((await browser.post('/session/me/password', { password: PASSWORD })).status).toBe(200)
  expect((await browser.delete(`/session/me/passkeys/${added.body.id}`)).status).toBe(200)
  expect((await signInWith(here, first)).reply.status).toBe(401)
  expect((await browser.delete(`/session/me/passkeys/${added.body.id}`)).status).toBe(404)
})

test("nobody touches somebody else's passkey", async () => {
  const here = await world()
  const browser = await owner(here)
  const [mine] = (await browser.get<{ person: { passkeys: { id: string }[] } }>('/session')).body.person.passkeys
  const { client } = await signIn(here, { role: 'owner' })
  expect((await client.delete(`/session/me/passkeys/${mine!.id}`)).status).toBe(404)
  expect((await client.patch(`/session/me/passkeys/${mine!.id}`, { name: 'Mine' })).status).toBe(404)
})

test('a passkey confirms its own person alone', async () => {
  const here = await world()
  const [hers, his] = [new Authenticator(ORIGIN), new Authenticator(ORIGIN)]
  const browser = await owner(here, hers)
  const invitation = { email: 'b@example.com', role: 'viewer' }
  const { link } = created(await browser.post<{ link: string }>('people/invitations', invitation))
  created((await acceptWithPasskey(here, link, his)).reply)
  await moveClock(here.db, 700)
  expect((await browser.post('/session/me/passkeys/options')).body).toMatchObject({
    code: 'confirmation_required',
    ways: ['passkey'],
    withinSeconds: 600,
  })
  const confirm = async (who: Browser, authenticator: Authenticator) => {
    authenticator.counter++
    return who.post('/session/confirm', { credential: authenticator.answer(await challengeFor(who)) })
  }
  expect((await confirm(browser, his)).status).toBe(401)
  const before = browser.cookie
  expect((await confirm(browser, hers)).body).toEqual({ confirmedUntil: expect.any(String) })
  expect(browser.cookie).not.toBe(before)
  expect((await browser.post('/session/me/passkeys/options')).status).toBe(200)
})
