import { Type, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { scopeCatalogue } from '../../src/core/scopes.ts'
import { openApiDocument } from '../../src/http/openapi.ts'
import { referencePage } from '../../src/reference/page.ts'
import { route, type Route } from '../../src/http/route.ts'
import { IdInput, IdOf, listQuery, Name, Nullable, PageOf, Timestamp, TimestampInput } from '../../src/shapes/shapes.ts'
import { resolved, type Document } from '../contract/document.ts'
import { examplesIn, sectionOf, shellArguments, unescaped } from '../support/reference.ts'

const handle = async (): Promise<never> => {
  throw new Error('nobody calls')
}

const Toy = Type.Object({
  id: IdOf('prj'),
  name: Name,
  kind: Type.Enum(['bear', 'ball']),
  price: Nullable(Type.Integer({ minimum: 25, maximum: 900, description: 'In cents; `null` is a gift.' })),
  parts: Type.Array(Type.Object({ code: Type.String({ pattern: '^https://', maxLength: 40 }), spare: Type.Boolean() })),
  madeAt: Timestamp,
  soldAt: Nullable(Timestamp),
})

const NewToy = Type.Object({
  name: Type.String({ minLength: 2, maxLength: 30, examples: ["Ada's $HOME `bear`"] }),
  owner: Type.Union([Type.String({ maxLength: 80 }), Type.Array(Type.String({ maxLength: 80 }), { maxItems: 5 })]),
  projectId: IdInput('prj'),
  readyAt: TimestampInput,
  box: Type.Optional(Type.Object({ colour: Type.Enum(['red', 'blue']) })),
})

const routes: Route[] = [
  route({ method: 'GET', path: '/ping', scope: null, context: 'none', summary: 'Ping.', reply: { 200: Toy }, handle }),
  route({
    method: 'GET',
    path: '/toys',
    scope: 'projects:read',
    context: 'workspace',
    summary: 'List the toys.',
    query: Type.Object(listQuery),
    reply: { 200: PageOf(Toy) },
    handle,
  }),
  route({
    method: 'POST',
    path: '/toys',
    scope: 'projects:write',
    context: 'project',
    summary: 'Make a toy. It takes a while.',
    body: NewToy,
    reply: { 200: Toy, 201: Toy },
    errors: ['already_exists'],
    honoursIdempotencyKey: true,
    handle,
  }),
  route({
    method: 'DELETE',
    path: '/toy-boxes/:id',
    scope: 'templates:write',
    context: 'project',
    summary: 'Burn a box.',
    params: { id: 'prj' },
    reply: { 200: Type.Object({ deleted: Type.Literal(true) }) },
    errors: ['invalid_state'],
    handle,
  }),
]

const document = openApiDocument(routes, '1.2.3')
const NOW = Date.parse('2026-03-01T12:00:00Z')
const page = referencePage(document, NOW)

const textOf = (html: string): string => unescaped(html.replaceAll(/<[^>]*>/g, '')).replaceAll(/\s+/g, ' ')
const examplesOf = (id: string): string[] => examplesIn(page, id)

test('every operation has its place with path, scope and every error code with its meaning', () => {
  const operations = Object.entries(resolved(document as unknown as Document).paths)
  for (const [path, methods] of operations) {
    for (const [method, operation] of Object.entries(methods)) {
      const text = textOf(sectionOf(page, operation.operationId))
      expect(text).toContain(`${method.toUpperCase()} ${path}`)
      expect(text).toContain(operation['x-required-scope'] ?? 'No key needed')
      for (const [status, { description }] of Object.entries(operation.responses)) {
        if (status.startsWith('2')) continue
        for (const line of description.split('\n\n')) {
          const [, code = '', meaning = ''] = /^`(\w+)`: (.*)$/.exec(line) ?? []
          const isOwn = operation['x-error-codes'].includes(code)
          expect(text.includes(`${code} ${status}${meaning.replaceAll('`', '')}`), code).toBe(isOwn)
        }
      }
    }
  }
})

test('every link inside the page leads somewhere, and no place has two names', () => {
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  const targets = [...page.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id)
  expect(ids).toEqual([...new Set(ids)])
  expect(targets.filter((id) => !ids.includes(id))).toEqual([])
  expect(targets).toEqual(expect.arrayContaining(['getPing', 'getToys', 'postToys', 'deleteToyBoxesId']))
})

test('the page needs no script and nothing from anywhere else', () => {
  expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|base|form)\b/i)
  expect(page).not.toMatch(/\s(on\w+|src|srcset)=/i)
  expect(page).not.toMatch(/url\(|@import|javascript:/i)
  const addresses = [...page.matchAll(/ href="([^"]*)"/g)].map(([, address]) => address)
  expect(addresses.filter((address) => !/^[#/]/.test(address ?? ''))).toEqual([])
})

test('whatever the document says, it cannot write HTML', () => {
  const hostile = `</pre></style><script>alert('1')</script><b onclick="x">&amp;`
  const poison = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(poison)
    if (typeof node === 'object' && node !== null)
      return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, poison(value)]))
    return typeof node === 'string' && / |^getPing$|^bear$|^\^https/.test(node) ? `${node}${hostile}` : node
  }
  const poisoned = referencePage(poison(structuredClone(document)) as Record<string, unknown>, NOW)
  expect(poisoned).not.toMatch(/<script|onclick="/)
  expect(poisoned).not.toContain('</style><')
  expect(textOf(sectionOf(poisoned, 'getToys'))).toContain(`List the toys.${hostile}`)
})

test('a body is told field by field, with type, limits and choices', () => {
  const text = textOf(sectionOf(page, 'postToys'))
  expect(text).toContain('name string 2–30 characters required')
  expect(text).toContain('owner string or array of string at most 80 characters at most 5 items required')
  expect(text).toContain('projectId string prj_… required')
  expect(text).toContain('readyAt timestamp required')
  expect(text).toMatch(/box object or null\s+colour string requiredOne of red blue/)
  expect(text).toContain('price integer or null 25–900 In cents; null is a gift.')
  expect(text).toMatch(/parts array of object\s+code string at most 40 characters \^https:\/\//)
})

test('two successes of one shape are told together', () => {
  expect(textOf(sectionOf(page, 'postToys'))).toContain('Response 200 or 201')
  expect(examplesOf('postToys')).toHaveLength(2)
})

test.each<[string, TSchema]>([
  ['getPing', Toy],
  ['getToys', PageOf(Toy)],
  ['postToys', Toy],
])('the example response of %s has the shape that it illustrates', (id, schema) => {
  const example: unknown = JSON.parse(examplesOf(id)[1] ?? '')
  expect([...Compile(schema).Errors(example)]).toEqual([])
  expect(JSON.stringify(example)).toContain('"kind":"bear"')
  expect(JSON.stringify(example)).toContain('"soldAt":null')
})

test('an example request, pasted into a shell, sends what was meant', () => {
  const [command = ''] = examplesOf('postToys')
  const sent = shellArguments(command)
  expect(sent.slice(0, 3)).toEqual(['-X', 'POST', 'http://localhost:3000/api/v1/toys'])
  expect(sent).toContain('authorization: Bearer ph_live_secret')
  expect(sent).toContain('x-service-project-id: prj_mine')
  const body: unknown = JSON.parse(sent.at(-1) ?? '')
  expect(body).toMatchObject({ name: "Ada's $HOME `bear`" })
  expect(Compile(NewToy).Check(body)).toBe(true)
})

test('an example request names the path whole and sends a key only where one is needed', () => {
  const [removal = ''] = examplesOf('deleteToyBoxesId')
  expect(shellArguments(removal)[2]).toMatch(/\/toy-boxes\/prj_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  expect(shellArguments(examplesOf('getPing')[0] ?? '')).toEqual(['http://localhost:3000/api/v1/ping'])
})

test('the introduction tells what the document has, and nothing that it lacks', () => {
  for (const chapter of ['Authentication', 'Errors', 'Pagination', 'Project-context', 'Idempotency']) {
    expect(sectionOf(page, chapter)).not.toBe('')
  }
  expect(textOf(sectionOf(page, 'Authentication'))).toContain(`email:send: ${scopeCatalogue['email:send']}`)
  expect(textOf(sectionOf(page, 'Idempotency'))).toContain('POST /toys')
  const plain = referencePage(openApiDocument(routes.slice(0, 1), '1.2.3'), NOW)
  for (const chapter of ['Pagination', 'Project-context', 'Idempotency']) expect(sectionOf(plain, chapter)).toBe('')
})

test('an absolute server address replaces the assumed one everywhere', () => {
  const elsewhere = referencePage({ ...document, servers: [{ url: 'https://mail.example.org/api/v1/' }] }, NOW)
  expect(elsewhere).toContain('curl https://mail.example.org/api/v1/ping')
  expect(elsewhere).not.toContain('localhost')
})

test('the page is the same on every start, and stays small with a hundred operations', () => {
  expect(referencePage(openApiDocument(routes, '1.2.3'), NOW)).toBe(page)
  const [, , make] = routes
  const many = Array.from({ length: 100 }, (_, i) => ({ ...make!, path: `/toys-${i}` }))
  expect(Buffer.byteLength(referencePage(openApiDocument(many, '1.2.3'), NOW))).toBeLessThan(1_000_000)
})
