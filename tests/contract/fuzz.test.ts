import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import { seedFor } from '../support/seed.ts'
import { Authenticator } from '../support/authenticator.ts'
import { addPasskey, signIn, type SignedIn } from '../support/people.ts'
import { receiveAtOnce } from '../support/receiving.ts'
import { created, world, type World } from '../support/world.ts'
import { operationsOf, resolved, type Document, type Operation } from './document.ts'
import { judgeOf } from './fuzz/answers.ts'
import { oddCharacters, spoiling } from './fuzz/mutations.ts'
import { planFor, type Plan, type Who } from './fuzz/request.ts'
import { Existing } from './fuzz/values.ts'
import { Wire, written, type Credentials, type Sent } from './fuzz/wire.ts'

/** Two thirds by keys, one third by people. */
const REQUESTS = 3_000
const MAX_TRIES = 300
const A_FEW = 10
test('whatever keys and people send, no answer is a 5xx and every answer is as documented', async () => {
  const here = await world()
  const document = resolved((await here.api.get<Document>('/openapi.json')).body)
  // A stream ends after minutes; `tests/api/live.test.ts` has its refusals.
  const operations = operationsOf(document).filter(({ id }) => id !== 'watchLive')
  const judge = judgeOf(document)
  const seed = seedFor('fuzz')
  const plans = fc.sample(planned(operations), { seed, numRuns: REQUESTS })
  const people = { owner: await personWithPasskey(here, 'owner'), author: await personWithPasskey(here, 'author') }
  const credentials = await credentialsOf(here, people)
  const stock = await stockOf(
    here,
    Object.values(people).map(({ id }) => id),
  )
  // Some whom requests may change and remove.
  for (let i = 0; i < 5; i++) stock.learn((await signIn(here, { role: 'viewer' })).id)
  await here.services.sms.operator.invite((await here.services.projects.workspace())!, decodeId('prj', here.projectId)!)
  const { name } = created(await here.projectApi.post<{ name: string }>('receiving/domains', { type: 'managed' }))
  await receiveAtOnce(here, `person0@${name}`)
  stock.learn((await here.projectApi.get('receiving/emails')).text)
  const sms = { to: '+12025550100', category: 'transactional', body: 'Your order has shipped.' }
  const smsReply = await here.projectApi.post('sms/messages', sms, { 'sms-idempotency-key': 'first' })
  expect(smsReply.status).toBe(202)
  stock.learn(smsReply.text)
  const wire = new Wire(here.api.url)
  const succeeded = new Map<string, number>()
  const refused = new Map<string, number>()
  const served: Partial<Record<Who, number>> = {}
  const failures = new Map<string, string>()
  let sentSoFar = 0
  const attempt = async (plan: Plan): Promise<void> => {
    const i = sentSoFar++
    const isChange = ['DELETE', 'PATCH'].includes(plan.method)
    const sent = written(plan, (part) => stock.valueOf(part, isChange), credentials[plan.who])
    const received = await wire.send(sent).catch((error: Error) => error)
    const operation = operationAt(operations, sent)
    const faults = received instanceof Error ? [received.message] : judge(operation, sent, received)
    if (faults.length > 0 && !failures.has(`${faults}`)) {
      const story = JSON.stringify({ spoiled: plan.spoiled, sent, received }).replaceAll(/(.)\1{40,}/g, '$1…')
      failures.set(`${faults}`, `request ${i} of seed ${seed}: ${story.slice(0, 3_000)}`)
    }
    if (received instanceof Error) return
    stock.learn(received.text, sent.url)
    const count = received.status < 300 ? succeeded : refused
    if (operation !== undefined) count.set(operation.id, (count.get(operation.id) ?? 0) + 1)
    if (received.status < 300) served[plan.who] = (served[plan.who] ?? 0) + 1
  }
  try {
    for (const plan of plans) await attempt(plan)
    // What chance has left out: each is to be seen at work, unspoiled.
    for (const operation of operations) {
      // Chance may have paused the project, or left it no quota.
      const asAtFirst = { status: 'active', quota: { emailsPerDay: null, emailsPerMonth: null } }
      expect((await here.api.patch(`projects/${here.projectId}`, asAtFirst)).status).toBe(200)
      // All of its kind may have been deleted by now: some more of them between the tries. What is to be restored must
      // have been deleted.
      const methods = operation.path.endsWith('/restore') ? ['POST', 'DELETE'] : ['POST']
      const makers = operations.filter(
        (other) => methods.includes(other.method) && groupOf(other) === groupOf(operation),
      )
      const making = fc.oneof(planFor(operation), ...makers.map(planFor))
      for (let tries = 0; tries < MAX_TRIES && !succeeded.has(operation.id); tries += A_FEW)
        for (const plan of fc.sample(making, { seed: seed + tries, numRuns: A_FEW })) await attempt(plan)
    }
    // And each is to be seen refusing something.
    for (const operation of operations) {
      for (let tries = 0; tries < MAX_TRIES && !refused.has(operation.id); tries += A_FEW)
        for (const plan of fc.sample(planned([operation]), { seed: seed + tries, numRuns: A_FEW })) await attempt(plan)
    }
    // Text that cannot be stored can be in every body, and chance tries it too seldom.
    for (const operation of operations.filter(({ body }) => body !== undefined))
      for (const plan of fc.sample(planned([operation], oddCharacters()), { seed, numRuns: A_FEW })) await attempt(plan)
  } finally {
    wire.close()
  }
  const complaints = here.logs.filter((line) => line.includes('"level":50')).slice(-3)
  expect(Object.fromEntries(failures), complaints.join('')).toEqual({})
  // Fuzzing that is always refused at the door proves nothing about the rooms behind it.
  const behindTheDoor = [...succeeded].filter(([id]) => id !== 'getHealth').reduce((sum, [, n]) => sum + n, 0)
  expect(behindTheDoor / REQUESTS).toBeGreaterThan(0.15)
  for (const who of ['workspace', 'project', 'owner'] as const) {
    expect(served[who], JSON.stringify(served)).toBeGreaterThan(REQUESTS / 150)
  }
  // An author may do little, so that chance lets only some of its requests through.
  expect(served.author, JSON.stringify(served)).toBeGreaterThan(REQUESTS / 1_000)
  // A few are beyond chance: a broadcast to an audience that has somebody in it, the name of a month.
  const unseen = operations.map(({ id }) => id).filter((id) => !succeeded.has(id) || !refused.has(id))
  expect(unseen.length / operations.length, unseen.join(', ')).toBeLessThan(0.1)
}, 180_000)

const groupOf = ({ path }: Operation): string | undefined => path.split('/')[1]

const planned = (operations: readonly Operation[], ways = spoiling): fc.Arbitrary<Plan> =>
  fc.tuple(fc.oneof(...operations.map(planFor)), ways).map(([plan, spoil]) => ({ ...plan, ...spoil(plan) }))

/** What a spoiled request has become: another documented operation, or none. */
function operationAt(operations: readonly Operation[], { method, url }: Sent): Operation | undefined {
  const path = url.replace(/^\/api\/v1/, '').replace(/[?#].*$/, '')
  return operations.find(
    (operation) =>
      operation.method === (method === 'HEAD' ? 'GET' : method) &&
      new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]*')}$`).test(path),
  )
}

async function credentialsOf(
  { api, projectApi, clientWith }: World,
  { owner, author }: Record<'owner' | 'author', SignedIn>,
): Promise<Record<Who, Credentials>> {
  const key = (client: { key: string | undefined }) => ({ authorization: `Bearer ${client.key}` })
  const cookie = ({ client }: SignedIn) => ({ cookie: `posthouse=${client.cookie}`, 'sec-fetch-site': 'same-origin' })
  return {
    workspace: key(api),
    project: key(projectApi),
    narrow: key(await clientWith({ scopes: ['sms:read'] })),
    nobody: {},
    owner: cookie(owner),
    author: cookie(author),
  }
}

/** Signs a person in and adds a passkey, because a random request may make the workspace ask for a second factor. */
async function personWithPasskey(here: World, role: 'owner' | 'author'): Promise<SignedIn> {
  const person = await signIn(here, { role, project: role === 'owner' ? undefined : here.projectId })
  await addPasskey(person.client, new Authenticator(here.config.publicUrl))
  return person
}

/**
 * The ids that requests are made of. Those that the fuzzing itself lives on are read, but never handed to a DELETE or
 * PATCH: without its key or its person, or with its project paused, every further request would be refused at the door.
 */
async function stockOf({ api, projectId, newProject }: World, personIds: readonly string[]) {
  const keyIds = (await api.get<{ data: { id: string }[] }>('api-keys')).body.data.map(({ id }) => id)
  const precious = new Set([projectId, ...keyIds, ...personIds])
  const all: Record<string, string[]> = { prj: [projectId], home: [projectId], key: keyIds, cursor: [] }
  /** What lies in what, as far as a path told: a delivery is found only below its endpoint. */
  const places = new Map<string, string>()
  let lastGiven = ''
  const learn = (text: string, url = ''): void => {
    const [place] = anId.exec(url) ?? []
    for (const [id, kind] of text.matchAll(new RegExp(anId, 'g'))) {
      const known = (all[kind!] ??= [])
      if (place !== undefined) places.set(id, place)
      // A deleted project can be restored; all else is gone for good.
      if (kind !== 'prj' && text.endsWith(`"${id}","deleted":true}`)) all[kind!] = known.filter((other) => other !== id)
      // To the end, seen before or not: what was just spoken of is most likely to be there, and to belong together.
      else all[kind!] = [...known.filter((other) => other !== id), id]
    }
    for (const [, cursor] of text.matchAll(/"nextCursor":"([^"]+)"/g)) all['cursor']!.push(cursor!)
  }
  learn(await newProject())
  return {
    learn,
    valueOf(part: unknown, forChange: boolean): unknown {
      if (!(part instanceof Existing)) return part
      // The newest first: older ones have often been deleted by now.
      const spare = forChange && part.kind !== 'home'
      const every = (all[part.kind] ?? []).filter((id) => !spare || !precious.has(id))
      const fitting = every.filter((id) => places.get(id) === lastGiven)
      const choice = (fitting.length > 0 ? fitting : every).slice(-10)
      lastGiven = choice[part.pick % choice.length] ?? ''
      return lastGiven === '' ? undefined : lastGiven
    },
  }
}

const anId = /\b([a-z]{2,5})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/
