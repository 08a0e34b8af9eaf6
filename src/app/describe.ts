import { loadConfig } from '../config/load.ts'
import { systemClock } from '../core/clock.ts'
import { openApiDocument } from '../http/openapi.ts'
import type { Route } from '../http/route.ts'
import { toldEvents } from '../resources/webhooks/schema.ts'
import { Database } from '../storage/postgres.ts'
import { compose } from './compose.ts'
import { allRoutes } from './routes.ts'
import { Vault } from './vault.ts'
import { version } from './version.ts'

/** The routes without a server behind them: they describe themselves, but must not be called. */
export function describedRoutes(): Route[] {
  // A pool connects on first use, which never comes.
  const nowhere = new Database({ url: 'postgres://nowhere', name: 'none', connections: 1 })
  const config = loadConfig({})
  return allRoutes(compose(nowhere, new Vault(config, nowhere), config, systemClock), version)
}

export const describedApi = (): Record<string, unknown> =>
  openApiDocument(describedRoutes(), version, { events: toldEvents })
