import { Agent, request as httpRequest } from 'node:http'
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { readReference, signClick, signReference, type ReferencePurpose } from '../../src/core/mail-reference.ts'
import { tokenKeys } from '../../src/core/token.ts'
import { sql } from '../../src/storage/sql.ts'
import { runs } from '../support/runs.ts'
import { seedFor } from '../support/seed.ts'
import { world } from '../support/world.ts'
import { eventsOf, isSubscribed, keysOf, mailed } from './link-world.ts'

const MUTATIONS = runs(10_000)
const TARGET = 'https://example.com/'
const purposes = ['unsubscribe', 'open', 'recipient'] as const satisfies ReferencePurpose[]

test('altered links do nothing, and all are answered alike', async () => {
  const here = await world()
  const mail = await mailed(here, { tracking: { opens: true, clicks: true } })
  const other = await mailed(here, { tracking: { opens: true, clicks: true }, email: 'bob@simulator.posthouse.test' })
  const [keys, foreign] = [keysOf(here), tokenKeys([randomBytes(32)])]
  const signed = (one: typeof mail, by = keys) => ({
    unsubscribe: signReference(by, 'unsubscribe', one),
    open: signReference(by, 'open', one),
    recipient: signReference(by, 'recipient', one),
    click: signClick(by, one, TARGET),
  })
  const [own, others, forged] = [signed(mail), signed(other), signed(mail, foreign)]
  const kinds = [...purposes, 'click'] as const
  const good = new Set(Object.values({ ...own }).concat(Object.values(others)))

  const kind = fc.constantFrom(...kinds)
  const mutant = kind.chain((use) =>
    fc
      .oneof(
        { arbitrary: mutated(own[use]), weight: 8 },
        // Made for something else, by somebody else, or put together from two.
        kind.filter((made) => made !== use).map((made) => own[made]),
        kind.map((made) => forged[made]),
        fc.nat(own[use].length).map((at) => own[use].slice(0, at) + others[use].slice(at)),
        fc.string({ maxLength: 80 }),
      )
      .filter((token) => token !== own[use] && token !== others[use] && !isPathOfItsOwn(token))
      .map((token) => ({ use, token })),
  )
  const mutants = fc.sample(mutant, { numRuns: MUTATIONS, seed: seedFor('forged links') })
  expect(new Set(mutants.map(({ use, token }) => `${use} ${token}`)).size).toBeGreaterThan(MUTATIONS / 2)
  expect(mutants.filter(({ token }) => good.has(token)).length).toBeLessThan(MUTATIONS / 4)

  const ask = asker(here.api.url)
  const pages = new Set<string>()
  await inLanes(mutants, async ({ use, token }, i) => {
    // Bounces come back by mail; nothing of ours but this reads them.
    if (use === 'recipient') return expect(readReference(keys, 'recipient', token)).toBeUndefined()
    const written = encodeURIComponent(token)
    const paths = {
      unsubscribe: i % 2 === 0 ? `/u/${written}` : `/u/${written}/preferences`,
      open: `/t/o/${written}.gif`,
      click: `/t/c/${written}?u=${encodeURIComponent(TARGET)}`,
    }
    const isPost = use === 'unsubscribe' && i % 4 < 2
    const { status, body } = await ask(isPost ? 'POST' : 'GET', paths[use])
    expect(status, `${use} ${token}`).toBe(404)
    pages.add(body)
    return undefined
  })
  expect(pages.size).toBe(1)

  await here.services.engagement.settled()
  expect(await here.db.all(sql`select from engagements`)).toEqual([])
  for (const one of [mail, other]) {
    expect(await isSubscribed(here.projectApi, one)).toBe(true)
    expect(await eventsOf(here.projectApi, one, 'email.unsubscribed', 'email.opened', 'email.clicked')).toEqual([])
  }
  // They are not refused for another reason.
  expect((await ask('POST', `/u/${own.unsubscribe}`)).status).toBe(200)
  expect(await isSubscribed(here.projectApi, mail)).toBe(false)
})

/** Gone before it is sent: the client itself takes it for a step up. */
const isPathOfItsOwn = (token: string): boolean => token === '.' || token === '..'

/** Altered once, or several times. */
const mutated = (token: string): fc.Arbitrary<string> =>
  fc.oneof(
    altered(token),
    altered(token).chain((once) => altered(once || 'x')),
    altered(token).chain((once) => altered(once || 'x').chain((twice) => altered(twice || 'x'))),
  )

/** One character other, more or less; two that changed places; another case; bits that do not show. */
function altered(token: string): fc.Arbitrary<string> {
  const place = fc.nat(token.length - 1)
  const character = fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyzABCZilou.-_=~%/+ \u00e9')
  return fc.oneof(
    fc.tuple(place, character).map(([at, char]) => token.slice(0, at) + char + token.slice(at + 1)),
    fc.tuple(place, character).map(([at, char]) => token.slice(0, at) + char + token.slice(at)),
    fc.tuple(place, fc.integer({ min: 1, max: 9 })).map(([at, n]) => token.slice(0, at) + token.slice(at + n)),
    place.map((at) => token.slice(0, at) + (token[at + 1] ?? 'x') + token[at] + token.slice(at + 2)),
    place.map((at) => token.slice(0, at) + token.slice(at).toUpperCase()),
    character.map((char) => token + char),
    fc.constant(token + token),
  )
}

async function inLanes<T>(items: readonly T[], work: (item: T, index: number) => Promise<unknown>): Promise<void> {
  const LANES = 20
  await Promise.all(
    Array.from({ length: LANES }, async (_, lane) => {
      for (let i = lane; i < items.length; i += LANES) await work(items[i]!, i)
    }),
  )
}

/** Thousands of requests over few connections; a POST asks to unsubscribe. */
function asker(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  onTestFinished(() => agent.destroy())
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  return (method: string, path: string): Promise<{ status: number; body: string }> =>
    new Promise((resolve, reject) => {
      const request = httpRequest(`${url}${path}`, { agent, method, headers: method === 'POST' ? form : {} })
      request.on('error', reject).on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
      })
      request.end(method === 'POST' ? 'List-Unsubscribe=One-Click' : undefined)
    })
}
