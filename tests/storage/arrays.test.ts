import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { encodeValues } from '../../src/storage/arrays.ts'
import { Query, sql } from '../../src/storage/sql.ts'
import { freshDatabase } from '../support/database.ts'

const { db, drop } = await freshDatabase()
afterAll(drop)

const letters = ['plain', '', '"quoted", {braced} \\ and so on', 'NULL', 'ünïcödé 🏤', '\n\r\t', 'x'.repeat(100_000)]
const json = ['{}', '[1, "zwei", null]', '"ünïcödé"', '{"a": {"b": [1.5, true]}}']

/** What each type can hold, at its edges too. */
const cases: [type: string, values: unknown[]][] = [
  ['uuid', [randomUUID(), '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']],
  ['text', letters],
  ['jsonb', json],
  ['boolean', [true, false]],
  ['smallint', [0, 1, -1, 32_767, -32_767]],
  ['int', [0, 1, -1, 2_147_483_647, -2_147_483_647]],
  ['integer', [7]],
  ['bigint', [0, 1, -1, 2 ** 31, -(2 ** 32), 2 ** 32 + 5, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]],
  ['float8', [0, -0.5, 1e300, 5e-324, Number.NaN, Number.POSITIVE_INFINITY, 0.1]],
  [
    'timestamptz',
    ['2026-11-15T12:34:56.789Z', '1969-12-31T23:59:59.999Z', '2000-01-01T00:00:00Z'].map((text) => new Date(text)),
  ],
  ['bytea', [Buffer.from([0, 255, 92, 39]), Buffer.alloc(0), new Uint8Array([1, 2, 3])]],
]

const unnested = (type: string, values: readonly unknown[]): Query<{ value: string | null }> =>
  new Query(`select value::text from unnest($1::${type}[]) as value`, [values])

/** The same with a cast that is not recognised as one: the driver sends it as text. */
const asText = (type: string, values: readonly unknown[]): Query<{ value: string | null }> =>
  new Query(`select value::text from unnest(($1)::${type}[]) as value`, [values])

test.each(cases)('an array of %s arrives as it would as text', async (type, values) => {
  for (const array of [values, [], [null], [null, ...values, undefined]]) {
    const query = unnested(type, array)
    expect(encodeValues(query.text, query.values), 'it travels in binary').toEqual([expect.any(Buffer)])
    expect(await db.all(query)).toEqual(await db.all(asText(type, array)))
  }
})

const misfits: [type: string, values: unknown[], verdict: string | null][] = [
  ['uuid', ['not a uuid'], 'invalid input syntax for type uuid'],
  ['uuid', ['FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'], null],
  ['uuid', ['ffffffff-ffff-ffff-ffff-fffffffffffg'], 'invalid input syntax for type uuid'],
  ['uuid', ['ffffffff-ffff-ffff-ffff-ffffffffff\u0161\u4e00'], 'invalid input syntax for type uuid'],
  ['uuid', ['ffffffffff-ff-ffff-ffff-ffffffffffff'], 'invalid input syntax for type uuid'],
  ['smallint', [32_768], 'out of range'],
  ['int', [1.5], 'invalid input syntax for type integer'],
  ['bigint', ['12345678901234567'], null],
  ['timestamptz', ['2026-11-15T12:00:00Z'], null],
  ['timestamptz', [new Date(Number.NaN)], 'invalid input syntax for type timestamp'],
  ['text', [['nested']], null],
]

test.each(misfits)('%s takes %j as text, and the server judges it', async (type, values, verdict) => {
  const answer = db.all(unnested(type, values))
  if (verdict === null) expect(await answer).toHaveLength(1)
  else await expect(answer).rejects.toThrow(verdict)
})

test('text that no column can hold is refused, in an array as anywhere', async () => {
  await expect(db.all(sql`select unnest(${['\0']}::text[])`)).rejects.toThrow('invalid byte sequence')
})

test('several arrays and values of other kinds keep their places', async () => {
  const id = randomUUID()
  const inner = sql<never>`select * from unnest(${[1, 2]}::int[], ${['a', 'b']}::text[]) as i (n, t)`
  const query = sql`select ${'first'}::text as first, i.n, i.t, ${[id]}::uuid[] as ids from (${inner}) i where i.n = ${2}`
  expect(await db.one(query)).toEqual({ first: 'first', n: 2, t: 'b', ids: [id] })
})
