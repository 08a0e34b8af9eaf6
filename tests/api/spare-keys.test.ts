import { expect, test } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import { dkimRecord, importKey } from '../../src/mail/compose/dkim-key.ts'
import { sql } from '../../src/storage/sql.ts'
import { runJobs } from '../support/audiences.ts'
import { createDomain, publish, recordOf, worldWithDns } from '../support/domains.ts'
import type { World } from '../support/world.ts'

const never = new AbortController().signal

/** An installation that has made no key ahead yet. */
async function withoutKeys(...options: Parameters<typeof worldWithDns>): ReturnType<typeof worldWithDns> {
  const here = await worldWithDns(...options)
  await here.db.run(sql`delete from spare_dkim_keys`)
  return here
}

const spareRecords = async ({ db }: World): Promise<string[]> =>
  (await db.all(sql<{ record: string }>`select record from spare_dkim_keys order by id`)).map(({ record }) => record)

test('a new domain takes a key that was made before, which signs its mail, and another one is made', async () => {
  const here = await withoutKeys({ env: { DKIM_KEYS_AHEAD: '2' } })
  const { projectApi, dns, services, db } = here
  await services.domains.makeKeysAhead(never)
  const spare = await spareRecords(here)
  expect(spare).toHaveLength(2)
  const domain = await createDomain(projectApi, 'example.com')
  expect(spare).toContain(recordOf(domain, 'dkim').value)
  expect(await spareRecords(here)).toHaveLength(1)
  await runJobs(here)
  expect(await spareRecords(here)).toHaveLength(2)

  publish(dns.zones, domain.records)
  await projectApi.post(`domains/${domain.id}/verify`)
  const [key] = await services.domains.signingKeys(decodeId('dom', domain.id)!)
  expect(dkimRecord(key!.privateKey)).toBe(recordOf(domain, 'dkim').value)
  const sealed = await db.one(sql<{ key: Buffer }>`select private_key as key from spare_dkim_keys limit 1`)
  expect(() => importKey(sealed.key)).toThrow()
  // The same for its successor.
  const before = await spareRecords(here)
  const { body } = await projectApi.post<typeof domain>(`domains/${domain.id}/rotate-dkim`)
  expect(body.records.filter(({ purpose, value }) => purpose === 'dkim' && before.includes(value))).toHaveLength(1)
})

test('what is refused takes no key, no two get the same, and without one there is one all the same', async () => {
  const here = await withoutKeys({ env: { DKIM_KEYS_AHEAD: '3' } })
  const { projectApi, services } = here
  await createDomain(projectApi, 'example.com')
  await services.domains.makeKeysAhead(never)
  expect((await projectApi.post('domains', { name: 'example.com' })).status).toBe(409)
  expect(await spareRecords(here)).toHaveLength(3)
  const domains = await Promise.all(
    Array.from({ length: 5 }, (_, i) => createDomain(projectApi, `example${i}.com`, { ed25519: i % 2 === 0 })),
  )
  const values = domains.flatMap(({ records }) => records.filter(({ purpose }) => purpose === 'dkim'))
  expect(new Set(values.map(({ value }) => value)).size).toBe(8)
  expect(await spareRecords(here)).toEqual([])
})

test('a key that does not open any more is thrown away', async () => {
  const here = await withoutKeys({ env: { DKIM_KEYS_AHEAD: '1' } })
  const { projectApi, services, db } = here
  await services.domains.makeKeysAhead(never)
  await db.run(sql`update spare_dkim_keys set private_key = set_byte(private_key, 3, get_byte(private_key, 3) # 1)`)
  await createDomain(projectApi, 'example.com')
  expect(await spareRecords(here)).toEqual([])
})
