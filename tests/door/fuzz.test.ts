import fc from 'fast-check'
import { Compile } from 'typebox/schema'
import { expect, test } from 'vitest'
import { statusOf } from '../../src/http/errors.ts'
import type { Route } from '../../src/http/route.ts'
import type { Operation, Schema } from '../contract/document.ts'
import { closed } from '../contract/fuzz/answers.ts'
import { spoiling } from '../contract/fuzz/mutations.ts'
import { planFor, type Plan } from '../contract/fuzz/request.ts'
import { Existing } from '../contract/fuzz/values.ts'
import { Wire, written, type Received, type Sent } from '../contract/fuzz/wire.ts'
import { nameOf, neverExisted } from '../contract/requests.ts'
import { routesOfDoor } from '../support/door.ts'
import { signIn, type Browser } from '../support/people.ts'
import { runs } from '../support/runs.ts'
import { seedFor } from '../support/seed.ts'
import { world, type World } from '../support/world.ts'

const REQUESTS = 2_000

/** A plan, whether it comes with a good cookie, from which place, and what is hostile in its headers. */
type Attack = readonly [plan: Plan, isSignedIn: boolean, place: number, hostile: Hostile | undefined]
type Hostile = Readonly<Record<string, string | string[]>>

test('whatever comes to the way in, no answer is a 5xx, each has its shape and code, and nobody gets in by chance', async () => {
  const here = await world({ env: { HTTP_PROXIES: '127.0.0.0/8' } })
  const routes = routesOfDoor(here.services)
  const seed = seedFor('door')
  const attacks = fc.sample(attack(routes.map(operationOf)), { seed, numRuns: runs(REQUESTS) })
  const person = new SignedInPerson(here)
  const wire = new Wire(here.api.url)
  const failures = new Map<string, string>()
  const codes: Record<string, number> = {}
  let served = 0
  try {
    for (const [i, [plan, isSignedIn, place, hostile]] of attacks.entries()) {
      const cookie = isSignedIn ? { cookie: `posthouse=${await person.cookie()}` } : {}
      const from = { 'x-forwarded-for': `10.${place >> 16}.${(place >> 8) & 255}.${place & 255}` }
      const sent = written(plan, person.valueOf, { ...cookie, ...from, 'sec-fetch-site': 'same-origin' }, '')
      Object.assign(sent.headers, hostile)
      const received = await wire.send(sent).catch((error: Error) => error)
      const route = routes.find((one) => isRouteOf(one, sent))
      const faults = received instanceof Error ? [received.message] : faultsOf(route, sent, received, isSignedIn)
      if (faults.length > 0 && !failures.has(`${faults}`)) {
        const story = JSON.stringify({ spoiled: plan.spoiled, sent, received }).replaceAll(/(.)\1{40,}/g, '$1…')
        failures.set(`${faults}`, `request ${i} of seed ${seed}: ${story.slice(0, 3_000)}`)
      }
      if (received instanceof Error) continue
      person.learn(received)
      if (received.status < 300) served++
      else if (plan.method !== 'HEAD') {
        const { code = '' } = jsonOf(received) as { code?: string }
        codes[code] = (codes[code] ?? 0) + 1
      }
    }
  } finally {
    wire.close()
  }
  const complaints = here.logs.filter((line) => line.includes('"level":50')).slice(-3)
  expect(Object.fromEntries(failures), complaints.join('')).toEqual({})
  // Attacks that are all refused at once prove nothing about what stands behind.
  expect(served, JSON.stringify(codes)).toBeGreaterThan(0)
  for (const code of ['unauthorized', 'origin_refused', 'validation_error']) {
    expect(codes[code], JSON.stringify(codes)).toBeGreaterThan(0)
  }
})

/** A person who is signed in, and signs in again whenever chance has signed them out. */
class SignedInPerson {
  readonly #here: World
  readonly #ids: Record<string, string[]> = {}
  #client: Browser | undefined
  #cookie: string | undefined

  constructor(here: World) {
    this.#here = here
  }

  async cookie(): Promise<string> {
    const isLive = this.#cookie !== undefined && (await this.#client!.get('/session', this.#asNow())).status === 200
    if (isLive) return this.#cookie!
    this.#client = (await signIn(this.#here, { role: 'owner' })).client
    return (this.#cookie = this.#client.cookie!)
  }

  #asNow = () => ({ headers: { cookie: `posthouse=${this.#cookie}` } })

  /** What is there, or nothing that is. */
  readonly valueOf = (part: unknown): unknown => {
    if (!(part instanceof Existing)) return part
    const known = this.#ids[part.kind] ?? []
    return known[part.pick % (known.length + 1)] ?? neverExisted(part.kind as 'psk')
  }

  learn({ text, headers }: Received): void {
    for (const [id, kind] of text.matchAll(/\b(psk|ses)_[0-9a-z]{26}\b/g)) (this.#ids[kind!] ??= []).push(id)
    const [, value] = /^posthouse=([^;]*)/.exec(String([headers['set-cookie']].flat()[0])) ?? []
    if (value !== undefined) this.#cookie = value
  }
}

/** A row of the door as if it stood in a document, which it does not. */
function operationOf(route: Route): Operation {
  const { method, path, body, query, params } = route
  const schemaOf = (shape: unknown) => JSON.parse(JSON.stringify(shape)) as Schema
  const ids = Object.entries(params).map(([name, kind]) => ({
    name,
    in: 'path' as const,
    required: true,
    schema: { type: 'string', description: `An id that starts with \`${kind}_\`` },
  }))
  const { properties = {} } = (query === undefined ? {} : schemaOf(query)) as { properties?: Record<string, Schema> }
  const filters = Object.entries(properties).map(([name, schema]) => ({ name, in: 'query' as const, schema }))
  return {
    id: nameOf(route),
    method,
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    parameters: [...ids, ...filters],
    body: body === undefined ? undefined : schemaOf(body),
    uploads: [],
    codes: {},
  } as unknown as Operation
}

const attack = (operations: readonly Operation[]): fc.Arbitrary<Attack> =>
  fc.tuple(
    fc.tuple(fc.oneof(...operations.map(planFor)), spoiling).map(([plan, spoil]) => ({ ...plan, ...spoil(plan) })),
    fc.constantFrom(true, true, true, false),
    fc.nat(2 ** 24 - 1),
    fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...hostile) }),
  )

const isRouteOf = ({ method, path }: Route, sent: Sent): boolean =>
  method === (sent.method === 'HEAD' ? 'GET' : sent.method) &&
  new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(sent.url.replace(/[?#].*$/, ''))

const cookies = [
  '',
  'posthouse',
  'posthouse=',
  'posthouse==',
  `posthouse=${'x'.repeat(43)}`,
  `posthouse="${'x'.repeat(43)}"`,
  'posthouse=\u00ff\u0080',
  'posthouse=%00%zz',
  `posthouse=${'A'.repeat(7_000)}`,
  'posthouse=a; posthouse=b',
  '__Host-posthouse=x',
  ';;; =;posthouse=1;;',
  'POSTHOUSE=x',
  `a=${'b; a='.repeat(1_000)}`,
]

const hostile: readonly Hostile[] = [
  ...cookies.map((cookie) => ({ cookie })),
  { cookie: ['posthouse=a', 'posthouse=b'] },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: 'https://other.localhost' },
  { 'sec-fetch-site': '', origin: 'null' },
  { 'sec-fetch-site': '', origin: 'http://[' },
  { 'sec-fetch-site': '', origin: 'http://localhost.evil.example' },
  { 'sec-fetch-site': 'nonsense' },
  { host: 'evil.example' },
  { host: 'localhost.evil.example:3000' },
  { host: 'localhost:99999' },
  { host: '[::1' },
  { host: '\u00ff' },
  { 'x-forwarded-for': 'nonsense, , ::::, 999.1.1.1' },
  { 'x-forwarded-for': '1.2.3.4,'.repeat(800) },
  { 'x-forwarded-for': '' },
  { 'user-agent': '' },
  { 'user-agent': '\u00ff'.repeat(3_000) },
  { authorization: 'Bearer ph_live_x' },
]

const strangers = new Set(['evil.example', 'localhost.evil.example:3000', 'localhost:99999', '[::1', '\u00ff'])

/** Everything in which an answer is not what it has to be. */
function faultsOf(route: Route | undefined, sent: Sent, received: Received, isSignedIn: boolean): string[] {
  const { method, headers: given } = sent
  const { status, headers } = received
  const faults: string[] = []
  if (status >= 500) faults.push(`status ${status}`)
  if (!/^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(String(headers['x-request-id']))) faults.push('no request id')
  if (status >= 300 && headers['set-cookie'] !== undefined) faults.push('a refusal sets a cookie')
  const isServed = status < 300
  const isForeign = given['sec-fetch-site'] !== 'same-origin'
  if (isServed && isForeign && method !== 'GET' && method !== 'HEAD') faults.push('a foreign page was served')
  if (isServed && strangers.has(String(given['host']))) faults.push('another host was served')
  const isCookieGood = isSignedIn && /^posthouse=[\w-]{43}$/.test(String(given['cookie']))
  if (isServed && route?.context === 'session' && !isCookieGood) faults.push('served without a session')
  if (method === 'HEAD') return faults
  const body = jsonOf(received)
  if (body === undefined) return [...faults, `no JSON: ${headers['content-type']}`]
  if (isServed) {
    const shape = route?.reply[status]
    if (shape === undefined) return [...faults, `status ${status} is none of the route's`]
    if (!Compile(closed(JSON.parse(JSON.stringify(shape)) as Schema)).Check(body)) faults.push('not its shape')
    if (headers['cache-control'] !== 'no-store') faults.push('may be kept')
    return faults
  }
  const { code, error, requestId } = body as Record<string, unknown>
  if (statusOf[code as keyof typeof statusOf] !== status) faults.push(`${status} for ${code}`)
  if (typeof error !== 'string' || requestId !== headers['x-request-id']) faults.push('not the shape of a refusal')
  return faults
}

function jsonOf({ headers, text }: Received): unknown {
  if (!String(headers['content-type']).startsWith('application/json')) return undefined
  return JSON.parse(text)
}
