import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { describedRoutes } from '../../src/app/describe.ts'
import { sql } from '../../src/storage/sql.ts'
import { Authenticator } from '../support/authenticator.ts'
import type { Reply } from '../support/client.ts'
import { filledPath, routesOfDoor } from '../support/door.ts'
import { dumpOf } from '../support/dump.ts'
import {
  challengeFor,
  enableTotp,
  OWNER,
  PASSWORD,
  setupToken,
  tokenIn,
  visitor,
  type Browser,
} from '../support/people.ts'
import { some } from '../support/runs.ts'
import { base32Bytes } from '../support/totp.ts'
import { created, world, type World } from '../support/world.ts'
import { call } from './requests.ts'

const NEW_PASSWORD = 'nine teapots of gravel'
const WRONG_PASSWORD = 'seven wet umbrellas at noon'

test('passwords, cookies, links, codes and challenges of people are in their one answer and nowhere else', async () => {
  const here = await world()
  const told = new Told()
  const owner = await beginnings(here, told)
  await secondFactor(here, owner, told)
  await others(here, owner, told)
  const replies = [...(await everyRoute(here, owner)), ...(await misplaced(here, owner, told.secrets))]
  replies.push(...(await duringOutage(here, owner)))

  expect(new Set(told.kinds)).toEqual(
    new Set(['password', 'set-up link', 'invitation', 'recovery link', 'cookie', 'challenge', 'totp', 'recovery code']),
  )
  expect(new Set(replies.map(({ status }) => status))).toContain(500)
  for (const { status, text, headers } of replies) {
    const whole = `${text} ${JSON.stringify([...headers])}`
    expect(secretsIn(whole, told.secrets), `${status} ${text.slice(0, 500)}`).toEqual([])
  }
  expect(here.logs.length).toBeGreaterThan(50)
  expect(secretsIn(here.logs.join(''), told.secrets)).toEqual([])
  for (const page of ['/metrics', '/openapi.json', '/docs', '/', '/setup', '/recover', '/invitation']) {
    expect(secretsIn((await here.api.get(page)).text, told.secrets), page).toEqual([])
  }
  const log = await here.api.get('audit-log?limit=100')
  expect(secretsIn(log.text, told.secrets)).toEqual([])
  const dump = JSON.stringify(await dumpOf(here.db))
  expect(secretsIn(dump, told.secrets)).toEqual([])
  // The dump is a real one: the hashes of the lasting secrets are in it.
  for (const { kind, secret } of told.all.filter((one) => one.isLasting)) {
    expect(dump, kind).toContain(createHash('sha256').update(secret).digest('hex'))
  }
  expect(dump).toContain('$argon2id$v=19$')
})

/** Secrets as they were handed over, each once. */
class Told {
  readonly all: { kind: string; secret: string; isLasting: boolean }[] = []

  /** `isLasting` is whether its hash is stored when all is over. */
  add(kind: string, secret: string | undefined, isLasting = false): string {
    if (secret === undefined || secret.length < 6) throw new Error(`no ${kind} was handed over`)
    this.all.push({ kind, secret, isLasting })
    return secret
  }

  get kinds(): string[] {
    return this.all.map(({ kind }) => kind)
  }

  get secrets(): string[] {
    return this.all.map(({ secret }) => secret)
  }
}

/** The secrets that a text contains: as they are, or as a column, a header or a URL might hold them. */
const secretsIn = (text: string, secrets: readonly string[]): string[] => {
  const searched = text.toLowerCase()
  return secrets.filter((secret) => {
    const plain = secret.replace(/^p[sir]_/, '')
    const bytes = [Buffer.from(secret), Buffer.from(plain), Buffer.from(plain, 'base64url'), base32Bytes(plain)]
    const forms = [
      plain,
      encodeURIComponent(secret),
      ...bytes.filter(({ length }) => length >= 10).flatMap((each) => [each.toString('hex'), unpadded(each)]),
    ]
    return forms.some((form) => searched.includes(form.toLowerCase()))
  })
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/.=*$/, '')

test('the search finds what is there', () => {
  const secret = 'pi_0123456789abcdefghijABCDEFGHIJ0123456789-_w'
  const bytes = Buffer.from(secret.slice(3), 'base64url')
  for (const text of [secret, secret.slice(3), bytes.toString('hex'), bytes.toString('base64')]) {
    expect(secretsIn(`x${text}x`, [secret])).toEqual([secret])
  }
  expect(
    secretsIn(`x${Buffer.from('ABCDEFGHIJKLMNOP').toString('hex')}x`, ['IFBEGRCFIZDUQSKKJNGE2TSPKA']),
  ).toHaveLength(1)
  expect(secretsIn('nothing', [secret])).toEqual([])
})

/** Sets the workspace up; wrong and right ways in. */
async function beginnings(here: World, told: Told): Promise<Browser> {
  const owner = visitor(here)
  told.add('set-up link', await setupToken(here))
  const token = told.add('set-up link', await setupToken(here), true)
  const password = told.add('password', PASSWORD)
  expect((await owner.post('/session/setup', { token, name: 'Ada', email: OWNER, password })).status).toBe(201)
  told.add('cookie', owner.cookie)
  expect((await owner.post('/session/confirm', { password })).status).toBe(200)
  told.add('cookie', owner.cookie)
  const wrong = told.add('password', WRONG_PASSWORD)
  expect((await visitor(here).post('/session/password', { email: OWNER, password: wrong })).status).toBe(401)
  expect((await owner.post('/session/me/password', { password: told.add('password', NEW_PASSWORD) })).status).toBe(200)
  told.add('cookie', owner.cookie)
  return owner
}

async function secondFactor(here: World, owner: Browser, told: Told): Promise<void> {
  const { secret, recoveryCodes } = await enableTotp(owner)
  told.add('totp', secret)
  for (const code of recoveryCodes) told.add('recovery code', code)
  told.add('cookie', owner.cookie)
  const again = { email: OWNER, password: NEW_PASSWORD, recoveryCode: recoveryCodes[0] }
  expect((await visitor(here).post('/session/password', again)).status).toBe(200)
  const challenge = told.add('challenge', await challengeFor(owner, '/session/me/passkeys/options'))
  const credential = new Authenticator(here.config.publicUrl).register(challenge)
  created(await owner.post('/session/me/passkeys', { name: 'Key', credential }))
  told.add('challenge', await challengeFor(visitor(here)), true)
  told.add('cookie', owner.cookie, true)
}

/** A person is invited, joins, and needs a way back. */
async function others(here: World, owner: Browser, told: Told): Promise<void> {
  const invite = async (email: string): Promise<string> => {
    const { link } = created(await owner.post<{ link: string }>('people/invitations', { email, role: 'viewer' }))
    return told.add('invitation', tokenIn(link), true)
  }
  await invite('late@example.com')
  const token = await invite('ben@example.com')
  const ben = visitor(here)
  const reply = await ben.post<{ person: { id: string } }>('/session/invitation', {
    token,
    name: 'Ben',
    password: PASSWORD,
  })
  const { person } = created(reply)
  told.add('cookie', ben.cookie, true)
  const { link } = created(await owner.post<{ link: string }>(`people/${person.id}/recovery`))
  const recovery = told.add('recovery link', tokenIn(link), true)
  const finished = await visitor(here).post('/session/recovery/finish', { token: recovery, password: 'short' })
  expect(finished.status).toBe(400)
}

/** Whatever can be asked, by the API and at the door, without a body that is right. */
async function everyRoute({ services }: World, owner: Browser): Promise<Reply[]> {
  const replies: Reply[] = []
  for (const route of some(describedRoutes())) {
    // A route that makes a secret answers with it, so only GET is tried.
    if (route.method === 'GET') replies.push(await call(owner, route))
  }
  for (const { method, path, body } of routesOfDoor(services)) {
    // Signing out would be the last call.
    if (method === 'DELETE' || path.endsWith('/options') || path.endsWith('/totp')) continue
    replies.push(await owner.copy().request(method, filledPath(path), body ? { body: {} } : {}))
  }
  return replies
}

/** Where people and programs put a secret by mistake. None of these calls does anything. */
async function misplaced(here: World, owner: Browser, secrets: readonly string[]): Promise<Reply[]> {
  const stranger = visitor(here)
  const json = { 'content-type': 'application/json' }
  const links = secrets.filter((secret) => /^p[sir]_/.test(secret))
  const replies: Reply[] = []
  for (const secret of links) {
    replies.push(
      await stranger.post('/session/setup', { [secret]: 1 }),
      await stranger.post('/session/invitation/read', { token: secret, [secret]: secret }),
      await owner.get(`people/${secret}`),
      await owner.get(`people?${secret}=1`),
      await owner.post('people/invitations', { email: 'x@example.com', [secret]: 1 }),
    )
  }
  for (const secret of secrets) {
    const written = encodeURIComponent(secret)
    replies.push(
      await stranger.get(`/setup?token=${written}`),
      await stranger.get(`/session?token=${written}`),
      await stranger.get(`/session/${written}`),
      await stranger.request('POST', '/session/setup', { headers: json, body: `{"token":"${secret}` }),
      await stranger.post('/session/password', { email: secret, password: secret }),
      await stranger.post('/session/password', { email: OWNER, password: { is: secret } }),
      await stranger.post('/session/recovery/finish', { token: { is: secret } }),
      await owner.get(`people?limit=${written}`),
      await stranger.get('/api/v1/projects', { headers: { cookie: `posthouse=${secret}x` } }),
      await stranger.get('/api/v1/projects', { headers: { 'x-api-key': secret } }),
      await here.api.with(secret).get('projects'),
    )
  }
  return replies
}

/** A defect of ours: the database refuses the rows after their secrets were made. */
async function duringOutage({ db, api }: World, owner: Browser): Promise<Reply[]> {
  await db.run(sql`alter table invitations add constraint defect check (email <> 'defect@example.com')`)
  await db.run(sql`alter table passkey_challenges add constraint defect check (person_id is not null) not valid`)
  const fields = { email: 'defect@example.com', role: 'viewer' }
  const replies = [await owner.post('people/invitations', fields), await owner.copy().post('/session/passkey/options')]
  await db.run(sql`alter table invitations drop constraint defect`)
  await db.run(sql`alter table passkey_challenges drop constraint defect`)
  expect(replies.map(({ status }) => status)).toEqual([500, 500])
  expect((await api.get('people/invitations')).status).toBe(200)
  return replies
}
