import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { compose } from '../../src/app/compose.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { Vault } from '../../src/app/vault.ts'
import { loadConfig } from '../../src/config/load.ts'
import { systemClock } from '../../src/core/clock.ts'
import { startEmbedded } from '../../src/embedded-postgres/server.ts'
import { Database } from '../../src/storage/postgres.ts'
import { startReaper } from './reaper.ts'

const buildScript = new URL('../../scripts/build.mjs', import.meta.url)

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string
    templateDatabase: string
    /** Of all worlds that name no other; the spare keys in the template are sealed with it. */
    masterKey: string
  }
}

/**
 * One PostgreSQL for the whole run: the embedded one, or the server that TEST_DATABASE_URL names. A migrated template
 * database is made once; `database.ts` clones it for each world.
 */
export default async function setUp({ name, provide }: TestProject): Promise<() => Promise<void>> {
  startReaper()
  // Nodes in tests run what `npm start` runs.
  const { status } = spawnSync(process.execPath, [fileURLToPath(buildScript)], { stdio: 'inherit' })
  if (status !== 0) throw new Error('scripts/build.mjs failed')
  const server = await testServer(name === 'fast' ? hasty : [])
  const templateDatabase = `posthouse_template_${process.pid}`
  await administer(server.url, `create database ${templateDatabase}`)
  const template = new Database({
    url: withDatabase(server.url, templateDatabase),
    name: 'test set-up',
    connections: 2,
  })
  await migrate(template)
  const masterKey = randomBytes(32).toString('hex')
  await makeSpareKeys(template, masterKey)
  await template.close()
  provide('masterKey', masterKey)
  provide('serverUrl', server.url)
  provide('templateDatabase', templateDatabase)
  return async () => {
    await administer(server.url, `drop database ${templateDatabase} with (force)`)
    await server.stop()
  }
}

/** As many as most tests have domains: making one takes longer than everything else in a world. */
async function makeSpareKeys(db: Database, masterKey: string): Promise<void> {
  const config = loadConfig({ MASTER_KEY: masterKey, DKIM_KEYS_AHEAD: '8' })
  const { domains } = compose(db, new Vault(config, db), config, systemClock)
  await domains.makeKeysAhead(new AbortController().signal)
}

/** Nobody pulls the plug of this server; whole nodes, which refuse such a one, are started in slow tests only. */
const hasty = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off']

async function testServer(settings: readonly string[]): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return { url: given, stop: async () => {} }
  const dataDir = mkdtempSync(join(quickFolder(), 'posthouse-test-'))
  const server = await startEmbedded({
    dataDir,
    settings: ['max_connections=300', ...settings],
  })
  return {
    url: server.superuserUrl,
    stop: async () => {
      await server.stop()
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** In memory where there is plenty: nobody pulls the plug of this server, and most of a test is waiting for its disk. */
function quickFolder(): string {
  const [memory, enough] = ['/dev/shm', 4 * 1024 ** 3]
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > enough ? memory : tmpdir()
}

export async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

export const withDatabase = (url: string, database: string): string => url.replace(/\/[^/?]*(\?|$)/, `/${database}$1`)
