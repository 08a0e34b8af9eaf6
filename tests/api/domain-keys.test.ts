import { createPublicKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { decodeId, newId, type DomainId } from '../../src/core/ids.ts'
import { dkimRecord } from '../../src/mail/compose/dkim-key.ts'
import type { SigningKey } from '../../src/mail/compose/dkim.ts'
import { SigningKeys } from '../../src/resources/domains/signing-keys.ts'
import { sql } from '../../src/storage/sql.ts'
import { moveClock } from '../support/clock.ts'
import {
  createDomain,
  domainsElsewhere,
  publish,
  recordOf,
  verifiedDomain,
  worldWithDns,
  type ShownDomain,
  type ShownRecord,
} from '../support/domains.ts'
import { dumpOf } from '../support/dump.ts'
import type { World } from '../support/world.ts'

const DAY = 86_400

test('the key that signs is the one that is published', async () => {
  const { projectApi, dns, services } = await worldWithDns()
  const domain = await verifiedDomain(projectApi, dns, 'example.com')
  const [key, ...more] = await services.domains.signingKeys(decodeId('dom', domain.id)!)
  expect(more).toEqual([])
  const { name, value } = recordOf(domain, 'dkim')
  expect(`${key!.selector}._domainkey.${key!.domain}`).toBe(name)
  expect(dkimRecord(key!.privateKey)).toBe(value)
  expect(createPublicKey(key!.privateKey).asymmetricKeyDetails).toMatchObject({ modulusLength: 2048 })
})

test('a rotated key takes over when its record is seen, and never before', async () => {
  const here = await worldWithDns()
  const { projectApi, dns, db } = here
  const { id, records } = await verifiedDomain(projectApi, dns, 'example.com')
  const rotate = () => projectApi.post<ShownDomain>(`domains/${id}/rotate-dkim`)
  const verify = async () => (await projectApi.post<ShownDomain>(`domains/${id}/verify`)).body
  const rotated = await rotate()
  expect(rotated).toMatchObject({ status: 200, body: { status: 'verified' } })
  const [old, fresh, ...more] = dkimOf(rotated.body)
  expect(more).toEqual([])
  expect(old).toEqual(records[0])
  expect(fresh).toMatchObject({ required: false, status: 'pending' })
  expect(fresh!.value).not.toBe(old!.value)
  expect(await rotate()).toMatchObject({ status: 409, body: { code: 'invalid_state', state: 'pending' } })

  expect((await verify()).status).toBe('verified')
  expect(await signers(here, id)).toEqual([old!.value])
  publish(dns.zones, [fresh!])
  const [oldAfter, freshAfter] = dkimOf(await verify())
  expect(freshAfter).toMatchObject({ name: fresh!.name, required: true, status: 'verified', hint: null })
  expect(oldAfter).toMatchObject({ name: old!.name, required: false, hint: expect.stringMatching(/Keep the record/) })
  expect(await signers(here, id)).toEqual([fresh!.value])

  delete dns.zones[old!.name]
  expect((await verify()).status).toBe('verified')
  expect(dkimOf(await readAt(6 * DAY))).toHaveLength(2)
  expect(dkimOf(await readAt(8 * DAY)).map(({ name }) => name)).toEqual([fresh!.name])
  expect((await rotate()).status).toBe(200)

  async function readAt(seconds: number): Promise<ShownDomain> {
    await moveClock(db, seconds)
    return (await projectApi.get<ShownDomain>(`domains/${id}`)).body
  }
})

test("who replaces the old key's record by the new one's is not warned", async () => {
  const here = await worldWithDns()
  const { projectApi, dns } = here
  const { id } = await verifiedDomain(projectApi, dns, 'example.com')
  const [old, fresh] = dkimOf((await projectApi.post<ShownDomain>(`domains/${id}/rotate-dkim`)).body)
  delete dns.zones[old!.name]
  publish(dns.zones, [fresh!])
  expect((await projectApi.post(`domains/${id}/verify`)).body).toMatchObject({ status: 'verified' })
  expect(await signers(here, id)).toEqual([fresh!.value])
})

test('of many who rotate at the same time one makes a key', async () => {
  const { projectApi, dns } = await worldWithDns()
  const { id } = await verifiedDomain(projectApi, dns, 'example.com')
  const replies = await Promise.all(Array.from({ length: 4 }, () => projectApi.post(`domains/${id}/rotate-dkim`)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  expect(dkimOf((await projectApi.get<ShownDomain>(`domains/${id}`)).body)).toHaveLength(2)
})

test('a rotation is watched for three days like a new domain', async () => {
  const { projectApi, dns, db } = await worldWithDns()
  const { id } = await verifiedDomain(projectApi, dns, 'example.com')
  await moveClock(db, 10 * DAY)
  await projectApi.post(`domains/${id}/verify`)
  const { nextCheckAt } = (await projectApi.post<ShownDomain>(`domains/${id}/rotate-dkim`)).body
  const { now } = await db.one(sql<{ now: Date }>`select clock_now() as now`)
  expect(Date.parse(nextCheckAt) - now.getTime()).toBeLessThanOrEqual(300_000)
})

test('an Ed25519 key signs beside the RSA key once it is published, and is not needed', async () => {
  const here = await worldWithDns()
  const { projectApi, dns } = here
  const { id, records } = await createDomain(projectApi, 'example.com', { ed25519: true })
  const [rsa, ed25519] = records
  expect(ed25519).toMatchObject({ purpose: 'dkim', required: false })
  expect(ed25519!.value).toMatch(/^v=DKIM1; k=ed25519; p=[A-Za-z0-9+/]{43}=$/)
  const verify = async () => (await projectApi.post<ShownDomain>(`domains/${id}/verify`)).body
  publish(
    dns.zones,
    records.filter((record) => record !== ed25519),
  )
  expect((await verify()).status).toBe('verified')
  expect(await signers(here, id)).toEqual([rsa!.value])
  publish(dns.zones, [ed25519!])
  await verify()
  expect(await signers(here, id)).toEqual([rsa!.value, ed25519!.value])
  const rotated = dkimOf((await projectApi.post<ShownDomain>(`domains/${id}/rotate-dkim`)).body)
  expect(rotated.map(({ value }) => /k=(\w+)/.exec(value)![1])).toEqual(['rsa', 'ed25519', 'rsa', 'ed25519'])
})

test('keys are asked for once in half a minute, however many want them; failures and lacks are not remembered', async () => {
  const clock = { time: 1_000_000, now: () => clock.time }
  const answers: (readonly SigningKey[] | Error)[] = []
  let asked = 0
  const keys = new SigningKeys(async () => {
    asked++
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer ?? [{ domain: 'example.com', selector: `s${asked}` } as SigningKey]
  }, clock)
  const domain = newId<'dom'>()
  const selectors = async () => (await keys.of(domain)).map(({ selector }) => selector)

  answers.push(new Error('the database is away'), [])
  await expect(keys.of(domain)).rejects.toThrow('away')
  expect(await selectors()).toEqual([])
  expect(new Set((await Promise.all(Array.from({ length: 50 }, selectors))).flat())).toEqual(new Set(['s3']))
  clock.time += 29_999
  expect(await selectors()).toEqual(['s3'])
  clock.time += 1
  expect(await selectors()).toEqual(['s4'])
  clock.time -= 3_600_000
  expect(await selectors()).toEqual(['s5'])
  expect(asked).toBe(5)
})

test('no private key is in an answer, the log or the database', async () => {
  const here = await worldWithDns()
  const { id } = await createDomain(here.projectApi, 'example.com', { ed25519: true })
  const answers = [
    await here.projectApi.get('domains'),
    await here.projectApi.patch(`domains/${id}`, { tracking: {} }),
    await here.projectApi.post(`domains/${id}/verify`),
    await here.projectApi.post(`domains/${id}/rotate-dkim`),
    await here.projectApi.delete(`domains/${id}`),
  ]
  const told = [...answers.map(({ text }) => text), ...here.logs, JSON.stringify(await dumpOf(here.db))].join(' ')
  const keys = await openedKeys(here)
  expect(keys.map(({ algorithm }) => algorithm)).toEqual(['ed25519', 'rsa'])
  // The end of a key is secret in both forms, and nothing before it is needed to recognise a copy.
  for (const { bytes } of keys) for (const form of formsOf(bytes.subarray(-30))) expect(told).not.toContain(form)
  for (const { sealed } of keys) expect(told).toContain(sealed.toString('hex'))
})

test("a sealed key that is copied into another domain's row does not open there", async () => {
  const { projectApi, dns, db, services } = await worldWithDns()
  const [mine, theirs] = [
    await verifiedDomain(projectApi, dns, 'example.com'),
    await verifiedDomain(projectApi, dns, 'example.org'),
  ].map(({ id }) => decodeId('dom', id)!)
  await db.run(sql`
    update domain_keys set private_key = (select private_key from domain_keys where domain_id = ${theirs})
     where domain_id = ${mine}`)
  await expect(services.domains.signingKeys(mine!)).rejects.toThrow(/belongs to another row/)
  expect(await services.domains.signingKeys(theirs!)).toMatchObject([{ domain: 'example.org' }])
})

const dkimOf = ({ records }: ShownDomain): ShownRecord[] => records.filter(({ purpose }) => purpose === 'dkim')

/** The records of the keys that a process which has asked nothing before would sign with. */
async function signers(here: World, id: string): Promise<string[]> {
  const keys = await domainsElsewhere(here).signingKeys(decodeId('dom', id)!)
  return keys.map(({ privateKey }) => dkimRecord(privateKey))
}

async function openedKeys({ db, services }: World) {
  const rows = await db.all(sql<{ id: DomainId; selector: string; algorithm: string; sealed: Buffer }>`
    select domain_id as id, selector, algorithm, private_key as sealed from domain_keys order by algorithm`)
  return rows.map(({ id, selector, algorithm, sealed }) => {
    const bytes = services.vault.secrets.open({ purpose: 'dkim-key', id: `${id} ${selector}` }, sealed)
    return { algorithm, sealed, bytes }
  })
}

/** In hexadecimal, and in base64 wherever in a longer text it may begin. */
const formsOf = (bytes: Buffer): string[] => [
  bytes.toString('hex'),
  ...[0, 1, 2].map((skipped) => bytes.subarray(skipped, skipped + 27).toString('base64')),
]
