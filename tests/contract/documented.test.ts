import { readdirSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Compile } from 'typebox/schema'
import { expect, test } from 'vitest'
import { contractFolder, generatedFiles } from '../../scripts/generated.ts'
import { loadConfig } from '../../src/config/load.ts'
import { settings } from '../../src/config/schema.ts'
import { errorCatalogue, type ErrorCode } from '../../src/core/errors.ts'
import { eventCatalogue } from '../../src/events/kinds.ts'
import { exampleOf } from '../../src/http/error-examples.ts'
import { statusOf } from '../../src/http/errors.ts'
import { errorShapeOf } from '../../src/http/openapi-errors.ts'
import { codeOf, readSources } from '../support/source-tree.ts'
import { contractStatuses } from './statuses.ts'

/** The code spans of the first column, and the rest of each row. */
function rowsOf(page: string): Record<string, string> {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| `(?<name>[^`]+)` \| (?<rest>.+) \|$/gm)]
  const names = rows.map(({ groups }) => groups!['name']!)
  expect(new Set(names).size, `${page} names something twice`).toBe(names.length)
  return Object.fromEntries(rows.map(({ groups }) => [groups!['name']!, groups!['rest']!]))
}

test.each(generatedFiles().map(({ path, text }) => [path.split('/').slice(-2).join('/'), path, text]))(
  '%s is fresh: `npm run generate` would not change it',
  (_name, path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text)
  },
)

test('the types of a part of the API that is gone are gone', () => {
  const there = readdirSync(contractFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const made = generatedFiles().filter(({ path }) => path.startsWith(contractFolder))
  expect(there.map(({ parentPath, name }) => join(parentPath, name)).toSorted()).toEqual(
    made.map(({ path }) => path).toSorted(),
  )
})

test('every error code is in docs/errors.md with its status and meaning, and nothing else is', () => {
  const rows = rowsOf('errors.md')
  expect(Object.keys(rows).toSorted()).toEqual(Object.keys(errorCatalogue).toSorted())
  for (const [code, sentence] of Object.entries(errorCatalogue)) {
    expect(rows[code]).toBe(`${contractStatuses[code]} | ${sentence}`)
  }
})

test('every error code is shown in docs/errors.md as callers get it, in the shape that the document has', () => {
  const text = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
  const shown = [...text.matchAll(/^### (\w+)\n\nStatus (\d+).*:\n\n((?: {4}.*\n)+)/gm)]
  expect(shown.map(([, code]) => code)).toEqual(Object.keys(errorCatalogue))
  for (const [, code = '', status, json = ''] of shown) {
    const body = JSON.parse(json) as Record<string, unknown>
    expect(Number(status), code).toBe(contractStatuses[code])
    expect(body['code']).toBe(code)
    const shape = errorShapeOf(code as ErrorCode)
    expect(Compile(shape).Check(body), code).toBe(true)
    expect(fieldsOf(shape), code).toEqual(expect.arrayContaining(Object.keys(body)))
    // The fields that the table promises are there.
    const named = [...errorCatalogue[code as ErrorCode].matchAll(/`([a-z]\w+)`/g)].map(([, name]) => name!)
    const promised = named.filter((name) => !elsewhere.has(name))
    expect(Object.keys(body), code).toEqual(expect.arrayContaining(promised))
  }
})

/** A code with fields of its own has them beside those of all. */
const fieldsOf = (shape: { allOf?: object[]; properties?: object }): string[] =>
  [shape, ...(shape.allOf ?? [])].flatMap((each) => Object.keys('properties' in each ? (each.properties ?? {}) : {}))

/** A field of the request, and one that stands in for another. */
const elsewhere = new Set(['from', 'missingScopes'])

test('the sentence of every example is one that the source writes', () => {
  const sources = [...readSources(new URL('../..', import.meta.url).pathname, ['src'])]
    .filter(([path]) => !path.endsWith('error-examples.ts'))
    .map(([, code]) => codeOf(code).replaceAll(/([`']) \+\s+'([^'\n]*)'/g, '$2$1'))
  const sentences = sources.flatMap((code) => [...code.matchAll(sentence)].map(([, , text]) => text!))
  expect(sentences.length).toBeGreaterThan(100)
  // Of too few words of its own it would be like everything.
  const telling = sentences.filter((text) => text.split(hole).join('').length > 15)
  const forms = telling.map((text) => new RegExp(`^${text.split(hole).map(escaped).join('.*')}$`))
  const unwritten = (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => {
    const { message } = exampleOf(code)
    return !forms.some((form) => form.test(message))
  })
  expect(unwritten).toEqual([])
})

/** A text in quotation marks that begins like a sentence and ends like one. */
const sentence = /(['"`])((?:[A-Z]|\$\{\w)[^\n]*?\.)\1(?=[,;)\s])/g
/** What is filled in; at most one pair of braces inside. */
const hole = /\$\{(?:[^{}]|\{[^{}]*\})*\}/
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

test('every error code has the status that clients rely on', () => {
  expect(statusOf).toEqual(contractStatuses)
})

test('every event kind is in docs/events.md, and nothing else is', () => {
  const rows = rowsOf('events.md')
  expect(Object.keys(rows).toSorted()).toEqual(Object.keys(eventCatalogue).toSorted())
  for (const [kind, { meaning }] of Object.entries(eventCatalogue)) expect(rows[kind]).toContain(meaning)
})

test('an endpoint that does not choose is told of the seven kinds of the specification', () => {
  const standard = Object.entries(eventCatalogue).filter(([, { standard }]) => standard)
  expect(standard.map(([kind]) => kind)).toEqual([
    'email.delivered',
    'email.bounced',
    'email.filteredspam',
    'email.suppressed',
    'email.quarantined',
    'email.unsubscribed',
    'email.received',
  ])
})

test('every setting is in docs/configuration.md with its default, and nothing else is', () => {
  const rows = rowsOf('configuration.md')
  const all = Object.values(settings)
  expect(Object.keys(rows).toSorted()).toEqual(all.map(({ variable }) => variable).toSorted())
  for (const { variable, default: standard, sentence } of all) {
    expect(rows[variable]).toContain(sentence)
    if (standard) expect(rows[variable]).toContain(`\`${standard}\``)
  }
})

/** What outside tools set or rely on, with the value that an untouched installation has. */
const promisedSettings: [variable: string, name: string, value: unknown][] = [
  ['PORT', 'port', 3000],
  ['HOST', 'host', '127.0.0.1'],
  ['PUBLIC_URL', 'publicUrl', 'http://localhost:3000'],
  ['DATA_DIR', 'dataDir', './data'],
  ['DATABASE_URL', 'databaseUrl', undefined],
  ['ROLES', 'roles', ['api', 'worker', 'inbound']],
  ['SMTP_HOSTNAME', 'smtpHostname', hostname().toLowerCase()],
  ['SMTP_INBOUND_PORT', 'smtpInboundPort', 2525],
  ['SMTP_MX_PORT', 'smtpMxPort', 25],
  ['SMTP_RELAY_URL', 'smtpRelayUrl', undefined],
  ['DNS_SERVERS', 'dnsServers', []],
  ['EGRESS_ALLOW', 'egressAllow', []],
  ['WEBHOOK_ALLOW_HTTP', 'webhookAllowHttp', false],
  ['SANDBOX_SENDER', 'sandboxSender', 'sandbox@sandbox.posthouse.test'],
  ['SIMULATOR_DOMAIN', 'simulatorDomain', 'simulator.posthouse.test'],
  ['MANAGED_RECEIVING_DOMAIN', 'managedReceivingDomain', 'in.posthouse.test'],
  ['RATE_LIMIT_PER_SECOND', 'rateLimitPerSecond', 100],
  ['RATE_LIMIT_BURST', 'rateLimitBurst', 200],
  ['MASTER_KEY', 'masterKey', undefined],
  ['SMS_LIVE_ENABLED', 'smsLiveEnabled', false],
]

test.each(promisedSettings)('%s exists and has its promised default', (variable, name, value) => {
  expect(settings).toHaveProperty(name)
  expect(settings[name as keyof typeof settings].variable).toBe(variable)
  expect(loadConfig({})[name as keyof typeof settings]).toEqual(value)
})

test('links in mail follow the port', () => {
  expect(loadConfig({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080')
})
