import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { PostgresBlobs, S3Blobs, type Blobs } from '../../src/storage/blobs.ts'
import type { Tx } from '../../src/storage/postgres.ts'
import { S3Bucket, sign, type S3Settings } from '../../src/storage/s3.ts'
import { sql } from '../../src/storage/sql.ts'
import { freshDatabase } from '../support/database.ts'
import { S3Server, type Fault } from './s3-server.ts'

const { db, drop } = await freshDatabase()

const clock = { time: Date.now(), now: () => clock.time }
const account = { region: 'eu-test-1', accessKeyId: 'TESTKEYID', secretAccessKey: 'tEsT/seCret+0123456789' }
const server = new S3Server({ ...account, bucket: 'mail', clock, pageSize: 10 })
const settings: S3Settings = { ...account, bucket: 'mail', endpoint: await server.start(), prefix: 'posthouse/raw-' }

/** Waiting takes no time, but the clock moves. */
const waits: number[] = []
const sleep = async (ms: number): Promise<void> => {
  waits.push(ms)
  clock.time += ms
}
const bucket = (changes: Partial<S3Settings> = {}, timeoutMs = 30_000): S3Blobs =>
  new S3Blobs(new S3Bucket({ ...settings, ...changes }, { clock, sleep, random: () => 0.5, timeoutMs }))

const postgres = new PostgresBlobs(db)
const s3 = bucket()

afterAll(async () => {
  await server.stop()
  await drop()
})

beforeEach(() => {
  waits.length = 0
  server.calmDown()
})

const HOUR = 3_600_000
let databaseAhead = 0
async function later(ms: number): Promise<void> {
  clock.time += ms
  databaseAhead += ms
  await db.pool.query(`create or replace function clock_now() returns timestamptz language sql stable
                       as 'select now() + interval ''${databaseAhead} milliseconds'''`)
}

const put = async (blobs: Blobs, bytes: Buffer): Promise<string> => {
  const staged = await blobs.stage(bytes)
  return db.transaction((tx) => staged.put(tx))
}
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const absent = (): string => randomBytes(32).toString('hex')

async function addresses(blobs: Blobs): Promise<string[]> {
  const all: string[] = []
  for await (const address of blobs.list()) all.push(address)
  return all
}

describe.each([
  { name: 'PostgreSQL', blobs: postgres },
  { name: 'S3', blobs: s3 },
])('blobs in $name', ({ blobs }) => {
  test('any bytes come back under their SHA-256', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5_000 }), async (array) => {
        const bytes = Buffer.from(array)
        const address = await put(blobs, bytes)
        expect(address).toBe(sha256(bytes))
        expect(await blobs.get(address)).toEqual(bytes)
      }),
      { numRuns: 50 },
    )
  })

  test('a mail of 8 MB comes back whole', async () => {
    const bytes = randomBytes(8_000_000)
    const found = await blobs.get(await put(blobs, bytes))
    expect(found?.equals(bytes)).toBe(true)
  })

  test('many are put at once, each found under its own address, the same ones once', async () => {
    const all = [randomBytes(10), randomBytes(5_000), Buffer.alloc(0), Buffer.from('twice'), Buffer.from('twice')]
    const staged = await Promise.all(all.map((bytes) => blobs.stage(bytes)))
    const given = await db.transaction((tx) => blobs.putAll(tx, staged))
    expect(given).toEqual(all.map(sha256))
    for (const [at, bytes] of all.entries()) expect(await blobs.get(given[at]!)).toEqual(bytes)
    expect(await db.transaction((tx) => blobs.putAll(tx, []))).toEqual([])
  })

  test('an address that was never put has no blob', async () => {
    const address = absent()
    expect(await blobs.has(address)).toBe(false)
    expect(await blobs.get(address)).toBeUndefined()
  })

  test.each(['', '../mail', 'AB'.repeat(32), 'ab'.repeat(31), `${'ab'.repeat(32)}\n`])(
    '%j is refused as an address',
    async (address) => {
      await expect(blobs.get(address)).rejects.toThrow('not the address of a blob')
      await expect(blobs.has(address)).rejects.toThrow('not the address of a blob')
      await expect(blobs.delete([address])).rejects.toThrow('not the address of a blob')
    },
  )

  test('the same bytes, put by many at once and again later, are one blob', async () => {
    const bytes = randomBytes(1_000)
    const given = await Promise.all(Array.from({ length: 10 }, () => put(blobs, bytes)))
    given.push(await put(blobs, bytes))
    expect(new Set(given)).toEqual(new Set([sha256(bytes)]))
    expect((await addresses(blobs)).filter((address) => address === given[0])).toHaveLength(1)
  })

  test('every address is listed once, in ascending order', async () => {
    const given = await Promise.all(Array.from({ length: 35 }, () => put(blobs, randomBytes(20))))
    const listed = await addresses(blobs)
    expect(listed).toEqual([...new Set(listed)].toSorted())
    expect(listed).toEqual(expect.arrayContaining(given))
  })

  test('deleting removes the named blobs that are older than an hour, and no others', async () => {
    const [old, kept] = [await put(blobs, randomBytes(10)), await put(blobs, randomBytes(10))]
    await later(HOUR + 2_000)
    const young = await put(blobs, randomBytes(10))
    expect(await blobs.delete([old, young, absent()])).toBe(1)
    expect(await Promise.all([old, young, kept].map((address) => blobs.has(address)))).toEqual([false, true, true])
    expect(await blobs.get(old)).toBeUndefined()
  })

  test('bytes that are put again are young again', async () => {
    const bytes = randomBytes(10)
    const address = await put(blobs, bytes)
    await later(2 * HOUR)
    await put(blobs, bytes)
    await later(HOUR / 2)
    expect(await blobs.delete([address])).toBe(0)
    expect(await blobs.get(address)).toEqual(bytes)
  })

  test('a deleted blob can be put again', async () => {
    const bytes = randomBytes(10)
    const address = await put(blobs, bytes)
    await later(2 * HOUR)
    expect(await blobs.delete([address])).toBe(1)
    await put(blobs, bytes)
    expect(await blobs.get(address)).toEqual(bytes)
  })
})

describe('blobs in PostgreSQL and transactions', () => {
  const untilOneWaits = async (): Promise<void> => {
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while ((await db.all(waiting)).length === 0);
  }

  const inTransaction = async (tx: Tx, bytes: Buffer): Promise<string> => (await postgres.stage(bytes)).put(tx)

  test('a put that is rolled back leaves nothing', async () => {
    const bytes = randomBytes(10)
    const failing = db.transaction(async (tx) => {
      await inTransaction(tx, bytes)
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await postgres.has(sha256(bytes))).toBe(false)
  })

  test('a sweep that meets an uncommitted put of an old blob lets it live', async () => {
    const bytes = randomBytes(10)
    const address = await put(postgres, bytes)
    await later(2 * HOUR)
    let sweep: Promise<number> | undefined
    await db.transaction(async (tx) => {
      await inTransaction(tx, bytes)
      sweep = postgres.delete([address])
      await untilOneWaits()
    })
    expect(await sweep).toBe(0)
    expect(await postgres.get(address)).toEqual(bytes)
  })

  test('a put that meets an uncommitted deletion stores the bytes anew', async () => {
    const bytes = randomBytes(10)
    const address = await put(postgres, bytes)
    await later(2 * HOUR)
    let again: Promise<string> | undefined
    await db.transaction(async (tx) => {
      expect(await new PostgresBlobs(tx).delete([address])).toBe(1)
      again = put(postgres, bytes)
      await untilOneWaits()
    })
    expect(await again).toBe(address)
    expect(await postgres.get(address)).toEqual(bytes)
  })

  test('transactions that put the same fresh attachment do not wait for each other', async () => {
    const bytes = randomBytes(10)
    await put(postgres, bytes)
    await db.transaction(async (first) => {
      await inTransaction(first, bytes)
      await db.transaction(async (second) => {
        await second.run(sql`set local lock_timeout = '1s'`)
        expect(await inTransaction(second, bytes)).toBe(sha256(bytes))
      })
    })
  })

  test('bytes are kept as they are, with their size', async () => {
    const address = await put(postgres, Buffer.alloc(100_000, 'a'))
    const row = await db.one(sql`
      select size, pg_column_compression(bytes) as compression, pg_column_size(bytes) as stored
        from blobs where address = ${Buffer.from(address, 'hex')}`)
    expect(row).toEqual({ size: 100_000, compression: null, stored: 100_000 })
  })

  test('a list longer than one page is complete', async () => {
    await db.run(sql`insert into blobs (address, bytes)
                     select sha256(bytes), bytes from generate_series(1, 2500) i, convert_to('mail ' || i, 'UTF8') bytes`)
    const { count } = await db.one(sql<{ count: number }>`select count(*) from blobs`)
    expect(new Set(await addresses(postgres)).size).toBe(count)
  })

  test('bytes that do not fit their address are refused on the way in and on the way out', async () => {
    const address = await put(postgres, randomBytes(10))
    const damage = sql`update blobs set bytes = '\\x00' where address = ${Buffer.from(address, 'hex')}`
    await expect(db.run(damage)).rejects.toThrow('blobs_check')
    await db.run(sql`alter table blobs drop constraint blobs_check`)
    await db.run(damage)
    await expect(postgres.get(address)).rejects.toThrow(`blob ${address} is damaged`)
  })
})

describe('blobs in S3 and what can go wrong', () => {
  const errorOf = (failing: Promise<unknown>): Promise<unknown> =>
    failing.then(
      () => expect.unreachable(),
      (error: unknown) => error,
    )

  test('an object is there before the transaction opens, so a committed row never refers to nothing', async () => {
    const bytes = randomBytes(10)
    const staged = await s3.stage(bytes)
    expect(server.objects.get(`posthouse/raw-${sha256(bytes)}`)?.bytes).toEqual(bytes)
    server.requests.length = 0
    await db.transaction((tx) => staged.put(tx))
    expect(server.requests).toEqual([])
  })

  test('a store that fails three times is asked a fourth, each time signed anew and after a longer wait', async () => {
    const slowDown = { status: 503, xml: '<Error><Code>SlowDown</Code></Error>' }
    server.misbehave({ status: 500 }, slowDown, { status: 429 })
    const bytes = randomBytes(10)
    await put(s3, bytes)
    expect(waits).toEqual([100, 200, 400])
    expect(server.objects.has(`posthouse/raw-${sha256(bytes)}`)).toBe(true)
  })

  test('the time of each attempt is signed, not that of the first', async () => {
    server.misbehave({ status: 500 })
    const hour = async (): Promise<void> => void (clock.time += HOUR)
    await put(new S3Blobs(new S3Bucket(settings, { clock, sleep: hour })), randomBytes(10))
    expect(server.requests).toHaveLength(2)
  })

  test.each<Fault>([
    'close',
    'hang up',
    { status: 408 },
    { status: 400, xml: '<Error><Code>RequestTimeout</Code></Error>' },
  ])('what passes, like %j, is tried again', async (fault) => {
    const bytes = randomBytes(10)
    const address = await put(s3, bytes)
    server.misbehave(fault)
    expect(await s3.get(address)).toEqual(bytes)
    expect(waits).toEqual([100])
  })

  test('a store that does not answer is given up on in time', async () => {
    server.misbehave('swallow')
    expect(await bucket({}, 500).has(absent())).toBe(false)
    expect(waits).toEqual([100])
  })

  test('an outage that lasts is reported as one, with what the store said', async () => {
    const slowDown = { status: 503, xml: '<Error><Code>SlowDown</Code><Message>Please wait</Message></Error>' }
    server.misbehave(slowDown, slowDown, slowDown, slowDown)
    const error = await errorOf(s3.stage(Buffer.from('a')))
    expect(error).toMatchObject({ name: 'S3Error', unavailable: true })
    expect(String(error)).toContain('503 SlowDown Please wait')
    expect(server.requests).toHaveLength(4)
  })

  test('a store that nobody can reach is an outage too', async () => {
    const closed = new S3Server({ ...account, bucket: 'mail', clock, pageSize: 10 })
    const endpoint = await closed.start()
    await closed.stop()
    const error = await errorOf(bucket({ endpoint }).get(absent()))
    expect(error).toMatchObject({
      name: 'S3Error',
      unavailable: true,
      message: expect.stringContaining('ECONNREFUSED'),
    })
    expect(waits).toEqual([100, 200, 400])
  })

  test('bytes that changed in the store are not handed out', async () => {
    const address = await put(s3, randomBytes(10))
    server.misbehave('corrupt')
    await expect(s3.get(address)).rejects.toThrow(`blob ${address} is damaged`)
  })

  test('a mail that quotes an error of S3 is not taken for one', async () => {
    const bytes = Buffer.from('<Error><Code>RequestTimeout</Code></Error><Code>NoSuchBucket</Code>')
    const address = await put(s3, bytes)
    expect(await s3.get(address)).toEqual(bytes)
    expect(waits).toEqual([])
  })

  test.each<[string, Partial<S3Settings>, string]>([
    ['secret', { secretAccessKey: 'another/seCret' }, '403 SignatureDoesNotMatch'],
    ['key id', { accessKeyId: 'OTHERKEYID' }, '403 InvalidAccessKeyId The key *** is'],
    ['region', { region: 'us-east-1' }, "403 AuthorizationHeaderMalformed expecting 'eu-test-1'"],
    ['bucket', { bucket: 'post' }, '404 NoSuchBucket'],
  ])('a wrong %s is said once, without a word of the credentials', async (_, changes, said) => {
    const error = await errorOf(bucket(changes).get(absent()))
    expect(error).toMatchObject({ name: 'S3Error', unavailable: false, message: expect.stringContaining(said) })
    const told = String(error)
    for (const word of ['KEYID', 'seCret', 'StringToSign', 'AWS4']) expect(told).not.toContain(word)
    expect(waits).toEqual([])
  })

  test('a redirect to somewhere else is not followed', async () => {
    const location = `${settings.endpoint}/elsewhere`
    server.misbehave({ status: 301, location, xml: '<Error><Code>PermanentRedirect</Code></Error>' })
    await expect(s3.get(absent())).rejects.toThrow('301 PermanentRedirect')
    expect(server.requests).toHaveLength(1)
  })

  test('what others keep in the bucket is neither listed nor touched', async () => {
    const other = bucket({ prefix: 'posthouse/doc-' })
    const address = await put(other, randomBytes(10))
    server.objects.set('posthouse/raw-notes.txt', { bytes: Buffer.from('x'), modified: 0 })
    expect(await addresses(other)).toEqual([address])
    expect(await addresses(s3)).not.toContain(address)
    expect(await addresses(s3)).not.toContain('notes.txt')
  })

  test('an endpoint may end with a slash, and a prefix may be missing', async () => {
    const bytes = randomBytes(10)
    const { prefix: _, ...rest } = settings
    const plain = new S3Blobs(new S3Bucket({ ...rest, endpoint: `${settings.endpoint}/` }, { clock }))
    const address = await put(plain, bytes)
    expect(server.objects.get(address)?.bytes).toEqual(bytes)
    expect(await plain.get(address)).toEqual(bytes)
    server.objects.delete(address)
  })

  test.each([
    { endpoint: 'minio:9000' },
    { endpoint: 'https://user:pass@minio' },
    { bucket: '../mail' },
    { region: '' },
    { accessKeyId: 'two\r\nlines' },
    { secretAccessKey: '' },
    { prefix: '../' },
    { prefix: '/a' },
    { prefix: 'a b' },
  ])('settings with %j are refused at once', (changes) => {
    expect(() => new S3Bucket({ ...settings, ...changes })).toThrow('The S3 settings do not work')
  })
})

describe('Signature Version 4, by the examples of the S3 documentation', () => {
  const credentials = {
    region: 'us-east-1',
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  }
  const nothing = sha256(Buffer.alloc(0))
  const stored = { Date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' }
  const signatures = {
    range: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    stored: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    lifecycle: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    list: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  }

  test.each([
    ['GET', '/test.txt', { Range: 'bytes=0-9' }, nothing, signatures.range],
    ['PUT', '/test$file.text', stored, sha256(Buffer.from('Welcome to Amazon S3.')), signatures.stored],
    ['GET', '/?lifecycle', {}, nothing, signatures.lifecycle],
    ['GET', '/?prefix=J&max-keys=2', {}, nothing, signatures.list],
  ])('%s %s', (method, path, headers, sha256, signature) => {
    const url = new URL(`https://examplebucket.s3.amazonaws.com${path}`)
    const signed = sign({ method, url, headers: { ...headers }, sha256 }, credentials, new Date('2013-05-24T00:00:00Z'))
    expect(signed['authorization']).toMatch(new RegExp(`Signature=${signature}$`))
  })
})
