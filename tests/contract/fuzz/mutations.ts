import fc from 'fast-check'
import type { Plan } from './request.ts'

type Spoil = (plan: Plan) => Partial<Plan>

/** Ways to spoil a request, each drawn from an arbitrary of its own. */
const ways: Readonly<Record<string, fc.Arbitrary<Spoil>>> = {
  'a field is missing': fc.nat().map((n) => ({ body }) => ({ body: without(body, n) })),
  'a field too many': fc.tuple(fc.nat(), fieldNames(), oddValues()).map(([n, name, value]) => ({ body }) => ({
    body: changed(body, n, (at) => withField(at, name, value)),
  })),
  'a field is something else': fc.tuple(fc.nat(), oddValues()).map(([n, value]) => ({ body }) => ({
    body: changed(body, n, () => value),
  })),
  'an odd character': oddCharacters(),
  'the body is something else': oddValues().map((body) => () => ({ body })),
  'deep nesting': fc.tuple(fc.nat(), fc.constantFrom(18, 19, 20, 21, 500)).map(([n, depth]) => ({ body }) => ({
    body: changed(body, n, () => nested(depth)),
  })),
  'broken JSON': brokenJson().map((spoil) => ({ body }) => ({ raw: spoil(JSON.stringify(body ?? {})) })),
  'another content type': contentTypes().map((type) => ({ headers }) => ({
    headers: { ...headers, 'content-type': type },
  })),
  'an odd id': fc.tuple(oddIds()).map(([id]) => ({ params }) => ({
    params: Object.fromEntries(Object.keys(params).map((name) => [name, id])),
  })),
  'odd query': fc
    .tuple(
      fc.constantFrom('limit', 'cursor', 'status', 'revoked', 'unknown', '__proto__', 'constructor', ''),
      oddTexts(),
    )
    .map(([name, value]) => ({ query }) => ({ query: [...query, [name, value]] })),
  'a query twice': fc.constant<Spoil>(({ query }) => ({ query: [...query, ...query] })),
  'a query of signs': fc
    .constantFrom('?', '?&&&', '?=', '?%', '?limit', '?limit[]=1', '?limit=%ff', '?a=%00', '?limit=1;cursor=x', '?#')
    .map((signs) => ({ path }) => ({ url: `${path.replaceAll(/\{\w+\}/g, 'x')}${signs}` })),
  'a crooked path': fc
    .constantFrom('/', '//', '/%', '/%zz', '/%ff', '/%00', '/..%2f..', '/%2e%2e', ';a=b', '.json', '/x/y/z', '?/../..')
    .map((tail) => ({ path }) => ({ url: `${path.replaceAll(/\{\w+\}/g, 'x')}${tail}` })),
  'an odd header': oddHeaders().map((header) => ({ headers }) => ({ headers: { ...headers, ...header } })),
  'another method': fc
    .constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH')
    .map((method) => () => ({ method })),
  'a large body': fc.constantFrom(1024 * 1024 - 20, 1024 * 1024 + 20).map((size) => () => ({
    body: { name: 'x'.repeat(size) },
  })),
}

/** Text that the database cannot store, or that is no text, somewhere in the body. */
export function oddCharacters(): fc.Arbitrary<Spoil> {
  return fc
    .tuple(fc.nat(), fc.constantFrom('\0', '\ud800', '\udc00', '\u2028'))
    .map(([n, character]) => ({ body }) => ({ body: withCharacter(body, n, character) }))
}

/** Mostly nothing or one thing is wrong; now and then two or three are. */
export const spoiling: fc.Arbitrary<Spoil> = fc
  .tuple(
    fc.constantFrom(0, 0, 0, 1, 1, 1, 1, 2, 3),
    fc.array(fc.oneof(...Object.entries(ways).map(([name, way]) => way.map((spoil) => [name, spoil] as const))), {
      minLength: 3,
      maxLength: 3,
    }),
  )
  .map(([count, chosen]) => (plan) => {
    const spoiled = { ...plan }
    for (const [name, spoil] of chosen.slice(0, count)) {
      Object.assign(spoiled, spoil(spoiled), { spoiled: [...spoiled.spoiled, name] })
    }
    return spoiled
  })

function oddTexts(): fc.Arbitrary<string> {
  const known = ['', ' ', '0', '-1', '1.5', '1e2', '101', '9'.repeat(400), 'null', 'true', '\0', '\u202e', '../..']
  return fc.oneof(
    fc.constantFrom(...known, `' or 1=1 --`, '\ud800', '𝒳', 'x'.repeat(5_000)),
    fc.string({ unit: 'binary' }),
  )
}

function oddValues(): fc.Arbitrary<unknown> {
  const numbers = [0, -1, -0.5, 2 ** 53, 1e308, -1e308, 5e-324]
  const others = [null, true, false, [], {}, [null], { a: { b: [] } }, ['*', '*'], 'x'.repeat(100_000)]
  return fc.oneof(fc.constantFrom<unknown>(...numbers, ...others), oddTexts(), fc.jsonValue({ maxDepth: 4 }))
}

function fieldNames(): fc.Arbitrary<string> {
  const known = ['id', 'extra', '__proto__', 'constructor', 'toString', '', '/', '~1', 'a\0b', 'ü', 'x'.repeat(2_000)]
  return fc.oneof(fc.constantFrom(...known), fc.string({ unit: 'binary' }))
}

function oddIds(): fc.Arbitrary<string> {
  const zeros = '0'.repeat(26)
  const known = [`prj_${zeros}`, `key_${zeros}`, `acc_${zeros}`, `PRJ_${zeros}`, 'prj_', 'x', '%', '0'.repeat(3_000)]
  return fc.oneof(
    fc.constantFrom(...known),
    oddTexts().filter((text) => text !== '' && text.length < 6_000),
  )
}

function brokenJson(): fc.Arbitrary<(json: string) => string | Buffer> {
  return fc.constantFrom<(json: string) => string | Buffer>(
    (json) => json.slice(0, -1),
    (json) => `${json},`,
    (json) => `\ufeff${json}`,
    (json) => json.replaceAll('"', "'"),
    (json) => Buffer.from(json, 'utf16le'),
    (json) => Buffer.concat([Buffer.from(json.slice(0, -1)), Buffer.from([0xff, 0xfe])]),
    () => '',
    () => ' ',
    () => 'NaN',
    () => '['.repeat(200_000),
    () => '{"name":"a","name":"b"}',
    () => '{"name":1e999}',
    () => '{"__proto__":{"name":"a"}}',
  )
}

function contentTypes(): fc.Arbitrary<string> {
  return fc.constantFrom(
    'text/plain',
    'application/xml',
    'application/jsonp',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json;;',
    'APPLICATION/JSON',
    ';',
    '',
  )
}

function oddHeaders(): fc.Arbitrary<Record<string, string | string[]>> {
  return fc.constantFrom<Record<string, string | string[]>>(
    { 'content-encoding': 'gzip' },
    { 'content-encoding': 'identity' },
    { 'x-service-project-id': 'prj_' },
    { 'x-service-project-id': '' },
    { 'x-service-project-id': ['a', 'b'] },
    { 'x-service-project-id': `prj_${'0'.repeat(26)}` },
    { 'idempotency-key': '' },
    { 'idempotency-key': 'x'.repeat(300) },
    { authorization: '' },
    { authorization: 'Bearer ph_live_x' },
    { authorization: ['Bearer a', 'Bearer b'] },
    { accept: 'text/xml' },
    { 'accept-encoding': 'nonsense;q=9' },
    { expect: '100-continue' },
    { expect: 'nonsense' },
    { upgrade: 'websocket', connection: 'upgrade' },
    { 'x-request-id': 'mine' },
    { 'x-http-method-override': 'DELETE' },
    { host: 'evil.example' },
    { range: 'bytes=0-1' },
    { 'if-none-match': '*' },
    { cookie: '\u00ff=\u0080' },
    { 'x-long': 'x'.repeat(8_000) },
    { 'x-too-long': 'x'.repeat(17_000) },
  )
}

/** Every object and list inside a value, itself included, as one list to count in. */
function changed(value: unknown, n: number, change: (at: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return change(value)
  const entries = Object.entries(value)
  const turn = n % (entries.length + 1)
  if (turn === entries.length) return change(value)
  const next = entries.map(([key, item], i) => [key, i === turn ? changed(item, n, change) : item] as const)
  return Array.isArray(value) ? next.map(([, item]) => item) : Object.fromEntries(next)
}

/** Puts a character into one of the texts of a body. */
function withCharacter(body: unknown, n: number, character: string): unknown {
  if (typeof body !== 'object' || body === null) return body
  const texts = Object.entries(body).filter(([, value]) => typeof value === 'string')
  const [name, text] = texts[n % Math.max(1, texts.length)] ?? []
  return name === undefined ? body : { ...body, [name]: `a${character}${text}` }
}

function without(body: unknown, n: number): unknown {
  if (typeof body !== 'object' || body === null) return undefined
  const fields = Object.entries(body)
  return Object.fromEntries(fields.filter((_, i) => i !== n % Math.max(1, fields.length)))
}

const withField = (at: unknown, name: string, value: unknown): unknown =>
  typeof at === 'object' && at !== null ? Object.fromEntries([...Object.entries(at), [name, value]]) : { [name]: value }

const nested = (depth: number): unknown => (depth === 0 ? 'deep' : [nested(depth - 1)])
