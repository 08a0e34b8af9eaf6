import { expect, test } from 'vitest'
import { Passwords } from '../../src/resources/people/passwords.ts'
import { sql } from '../../src/storage/sql.ts'
import { whatIsTold } from '../contract/requests.ts'
import type { Reply } from '../support/client.ts'
import { moveClock, stopClock } from '../support/clock.ts'
import { Authenticator } from '../support/authenticator.ts'
import {
  acceptWithPasskey,
  addPasskey,
  challengeFor,
  cheaplyHashed,
  enableTotp,
  OWNER,
  PASSWORD,
  signIn,
  signInWithPassword,
  visitor,
  type Browser,
} from '../support/people.ts'
import { stepAt, totpOf } from '../support/totp.ts'
import { created, world, type World } from '../support/world.ts'

const wrong = { status: 401, body: { code: 'wrong_credentials' } }

test('an unknown address, a wrong password, somebody disabled or removed, and somebody without a password get one answer', async () => {
  const here = await world()
  const owner = await ownerOf(here)
  const people: Record<string, string> = {}
  for (const name of ['disabled', 'removed']) {
    const person = await signIn(here, { role: 'viewer', email: `${name}@example.com`, password: PASSWORD })
    people[name] = person.id
  }
  await owner.patch(`people/${people['disabled']}`, { disabled: true })
  await owner.delete(`people/${people['removed']}`)
  const invitation = { email: 'key@example.com', role: 'viewer' }
  const { link } = created(await owner.post<{ link: string }>('people/invitations', invitation))
  created((await acceptWithPasskey(here, link)).reply)

  const refusals = [
    await attempt(here, 'nobody@example.com'),
    await attempt(here, OWNER, 'another password altogether'),
    await attempt(here, 'disabled@example.com'),
    await attempt(here, 'removed@example.com'),
    await attempt(here, 'key@example.com'),
    await attempt(here, 'key@example.com', ' '),
  ]
  for (const reply of refusals) {
    expect(reply).toMatchObject(wrong)
    expect(whatIsTold(reply)).toEqual(whatIsTold(refusals[0]!))
  }
  expect((await attempt(here, OWNER)).status).toBe(200)
})

const attempt = async (here: World, email: string, password = PASSWORD): Promise<Reply> =>
  (await signInWithPassword(here, email, { password })).reply

/** With a password that is verified in no time. */
const ownerOf = async (here: World): Promise<Browser> =>
  (await signIn(here, { role: 'owner', email: OWNER, password: PASSWORD })).client

test('from the fifth failure within an hour on the next attempt has to wait, twice as long each time, at most a minute', async () => {
  const here = await world()
  await ownerOf(here)
  let now = Date.now()
  await stopClock(here.db, now)
  for (let i = 0; i < 5; i++) expect(await attempt(here, OWNER, 'wrong')).toMatchObject(wrong)
  for (const wait of [1, 2, 4, 8, 16, 32, 60, 60]) {
    const refused = await attempt(here, OWNER)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(wait)
    await stopClock(here.db, (now += wait * 1_000 + 500))
    expect(await attempt(here, OWNER, 'wrong')).toMatchObject(wrong)
  }
  expect((await attempt(here, OWNER)).status).toBe(429)
  // An unknown address is slowed down in the same way.
  for (let i = 0; i < 5; i++) expect(await attempt(here, 'nobody@example.com', 'wrong')).toMatchObject(wrong)
  expect((await attempt(here, 'nobody@example.com')).status).toBe(429)
  // After an hour the old failures do not count, and after a success none does.
  await stopClock(here.db, (now += 3_600_000))
  for (let i = 0; i < 4; i++) expect(await attempt(here, OWNER, 'wrong')).toMatchObject(wrong)
  expect((await attempt(here, OWNER)).status).toBe(200)
  for (let i = 0; i < 4; i++) expect(await attempt(here, OWNER, 'wrong')).toMatchObject(wrong)
  expect((await attempt(here, OWNER)).status).toBe(200)
})

test('many attempts at once are no more than many in a row', async () => {
  const here = await world()
  await ownerOf(here)
  await stopClock(here.db, Date.now())
  const replies = await Promise.all(Array.from({ length: 20 }, () => attempt(here, OWNER, 'wrong')))
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(5)
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(15)
})

test('a place has thirty failures in ten minutes, whatever it guesses at; a proxy that is known says which place', async () => {
  const here = await world({ env: { HTTP_PROXIES: '127.0.0.0/8' } })
  await ownerOf(here)
  for (let i = 0; i < 30; i++) expect(await failFrom(here, '203.0.113.9')).toMatchObject(wrong)
  const refused = await comeFrom(here, '203.0.113.9')
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(600)
  expect((await comeFrom(here, '198.51.100.7, 203.0.113.9')).status).toBe(429)
  expect((await comeFrom(here, '203.0.113.10')).status).toBe(200)
  // One client of IPv6 can use all of its /64.
  for (let i = 0; i < 30; i++) await failFrom(here, `2001:db8:1:2::${i}`)
  expect((await comeFrom(here, '2001:db8:1:2:ffff::1')).status).toBe(429)
  expect((await comeFrom(here, '2001:db8:1:3::1')).status).toBe(200)
  await moveClock(here.db, 601)
  expect((await comeFrom(here, '203.0.113.9')).status).toBe(200)
})

test('who sends X-Forwarded-For without being a proxy of ours is counted by the socket', async () => {
  const here = await world()
  await ownerOf(here)
  for (let i = 0; i < 30; i++) expect(await failFrom(here, `203.0.113.${i}`)).toMatchObject(wrong)
  expect((await comeFrom(here, '198.51.100.1')).status).toBe(429)
})

/** With a passkey that nobody knows: that costs no hash. */
async function failFrom(here: World, address: string): Promise<Reply> {
  const credential = new Authenticator('http://localhost:3000').answer('none')
  const headers = { 'x-forwarded-for': address }
  return visitor(here).request('POST', '/session/passkey', { headers, body: { credential } })
}

const comeFrom = (here: World, address: string): Promise<Reply> =>
  visitor(here).request('POST', '/session/password', {
    headers: { 'x-forwarded-for': address },
    body: { email: OWNER, password: PASSWORD },
  })

test('passkeys are not affected by the failures of an account: nobody can lock anybody out', async () => {
  const here = await world({ env: { HTTP_PROXIES: '127.0.0.0/8' } })
  const owner = await ownerOf(here)
  const passkey = new Authenticator('http://localhost:3000')
  await stopClock(here.db, Date.now())
  await addPasskey(owner, passkey)
  for (let i = 0; i < 6; i++) {
    await visitor(here).request('POST', '/session/password', {
      headers: { 'x-forwarded-for': `203.0.113.${i}` },
      body: { email: OWNER, password: 'wrong' },
    })
  }
  expect((await attempt(here, OWNER)).status).toBe(429)
  passkey.counter++
  const credential = passkey.answer(await challengeFor(visitor(here)))
  expect((await visitor(here).post('/session/passkey', { credential })).status).toBe(200)
})

test('a refused series is in the audit log once in ten minutes, for people who exist', async () => {
  const here = await world()
  await ownerOf(here)
  for (let i = 0; i < 3; i++) await attempt(here, OWNER, 'wrong')
  await attempt(here, 'nobody@example.com', 'wrong')
  const noted = () => here.db.all(sql`select subject from audit_log where action = 'session.refused'`)
  expect(await noted()).toHaveLength(1)
  await moveClock(here.db, 601)
  await attempt(here, OWNER, 'wrong')
  expect(await noted()).toHaveLength(2)
})

test('a password that was hashed with less is hashed anew at the next sign-in', async () => {
  const here = await world()
  await ownerOf(here)
  expect((await attempt(here, OWNER)).status).toBe(200)
  const [{ password }] = (await here.db.all(sql<{ password: string }>`select password from people`)) as [
    { password: string },
  ]
  expect(password).toMatch(/^\$argon2id\$v=19\$m=32768,t=3,p=1\$/)
  expect((await attempt(here, OWNER)).status).toBe(200)
})

test('two passwords are hashed at a time and fifty wait; whoever comes then is asked to come again', async () => {
  const passwords = new Passwords()
  const stored = cheaplyHashed(PASSWORD)
  const verdicts = await Promise.allSettled(Array.from({ length: 70 }, () => passwords.verify(stored, PASSWORD)))
  const refused = verdicts.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(18)
  for (const verdict of refused) expect(verdict).toMatchObject({ reason: { code: 'unavailable' } })
  expect(await passwords.verify(stored, PASSWORD)).toEqual({ isRight: true, isOutdated: true })
})

test('whoever brings a cookie to the sign-in does not keep it', async () => {
  const here = await world()
  const owner = await ownerOf(here)
  const fixed = owner.cookie
  const victim = owner.copy()
  const { reply } = await signInWithPassword(here, OWNER, {}, victim)
  expect(reply.status).toBe(200)
  expect(victim.cookie).not.toBe(fixed)
  expect((await owner.get('/session')).status).toBe(401)
  const forged = victim.copy()
  await forged.delete('/session')
  expect((await victim.get('/session')).status).toBe(401)
})

test('the code of an authenticator is asked for after the right password, and each counts once', async () => {
  const here = await world()
  const owner = await ownerOf(here)
  const { secret, uri } = (await owner.post<{ secret: string; uri: string }>('/session/me/totp')).body
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(uri).toBe(`otpauth://totp/Posthouse:ada%40example.com?secret=${secret}&issuer=Posthouse`)
  // Until its first code was seen it does not count.
  expect((await attempt(here, OWNER)).status).toBe(200)
  const at = Date.now()
  const now = stepAt(at)
  await stopClock(here.db, at)
  expect(await owner.post('/session/me/totp/confirm', { code: totpOf(secret, now + 5) })).toMatchObject(wrong)
  const confirmed = await owner.post<{ recoveryCodes: string[] }>('/session/me/totp/confirm', {
    code: totpOf(secret, now),
  })
  expect(confirmed.body.recoveryCodes).toHaveLength(10)
  expect((await owner.post('/session/me/totp')).status).toBe(409)

  expect(await attempt(here, OWNER, 'wrong')).toMatchObject(wrong)
  expect(await attempt(here, OWNER)).toMatchObject({
    status: 401,
    body: { code: 'second_factor_required', factors: ['totp', 'recoveryCode'] },
  })
  const withCode = async (code: Record<string, string>) => (await signInWithPassword(here, OWNER, code)).reply.status
  expect(await withCode({ totp: totpOf(secret, now) })).toBe(401)
  expect(await withCode({ totp: totpOf(secret, now + 1) })).toBe(200)
  expect(await withCode({ totp: totpOf(secret, now + 1) })).toBe(401)
  await stopClock(here.db, at + 90_000)
  expect(await withCode({ totp: totpOf(secret, now) })).toBe(401)
  expect(await withCode({ totp: totpOf(secret, now + 3) })).toBe(200)

  const [first = '', second = ''] = confirmed.body.recoveryCodes
  expect(await withCode({ recoveryCode: first })).toBe(200)
  expect(await withCode({ recoveryCode: first })).toBe(401)
  expect(await withCode({ recoveryCode: ` ${second.toUpperCase().replaceAll('-', ' ')}` })).toBe(200)
  const actions = await here.db.all(
    sql<{ action: string }>`select action from audit_log where action like 'totp.%' order by id`,
  )
  expect(actions.map(({ action }) => action)).toEqual(['totp.enabled', 'totp.recovered', 'totp.recovered'])
})

test('of many sign-ins with one code one is let in', async () => {
  const here = await world()
  const owner = await ownerOf(here)
  const { secret } = (await owner.post<{ secret: string }>('/session/me/totp')).body
  const at = Date.now()
  const now = stepAt(at)
  await stopClock(here.db, at)
  await owner.post('/session/me/totp/confirm', { code: totpOf(secret, now) })
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => signInWithPassword(here, OWNER, { totp: totpOf(secret, now + 1) })),
  )
  expect(replies.filter(({ reply }) => reply.status === 200)).toHaveLength(1)
})

test('codes cannot be guessed: the delays count for them as for passwords', async () => {
  const here = await world()
  const owner = await ownerOf(here)
  await enableTotp(owner)
  await stopClock(here.db, Date.now())
  // Asking for the code in between, with the right password, forgives nothing.
  for (let i = 0; i < 5; i++) {
    expect((await signInWithPassword(here, OWNER, { totp: '000000' })).reply).toMatchObject(wrong)
    if (i < 4) expect((await attempt(here, OWNER)).body['code']).toBe('second_factor_required')
  }
  expect((await signInWithPassword(here, OWNER, { totp: '000000' })).reply.status).toBe(429)
  for (let i = 0; i < 5; i++) expect((await owner.post('/session/confirm', { totp: '000000' })).status).toBe(401)
  expect((await owner.post('/session/confirm', { totp: '000000' })).status).toBe(429)
  expect((await owner.post('/session/confirm', { password: PASSWORD })).status).toBe(429)
})
