import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { freePort, launchPosthouse, testDirectory, type ProcessOptions } from '../support/posthouse-process.ts'
import { administer, withDatabase } from '../support/server.ts'

async function refusal(options: ProcessOptions): Promise<string> {
  const node = await launchPosthouse(options)
  const said = await node.refusal()
  expect(node.stdout).toBe('')
  expect(node.postmasterPid()).toBeUndefined()
  return said
}

test('a taken port is named, with the variable that changes it, and no database is made', async () => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => void other.close())
  const dataDir = testDirectory()
  expect(await refusal({ port, dataDir })).toBe(
    `Port ${port} on 127.0.0.1 is taken by another program. Stop it, or choose another with PORT.\n`,
  )
  expect(readdirSync(dataDir)).toEqual([])
})

test('an address that is not this machine’s is named', async () => {
  expect(await refusal({ env: { HOST: '192.0.2.1' } })).toMatch(/^Cannot listen on 192\.0\.2\.1 port \d+ .*HOST/)
})

test('a data directory that cannot be written is named', async () => {
  // Below a file: not even root can make a directory there.
  const file = join(testDirectory(), 'file')
  writeFileSync(file, '')
  const said = await refusal({ dataDir: join(file, 'data') })
  expect(said).toMatch(/^The data directory .*file\/data is not writable .*DATA_DIR\.\n$/)
})

test('a database of another major version of PostgreSQL is left alone', async () => {
  const dataDir = testDirectory()
  mkdirSync(join(dataDir, 'postgres'))
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '14\n')
  const said = await refusal({ dataDir })
  expect(said).toMatch(/made by PostgreSQL 14, this version of Posthouse brings PostgreSQL \d+/)
  expect(readdirSync(join(dataDir, 'postgres'))).toEqual(['PG_VERSION'])
})

test('a folder that is no database at all is left alone', async () => {
  const dataDir = testDirectory()
  mkdirSync(join(dataDir, 'postgres'))
  expect(await refusal({ dataDir })).toMatch(/postgres is not a database that Posthouse can read/)
})

const secret = 'pa55w@rd'
test.each([
  ['before the host', `postgres://someone:${encodeURIComponent(secret)}@127.0.0.1:PORT/mail`],
  ['before the host and not encoded', `postgres://someone:${secret}@127.0.0.1:PORT/mail`],
  ['among the parameters', `postgres://someone@127.0.0.1:PORT/mail?password=${encodeURIComponent(secret)}`],
  ['for several hosts', `postgres://someone:${encodeURIComponent(secret)}@127.0.0.1:PORT,localhost:PORT/mail`],
])('a database that is not there is named without its password (%s)', async (_, form) => {
  const port = String(await freePort())
  const said = await refusal({ env: { DATABASE_URL: form.replaceAll('PORT', port) } })
  expect(said).toMatch(new RegExp(`^The database at 127\\.0\\.0\\.1:${port}\\S*/mail cannot be used: .*ECONNREFUSED`))
  expect(said).toMatch(/Check DATABASE_URL\.\n$/)
  expect(said).not.toMatch(/pa55w|rd@|%40/)
})

test('a database that does not exist on a server that does is named', async () => {
  const said = await refusal({ env: { DATABASE_URL: withDatabase(inject('serverUrl'), 'no_such_database') } })
  expect(said).toMatch(/^The database at \S+\/no_such_database cannot be used: .*does not exist/)
})

test('a user that the server does not know is refused in its words', async () => {
  const url = inject('serverUrl').replace(/\/\/[^/]*@/, '//no_such_user:secret@')
  expect(await refusal({ env: { DATABASE_URL: url } })).toMatch(/cannot be used: .*no_such_user/)
})

test('a database that answers at first and then does not is told in one sentence, without a stack', async () => {
  const server = inject('serverUrl')
  const name = `few_${randomBytes(6).toString('hex')}`
  await administer(server, `create role ${name} login password 'secret' connection limit 1`)
  await administer(server, `create database ${name} owner ${name}`)
  onTestFinished(async () => {
    await administer(server, `drop database ${name} with (force)`)
    await administer(server, `drop role ${name}`)
  })
  const url = withDatabase(server, name).replace(/\/\/.*@/, `//${name}:secret@`)
  const said = await refusal({ env: { DATABASE_URL: url, LOG_LEVEL: 'silent' } })
  expect(said).toMatch(/^The .*: too many connections for role ".*"\)\..*\n$/)
}, 240_000)

test('every wrong variable is named at once', async () => {
  const said = await refusal({
    env: {
      PORT: '70000',
      DATABASE_URL: 'mysql://user:secret@host/db',
      RSPAMD_URL: 'http://user:secret@127.0.0.1:11333',
      ROLES: 'api,cook',
      LOG_LEVEL: 'loud',
      WEBHOOK_ALLOW_HTTP: 'yes',
      METRICS_ALLOW: '10.0.0.0/99',
      DNS_SERVERS: 'resolver',
      SANDBOX_SENDER: 'nobody',
      SMTP_HOSTNAME: 'not a name',
    },
  })
  const lines = said.trimEnd().split('\n')
  expect(lines.shift()).toBe('The configuration is not valid:')
  expect(lines.map((line) => /^ {2}- ([A-Z_]+): .+\.$/.exec(line)?.[1]).toSorted()).toEqual(
    ['DATABASE_URL', 'DNS_SERVERS', 'LOG_LEVEL', 'METRICS_ALLOW', 'PORT', 'ROLES', 'RSPAMD_URL'].concat(
      'SANDBOX_SENDER',
      'SMTP_HOSTNAME',
      'WEBHOOK_ALLOW_HTTP',
    ),
  )
  expect(said).not.toContain('secret')
})

test('variables that need each other are named together', async () => {
  const said = await refusal({ env: { S3_ENDPOINT: 'http://127.0.0.1:9', ROLES: ',' } })
  for (const name of ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'ROLES']) expect(said).toContain(name)
})
