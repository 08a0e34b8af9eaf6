/** What the reference shows is what people copy: every command on the page is run, with things that exist. */
import { expect, onTestFinished, test } from 'vitest'
import { describedApi, describedRoutes } from '../../src/app/describe.ts'
import type { IdPrefix } from '../../src/core/ids.ts'
import { sql } from '../../src/storage/sql.ts'
import { startDnsServer, type DnsServer } from '../support/dns-server.ts'
import { publish, SMTP_HOSTNAME, type ShownDomain } from '../support/domains.ts'
import { examplesIn, shellArguments } from '../support/reference.ts'
import { world, type World } from '../support/world.ts'
import { operationsOf, resolved, type Document } from './document.ts'
import { makeAll, neighbourhood, type Made, type Owner } from './tenants.ts'

/** A command has a key, and these are for people. */
const forPersons = new Set(describedRoutes().flatMap(({ id, isForPersons }) => (isForPersons ? [id] : [])))

const operations = operationsOf(resolved(JSON.parse(JSON.stringify(describedApi())) as Document)).filter(
  ({ id }) => !forPersons.has(id),
)

/** Of which kind an id in a command is. */
const idForm = /\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g

/** What must have happened before, where it is not enough that a thing exists. */
const before: Readonly<Record<string, (call: Call, made: Made, place: Place) => Promise<unknown>>> = {
  'POST /domains/{id}/rotate-dkim': async (call, { dom }, { dns }) => {
    publish(dns.zones, (await call<ShownDomain>('GET', `domains/${dom}`)).records)
    await call('POST', `domains/${dom}/verify`)
  },
  // As if a worker had tried it.
  'POST /emails/{id}/retry': (_call, _made, { db }) =>
    db.run(sql`update deliveries set state = 'waiting', lease_no = 1, attempts = 1`),
  'POST /projects/{id}/restore': (call, { prj }) => call('DELETE', `projects/${prj}`),
  'POST /contact-tags/{id}/contacts': (call) => ada(call),
  'DELETE /contact-tags/{id}/contacts': async (call, { tag }) => {
    await ada(call)
    await call('POST', `contact-tags/${tag}/contacts`, { email: ADA })
  },
  'POST /broadcasts/{id}/cancel': (call, { brd }) =>
    call('POST', `broadcasts/${brd}/schedule`, { sendAt: new Date(Date.now() + 3_600_000).toISOString() }),
  'POST /broadcasts/{id}/pause': (call, { brd }) => call('POST', `broadcasts/${brd}/send`),
  'POST /broadcasts/{id}/resume': async (call, { brd }) => {
    await call('POST', `broadcasts/${brd}/send`)
    await call('POST', `broadcasts/${brd}/pause`)
  },
  'POST /automations/{id}/simulate': async (call, { aut }) => {
    const { trigger } = await call<{ trigger: { audienceId: string } }>('GET', `automations/${aut}`)
    await call('POST', `audiences/${trigger.audienceId}/contacts`, { email: ADA })
  },
  'DELETE /suppressions': (call) => call('POST', 'suppressions', { email: ADA }),
}

interface Place {
  dns: DnsServer
  db: World['db']
}

type Call = <Body = unknown>(method: string, path: string, body?: unknown) => Promise<Body>

const ADA = 'ada@example.com'

async function ada(call: Call): Promise<void> {
  const { id } = await call<{ id: string }>('POST', 'audiences', { name: 'readers' })
  await call('POST', `audiences/${id}/contacts`, { email: ADA })
}

/** In the order in which one needs the other. */
const order: readonly IdPrefix[] = ['aud', 'con', 'em', 'rcv', 'att', 'whk', 'whd']

const groups = Map.groupBy(operations, ({ path }) => path.split('/')[1] ?? '')

test.each([...groups])('every command that the reference shows for %s succeeds', async (_, members) => {
  const dns = await startDnsServer()
  onTestFinished(() => dns.stop())
  const here = await world({ env: { DNS_SERVERS: dns.address, SMTP_HOSTNAME } })
  const { own } = await neighbourhood(here)
  const page = (await here.api.with(undefined).get('/docs')).text
  const refused: string[] = []
  for (const { id, method, path } of members) {
    const [command = ''] = examplesIn(page, id)
    const prefixes = new Set([...command.matchAll(idForm)].map(([, prefix]) => prefix as IdPrefix))
    const made = await makeAll(
      [...order.filter((each) => prefixes.has(each)), ...prefixes.difference(new Set(order))],
      own,
    )
    await before[`${method} ${path}`]?.(callIn(own), made, { dns, db: here.db })
    const filled = command.replaceAll(idForm, (_, prefix: IdPrefix) => made[prefix] ?? '')
    const { status, text } = await run(filled.replace('/periods/2026-01', `/periods/${thisMonth()}`), own)
    if (status >= 300) refused.push(`${method} ${path}: ${status} ${text}\n${command}`)
  }
  expect(refused.join('\n\n')).toBe('')
})

const thisMonth = (): string => new Date().toISOString().slice(0, 7)

const callIn =
  ({ client, projectId }: Owner): Call =>
  async <Body>(method: string, path: string, body?: unknown) => {
    const headers = { 'x-service-project-id': projectId! }
    const reply = await client.request(method, path, { headers, ...(body === undefined ? {} : { body }) })
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.body as Body
  }

/** As curl would. */
async function run(command: string, { client, projectId }: Owner): Promise<{ status: number; text: string }> {
  const words = shellArguments(command, { POSTHOUSE_KEY: client.key!, POSTHOUSE_PROJECT: projectId! })
  const valuesOf = (...options: string[]): string[] => words.filter((_, i) => options.includes(words[i - 1] ?? ''))
  const url = words.find((word) => word.startsWith('http'))!
  const headers = Object.fromEntries(valuesOf('-H').map((line) => /^([^:]+): (.*)$/s.exec(line)!.slice(1, 3)))
  const [body] = valuesOf('-d', '--data-binary')
  const [method = 'GET'] = valuesOf('-X')
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })
  const { status, headers: answered } = response
  if (answered.get('content-type') !== 'text/event-stream') return { status, text: await response.text() }
  // It would go on for minutes.
  await response.body?.cancel()
  return { status, text: '' }
}
