import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/storage/migrate.ts'
import { startEmbedded } from '../../src/embedded-postgres/server.ts'
import { Database } from '../../src/storage/postgres.ts'
import { startReaper } from './reaper.ts'

const buildScript = new URL('../../scripts/build.mjs', import.meta.url)

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string
    templateDatabase: string
  }
}

/**
 * One PostgreSQL for the whole run: the embedded one, or the server that TEST_DATABASE_URL names. A migrated template
 * database is made once; `database.ts` clones it for each test file.
 */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  startReaper()
  // Nodes in tests run what `npm start` runs.
  const { status } = spawnSync(process.execPath, [fileURLToPath(buildScript)], { stdio: 'inherit' })
  if (status !== 0) throw new Error('scripts/build.mjs failed')
  const server = await testServer()
  const templateDatabase = `posthouse_template_${process.pid}`
  await administer(server.url, `create database ${templateDatabase}`)
  const template = new Database({
    url: withDatabase(server.url, templateDatabase),
    name: 'test set-up',
    connections: 2,
  })
  await migrate(template)
  await template.close()
  provide('serverUrl', server.url)
  provide('templateDatabase', templateDatabase)
  return async () => {
    await administer(server.url, `drop database ${templateDatabase} with (force)`)
    await server.stop()
  }
}

async function testServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return { url: given, stop: async () => {} }
  const dataDir = mkdtempSync(join(quickFolder(), 'posthouse-test-'))
  const server = await startEmbedded({
    dataDir,
    settings: ['max_connections=300'],
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
