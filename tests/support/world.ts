import { afterAll, inject, onTestFinished } from 'vitest'
import { startApi } from '../../src/app/api.ts'
import { compose, type Services } from '../../src/app/compose.ts'
import { loadSmsConnections } from '../../src/app/sms-connections.ts'
import { firstStart } from '../../src/app/first-start.ts'
import { createLogger } from '../../src/process/logger.ts'
import { allRoutes } from '../../src/app/routes.ts'
import { Vault } from '../../src/app/vault.ts'
import type { Config } from '../../src/config/schema.ts'
import { loadConfig } from '../../src/config/load.ts'
import { systemClock } from '../../src/core/clock.ts'
import type { Scope } from '../../src/core/scopes.ts'
import type { Route } from '../../src/http/route.ts'
import type { Database } from '../../src/storage/postgres.ts'
import { Client, type Reply } from './client.ts'
import { freshDatabase } from './database.ts'

export interface World {
  /** With the first workspace key. */
  api: Client
  /** With the key of the first project. */
  projectApi: Client
  projectId: string
  db: Database
  databaseUrl: string
  services: Services
  config: Config
  /** Everything the API process wrote to its log, line by line. */
  logs: string[]
  /** A new key made by the workspace key; answers a client that uses it. */
  clientWith(grant: { scopes?: readonly (Scope | '*')[]; projectId?: string; expiresAt?: string }): Promise<Client>
  newProject(name?: string): Promise<string>
  /** One more API process on the same database. */
  anotherApi(): Promise<Client>
}

interface WorldOptions {
  env?: Record<string, string>
  /** The port of the first API process; any free one if it is left out. */
  port?: number
  /** Routes beside our own, to look at the shell through a window made for it. */
  routes?: (services: Services, db: Database) => Route[]
}

/** A whole installation: a database of its own, an API on a real port, the first keys. Gone when the test ends. */
export const world = (options: WorldOptions = {}): Promise<World> => startWorld(options, onTestFinished)

/** What a test sees that shares its installation with others: nothing that belongs to all of them. */
export type Tenant = Omit<World, 'logs' | 'anotherApi'>

/**
 * One installation for all tests of a file, in which each test that asks gets a project of its own: about ten times
 * cheaper than a world for each. Not for tests that move the clock, fill the workspace or count what is not theirs.
 */
export function tenants(options: WorldOptions = {}): () => Promise<Tenant> {
  const endings: (() => Promise<void>)[] = []
  let shared: Promise<World> | undefined
  afterAll(async () => {
    for (const end of endings.toReversed()) await end()
  })
  return async () => {
    const here = await (shared ??= startWorld(options, (end) => void endings.push(end)))
    const projectId = await here.newProject()
    return { ...here, projectId, projectApi: await here.clientWith({ scopes: ['*'], projectId }) }
  }
}

async function startWorld(
  { env = {}, port = 0, routes = () => [] }: WorldOptions,
  atTheEnd: (end: () => Promise<void>) => void,
): Promise<World> {
  const { db, url: databaseUrl, drop } = await freshDatabase()
  atTheEnd(drop)
  // No rate limit unless asked for: a test that hurries is not a client that misbehaves.
  // Nobody listens on port 1, so no question of ours ever leaves the machine.
  const config = loadConfig({
    RATE_LIMIT_PER_SECOND: '0',
    ADDRESS_RATE_LIMIT_PER_SECOND: '0',
    // The template has spare keys for its first domains, sealed with this one.
    MASTER_KEY: inject('masterKey'),
    DKIM_KEYS_AHEAD: '1',
    DNS_SERVERS: '127.0.0.1:1',
    ...env,
  })
  const smsConnections = await loadSmsConnections(config)
  const services = compose(db, new Vault(config, db), config, systemClock, { smsConnections })
  const keys = await firstStart(db, systemClock)
  if (keys === undefined) throw new Error('the database was not fresh')
  const logs: string[] = []

  async function startOne(port: number): Promise<string> {
    const logger = createLogger('api', 'debug', { write: (line) => void logs.push(line) })
    const api = await startApi(config, databaseUrl, logger, (services, version) => [
      ...allRoutes(services, version),
      ...routes(services, db),
    ])
    atTheEnd(() => api.stop())
    return api.listen('127.0.0.1', port)
  }

  const api = new Client(await startOne(port), keys.workspaceKey)
  return {
    api,
    projectApi: api.with(keys.projectKey),
    projectId: keys.projectId,
    db,
    databaseUrl,
    services,
    config,
    logs,
    clientWith: async (grant) => {
      const { secret } = created(await api.post<{ secret: string }>('api-keys', { name: 'test', ...grant }))
      return api.with(secret)
    },
    newProject: async (name = 'another') => created(await api.post<{ id: string }>('projects', { name })).id,
    anotherApi: async () => new Client(await startOne(0), keys.workspaceKey),
  }
}

/** The body of a 201; anything else is a broken test. */
export const created = <B>(reply: Reply<B>): B => bodyOf(201, reply)

/** The body of a 202. */
export const accepted = <B>(reply: Reply<B>): B => bodyOf(202, reply)

function bodyOf<B>(expected: number, { status, text, body }: Reply<B>): B {
  if (status !== expected) throw new Error(`expected ${expected}, got ${status}: ${text}`)
  return body
}
