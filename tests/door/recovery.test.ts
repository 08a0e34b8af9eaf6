import { expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { mayMail } from '../../src/resources/people/store/links.ts'
import { sql } from '../../src/storage/sql.ts'
import { whatIsTold } from '../contract/requests.ts'
import { jobs, makeAllDue } from '../jobs/world.ts'
import { runJobs } from '../support/audiences.ts'
import { Authenticator } from '../support/authenticator.ts'
import { moveClock, stopClock } from '../support/clock.ts'
import { dumpOf } from '../support/dump.ts'
import { eventually } from '../support/eventually.ts'
import { mailWorld, type MailWorld } from '../support/mail-world.ts'
import {
  challengeFor,
  enableTotp,
  join,
  letConfirmationLapse,
  OWNER,
  PASSWORD,
  setUp,
  signIn,
  signInWithPassword,
  tokenIn,
  visitor,
} from '../support/people.ts'
import { world, type World } from '../support/world.ts'

const NEW_PASSWORD = 'a bridge of nine teapots'

const linkFor = async (here: World, email: string, withoutSecondFactor = false): Promise<string> => {
  const workspace = (await here.services.projects.workspace())!
  return here.services.people.recovery.linkFor({ type: 'operator' }, workspace, email, withoutSecondFactor)
}

const finish = (
  here: Pick<World, 'api' | 'config'>,
  token: string,
  more: Record<string, unknown> = { password: NEW_PASSWORD },
) => visitor(here).post('/session/recovery/finish', { token, ...more })

test('with a link of the operator somebody chooses a new password, once, within the hour; all sessions end', async () => {
  const here = await world()
  const owner = await setUp(here)
  const replaced = tokenIn(await linkFor(here, OWNER))
  const link = await linkFor(here, OWNER.toUpperCase())
  expect(link).toMatch(/^http:\/\/localhost:3000\/recover#pr_[\w-]{43}$/)
  const used = { status: 410, body: { code: 'link_used' } }
  expect(await finish(here, replaced)).toMatchObject(used)
  expect(await finish(here, 'pr_never')).toMatchObject(used)
  expect((await finish(here, tokenIn(link), { password: 'short' })).status).toBe(400)
  const reply = await finish(here, tokenIn(link))
  expect(reply).toMatchObject({ status: 200, body: { person: { email: OWNER } } })
  expect(reply.headers.get('set-cookie')).toMatch(/^posthouse=/)
  expect((await owner.get('/session')).status).toBe(401)
  expect(await finish(here, tokenIn(link))).toMatchObject(used)
  expect((await signInWithPassword(here, OWNER)).reply.status).toBe(401)
  expect((await signInWithPassword(here, OWNER, { password: NEW_PASSWORD })).reply.status).toBe(200)
  const late = tokenIn(await linkFor(here, OWNER))
  await moveClock(here.db, 3_601)
  expect(await finish(here, late)).toMatchObject(used)
  const audited = await here.db.all(sql<{ action: string; actor: string }>`
    select action, actor from audit_log where action in ('person.reset', 'password.changed') order by id`)
  expect(audited.map(({ action, actor }) => `${actor} ${action}`)).toEqual([
    'operator person.reset',
    'operator person.reset',
    'person password.changed',
    'operator person.reset',
  ])
})

test('a passkey is chosen as well, and a link is no way around being disabled or removed', async () => {
  const here = await world()
  const owner = await setUp(here)
  await join(here, owner, 'b@example.com', { role: 'viewer' })
  const passkey = new Authenticator('http://localhost:3000')
  const credential = passkey.register(await challengeFor(visitor(here)))
  const link = tokenIn(await linkFor(here, 'b@example.com'))
  expect((await finish(here, link, { credential })).body).toMatchObject({
    person: { hasPassword: true, passkeys: [{}] },
  })
  const { data } = (await owner.get<{ data: { id: string }[] }>('people?q=b%40example')).body
  const path = `people/${data[0]!.id}`
  for (const end of [() => owner.patch(path, { disabled: true }), () => owner.delete(path)]) {
    const before = tokenIn(await linkFor(here, 'b@example.com'))
    expect((await end()).status).toBe(200)
    expect((await finish(here, before)).status).toBe(410)
    await owner.patch(path, { disabled: false })
  }
  await expect(linkFor(here, 'b@example.com')).rejects.toMatchObject({ code: 'not_found' })
})

test('the second factor is asked for, unless the operator says that it is lost', async () => {
  const here = await world()
  const owner = await setUp(here)
  const { recoveryCodes } = await enableTotp(owner)
  const token = tokenIn(await linkFor(here, OWNER))
  expect(await finish(here, token)).toMatchObject({
    status: 401,
    body: { code: 'second_factor_required', factors: ['totp', 'recoveryCode'] },
  })
  const choice = { password: NEW_PASSWORD }
  const stopped = Date.now()
  await stopClock(here.db, stopped)
  for (let i = 0; i < 5; i++) expect((await finish(here, token, { ...choice, totp: '000000' })).status).toBe(401)
  expect((await finish(here, token, { ...choice, totp: '000000' })).status).toBe(429)
  await stopClock(here.db, stopped + 2_000)
  expect((await finish(here, token, { ...choice, recoveryCode: recoveryCodes[0] })).status).toBe(200)
  expect((await signInWithPassword(here, OWNER, choice)).reply.status).toBe(401)

  const lost = tokenIn(await linkFor(here, OWNER, true))
  expect((await finish(here, lost)).body).toMatchObject({ person: { totp: false } })
  expect((await signInWithPassword(here, OWNER, choice)).reply.status).toBe(200)
})

test('an owner makes a link for somebody else, and hands it over; it is audited, and good once, for an hour', async () => {
  const here = await world()
  const { client: owner, id: ownerId } = await signIn(here, { role: 'owner' })
  const ben = await signIn(here, { role: 'developer', email: 'ben@example.com', password: PASSWORD })
  const ask = () => owner.post<{ link: string; expiresAt: string }>(`people/${ben.id}/recovery`)
  const [first, second] = [await ask(), await ask()]
  expect(second).toMatchObject({
    status: 201,
    body: { link: expect.stringMatching(/^http:\/\/localhost:3000\/recover#pr_[\w-]{43}$/) },
  })
  expect(Object.keys(second.body)).toEqual(['link', 'expiresAt'])
  const seconds = (Date.parse(second.body.expiresAt) - Date.now()) / 1_000
  expect(seconds).toBeGreaterThan(3_000)
  expect(seconds).toBeLessThanOrEqual(3_600)
  // Making one changes nothing for whom it is: neither their sessions nor their password.
  expect((await ben.client.get('/session')).status).toBe(200)
  expect((await finish(here, tokenIn(first.body.link))).status).toBe(410)
  expect(await finish(here, tokenIn(second.body.link))).toMatchObject({ status: 200, body: { person: { id: ben.id } } })
  expect((await finish(here, tokenIn(second.body.link))).status).toBe(410)
  expect((await ben.client.get('/session')).status).toBe(401)
  const { body } = await here.api.get<{ data: object[] }>('audit-log?action=person.reset')
  const entry = { actor: { type: 'person', id: ownerId }, subject: ben.id, details: { withoutSecondFactor: false } }
  expect(body.data).toMatchObject([entry, entry])
  expect(JSON.stringify(body)).not.toContain('pr_')
})

test('nobody but an owner who has just confirmed it is them makes such a link: no admin, and no key', async () => {
  const here = await world()
  const owner = await signIn(here, { role: 'owner' })
  const ben = await signIn(here, { role: 'viewer' })
  const path = `people/${ben.id}/recovery`
  for (const key of [here.api, here.projectApi, await here.clientWith({ scopes: ['people:write'] })]) {
    expect(await key.post(path)).toMatchObject({ status: 403, body: { code: 'person_required' } })
  }
  for (const who of [{ role: 'admin' }, { role: 'admin', project: here.projectId }, { role: 'developer' }] as const) {
    const { client } = await signIn(here, who)
    expect(await client.post(path)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
  }
  await letConfirmationLapse(here, owner)
  expect(await owner.client.post(path)).toMatchObject({ status: 403, body: { code: 'confirmation_required' } })
  expect(await here.db.all(sql`select id from one_time_links where kind = 'recovery'`)).toEqual([])
})

test('a link of an owner asks for the second factor, opens nothing for the disabled, and ends with the role of its maker', async () => {
  const here = await world()
  const owner = await signIn(here, { role: 'owner' })
  const second = await signIn(here, { role: 'owner' })
  const ben = await signIn(here, { role: 'viewer' })
  const ask = () => second.client.post<{ link: string }>(`people/${ben.id}/recovery`)
  await enableTotp(ben.client)
  const token = tokenIn((await ask()).body.link)
  expect((await finish(here, token)).body['code']).toBe('second_factor_required')
  // Nor does it outlive the role that it was made with: who is lowered cannot become somebody else.
  expect((await owner.client.patch(`people/${second.id}`, { role: 'admin' })).status).toBe(200)
  expect((await finish(here, token)).status).toBe(410)
  await owner.client.patch(`people/${ben.id}`, { disabled: true })
  expect(await owner.client.post(`people/${ben.id}/recovery`)).toMatchObject({
    status: 409,
    body: { code: 'invalid_state', state: 'disabled' },
  })
})

test('of many who finish with one link one does', async () => {
  const here = await world()
  await setUp(here)
  const token = tokenIn(await linkFor(here, OWNER))
  const replies = await Promise.all(Array.from({ length: 6 }, () => finish(here, token)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 410, 410, 410, 410, 410])
})

test('who asks for a link hears the same whether there is such a person or not', async () => {
  const here = await world()
  await setUp(here)
  const ask = (email: string) => visitor(here).post('/session/recovery', { email })
  const [known, unknown] = [await ask(OWNER), await ask('nobody@example.com')]
  expect(known).toMatchObject({ status: 202, body: { accepted: true } })
  expect(whatIsTold(unknown)).toEqual(whatIsTold(known))
  await runJobs(here)
  expect((await here.api.get('emails', { headers: { 'x-service-project-id': here.projectId } })).body).toMatchObject({
    data: [],
  })
  for (let i = 0; i < 28; i++) await ask(`p${i}@example.com`)
  expect((await ask(OWNER)).status).toBe(429)
})

const SENDER = 'house@posts.example'

async function mailedLink({ sink, db }: MailWorld, page: string, count = 1): Promise<string> {
  await eventually('the mail arrives', () => sink.taken.length >= count)
  const raw = sink.taken[count - 1]!.raw.toString('utf8').replaceAll('=\r\n', '').replaceAll('=3D', '=')
  const link = new RegExp(`http://localhost:3000/${page}#\\S+`).exec(raw)?.[0] ?? ''
  expect(link, raw).toMatch(/#pm_[0-9a-z]+$/)
  // Whoever reads the database, or mail through the API, does not find it.
  expect(JSON.stringify(await dumpOf(db))).not.toContain(tokenIn(link))
  return link
}

test('with SYSTEM_SENDER a link is mailed, that nobody else finds, and following it proves the address', async () => {
  const here = await mailWorld({ env: { SYSTEM_SENDER: SENDER } })
  const owner = await setUp(here, { password: PASSWORD, email: 'ada@sink.test' })
  expect((await owner.get('/session')).body).toMatchObject({ installation: { systemSender: SENDER } })
  const ask = () => visitor(here).post('/session/recovery', { email: 'ada@sink.test' })
  await ask()
  const link = await mailedLink(here, 'recover')
  const mail = here.sink.taken[0]!
  expect(mail).toMatchObject({ to: 'ada@sink.test' })

  const { client: viewer } = await signIn(here, { role: 'viewer', project: here.projectId })
  const { data } = (await viewer.get<{ data: { id: string; subject: string }[] }>('emails')).body
  expect(data).toHaveLength(1)
  const shown = await viewer.get(`emails/${data[0]!.id}`)
  expect(shown.text).toContain('http://localhost:3000/recover#hidden')
  expect(shown.text).not.toContain(tokenIn(link))
  const raw = await here.api.get(`emails/${data[0]!.id}/raw`, { headers: { 'x-service-project-id': here.projectId } })
  expect(raw.text).not.toContain('pm_')

  expect((await finish(here, 'pm_hidden')).status).toBe(410)
  const last = tokenIn(link).at(-1) === '0' ? '1' : '0'
  expect((await finish(here, `${tokenIn(link).slice(0, -1)}${last}`)).status).toBe(410)
  expect((await finish(here, tokenIn(link))).status).toBe(200)
  expect((await finish(here, tokenIn(link))).status).toBe(410)
  const people = await here.db.all(
    sql<{ verified: boolean }>`select email_verified as verified from people where email = 'ada@sink.test'`,
  )
  expect(people).toEqual([{ verified: true }])
  // The next one is mailed only after some minutes.
  expect((await ask()).status).toBe(202)
  await eventually('the worker has heard of it', async () => {
    const waiting = await here.db.all(sql`select id from jobs where kind = 'people.mail-recovery-link'`)
    return waiting.length === 0
  })
  expect((await viewer.get<{ data: object[] }>('emails')).body.data).toHaveLength(1)
})

test('an invitation is mailed with a link of its own; the one that is shown proves no address', async () => {
  const here = await mailWorld({ env: { SYSTEM_SENDER: SENDER } })
  const owner = await setUp(here)
  const invite = (email: string) =>
    owner.post<{ link: string; mailed: boolean }>('people/invitations', { email, role: 'viewer' })
  const [shown, mailed] = [await invite('shown@sink.test'), await invite('mailed@sink.test')]
  expect([shown.body.mailed, mailed.body.mailed]).toEqual([true, true])
  await eventually('both arrive', () => here.sink.taken.length === 2)
  const position = here.sink.taken.findIndex(({ to }) => to === 'mailed@sink.test') + 1
  const link = await mailedLink(here, 'invitation', position)
  const accept = (token: string) =>
    visitor(here).post('/session/invitation', { token, name: 'New', password: PASSWORD })
  expect((await visitor(here).post('/session/invitation/read', { token: tokenIn(link) })).body).toMatchObject({
    email: 'mailed@sink.test',
    invitedBy: 'Ada',
  })
  expect((await accept(tokenIn(link))).status).toBe(201)
  expect((await accept(tokenIn(mailed.body.link))).status).toBe(410)
  expect((await accept(tokenIn(shown.body.link))).status).toBe(201)
  const people = await here.db.all(sql<{ email: string; verified: boolean }>`
    select email, email_verified as verified from people where email like '%@sink.test' order by email`)
  expect(people).toEqual([
    { email: 'mailed@sink.test', verified: true },
    { email: 'shown@sink.test', verified: false },
  ])
})

test('where the domain of SYSTEM_SENDER is not verified nothing is mailed, and the answer says so', async () => {
  const here = await world({ env: { SYSTEM_SENDER: 'house@unknown.example' } })
  const owner = await setUp(here)
  expect((await owner.post('people/invitations', { email: 'b@example.com', role: 'viewer' })).body).toMatchObject({
    mailed: false,
    link: expect.stringContaining('/invitation#pi_'),
  })
  expect((await visitor(here).post('/session/recovery', { email: OWNER })).status).toBe(202)
  await runJobs(here)
})

test('a recovery mail that could not be sent is sent by the next attempt of its job', async () => {
  const here = await mailWorld({ env: { SYSTEM_SENDER: SENDER }, workers: 0 })
  const { db } = here
  await setUp(here, { password: PASSWORD, email: 'ada@sink.test' })
  await db.run(sql`alter table emails rename to emails_away`)
  await visitor(here).post('/session/recovery', { email: 'ada@sink.test' })
  await runJobs(here)
  expect(await jobs(db)).toContainEqual(expect.objectContaining({ kind: 'people.mail-recovery-link', failures: 1 }))
  await db.run(sql`alter table emails_away rename to emails`)
  await makeAllDue(db)
  await runJobs(here)
  expect(await db.all(sql`select id from one_time_links where email_id is not null`)).toHaveLength(1)
  expect((await jobs(db)).filter(({ kind }) => kind === 'people.mail-recovery-link')).toEqual([])
})

test('a mail that a visitor asks for does not end the link that was handed over; using one of them ends both', async () => {
  const here = await mailWorld({ env: { SYSTEM_SENDER: SENDER } })
  await setUp(here, { password: PASSWORD, email: 'ada@sink.test' })
  const handed = tokenIn(await linkFor(here, 'ada@sink.test'))
  await visitor(here).post('/session/recovery', { email: 'ada@sink.test' })
  const mailed = tokenIn(await mailedLink(here, 'recover'))
  const links = () => here.db.all(sql`select id from one_time_links where kind = 'recovery' and used_at is null`)
  await eventually('the mailed link counts as well', async () => (await links()).length === 2)
  const replies = await Promise.all([handed, mailed].map((token) => finish(here, token)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 410])
  expect(await links()).toEqual([])
})

test('a new link that is handed over ends the one that was mailed', async () => {
  const here = await mailWorld({ env: { SYSTEM_SENDER: SENDER } })
  await setUp(here, { password: PASSWORD, email: 'ada@sink.test' })
  await visitor(here).post('/session/recovery', { email: 'ada@sink.test' })
  const mailed = tokenIn(await mailedLink(here, 'recover'))
  await eventually(
    'the mailed link counts',
    async () => (await here.db.all(sql`select id from one_time_links where email_id is not null`)).length === 1,
  )
  const handed = tokenIn(await linkFor(here, 'ada@sink.test'))
  expect((await finish(here, mailed)).status).toBe(410)
  expect((await finish(here, handed)).status).toBe(200)
})

test('the operator makes no link for a person who is disabled: it could not let them in', async () => {
  const here = await world()
  const owner = await signIn(here, { role: 'owner' })
  const ben = await signIn(here, { role: 'viewer', email: 'ben@example.com' })
  expect((await owner.client.patch(`people/${ben.id}`, { disabled: true })).status).toBe(200)
  await expect(linkFor(here, 'ben@example.com')).rejects.toMatchObject({ code: 'invalid_state' })
  expect(await here.db.all(sql`select id from one_time_links where kind = 'recovery'`)).toEqual([])
})

test('a mail to a person is allowed in their own workspace alone', async () => {
  const here = await world()
  const { personId } = await signIn(here, { role: 'viewer' })
  const workspace = (await here.services.projects.workspace())!
  expect(await mayMail(here.db, newId<'acc'>(), personId, newId(), 5)).toBe(false)
  expect(await mayMail(here.db, workspace, personId, newId(), 5)).toBe(true)
})
