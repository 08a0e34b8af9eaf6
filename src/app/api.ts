import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { localUrl } from '../config/load.ts'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../core/clock.ts'
import { doorRoutes } from '../door/routes.ts'
import type { Installation } from '../door/schema.ts'
import { AddressLimiter } from '../http/address-limit.ts'
import { openApiDocument } from '../http/openapi.ts'
import { addPortal } from '../http/portal-files.ts'
import { addPublicPages, leadToReference } from '../http/public-pages.ts'
import { RateLimiter } from '../http/rate-limit.ts'
import { createServer } from '../http/server.ts'
import { LinkHosts } from '../links/hosts.ts'
import { addLinks } from '../links/server.ts'
import { toldEvents } from '../resources/webhooks/schema.ts'
import { Database } from '../storage/postgres.ts'
import { addCarrierCallbacks } from './carrier-callbacks.ts'
import { compose } from './compose.ts'
import { connections } from './connections.ts'
import { nodeMetrics, type NodeMetrics } from './node-metrics.ts'
import { allRoutes } from './routes.ts'
import { loadSmsConnections } from './sms-connections.ts'
import { Vault } from './vault.ts'
import { version } from './version.ts'

/** `npm run build:portal` puts it there; from `src/` and from `dist/` the way is the same. */
const portalFolder = new URL('../../portal/dist/', import.meta.url)
const RECORD_USE_EVERY_MS = 10_000

export interface Api {
  /** Takes over a connection that somebody else accepted. */
  accept(socket: Socket): void
  listen(host: string, port: number): Promise<string>
  stop(): Promise<void>
  showRoles: NodeMetrics['showRoles']
  showCounts: NodeMetrics['showCounts']
}

/** The HTTP process: answers requests and keeps no state of its own. */
export async function startApi(
  config: Config,
  databaseUrl: string,
  logger: FastifyBaseLogger,
  routesOf: typeof allRoutes = allRoutes,
): Promise<Api> {
  const db = new Database({ url: databaseUrl, name: 'api', connections: connections.api })
  const smsConnections = await loadSmsConnections(config)
  const services = compose(db, new Vault(config, db), config, systemClock, { log: logger, smsConnections })
  const routes = routesOf(services, version)
  const { metrics, showRoles, showCounts } = nodeMetrics(db, services.queueReports)
  metrics.gauge('posthouse_live_streams', 'Streams of `/live` that are open in this process.', [], (gauge) =>
    gauge.set(services.live.size),
  )
  const limits = { perSecond: config.rateLimitPerSecond, burst: config.rateLimitBurst }
  const rateLimiter = new RateLimiter(db, limits, systemClock)
  const { publicUrl, httpProxies: proxies } = config
  const persons = { identify: services.sessionIdentifier.identify, publicUrl, proxies }
  const ofPeople = {
    persons,
    routes: [...routes, ...doorRoutes({ ...services, persons, installation: installationOf(config) })],
  }
  const server = createServer({
    // Without the portal there is no page that cookies could come from.
    ...(config.portal === 'off' ? { routes } : ofPeople),
    identify: services.keyIdentifier.identify,
    rateLimiter,
    addressLimiter: new AddressLimiter({ perSecond: config.addressRateLimitPerSecond, proxies }, systemClock),
    metrics,
    logger,
  })
  addPublicPages(server, {
    document: (address) => openApiDocument(routes, version, { address, events: toldEvents }),
    reference: async (document) => (await import('../reference/page.ts')).referencePage(document, systemClock.now()),
    address: config.publicUrl === localUrl(config.port) ? undefined : config.publicUrl,
    metrics,
    readers: { networks: config.metricsAllow, proxies: config.httpProxies, token: config.metricsToken },
  })
  if (config.portal === 'off') leadToReference(server)
  else addPortal(server, { folder: portalFolder, publicUrl: config.publicUrl, clock: systemClock, log: logger })
  const linkHosts = new LinkHosts({
    own: new URL(config.publicUrl).hostname,
    load: () => services.domains.trackingHosts(),
    clock: systemClock,
    log: logger,
  })
  const { preferences, engagement, vault } = services
  const keys = () => vault.mailTokenKeys
  addLinks(server, { keys, preferences, engagement, hosts: linkHosts, log: logger })
  void linkHosts.refresh()
  await addCarrierCallbacks(server, services, systemClock, logger)
  await server.ready()
  // Node starts to enforce its header and request time-outs when a server begins to listen; ours may never do so
  // itself, because the supervisor holds the port.
  server.server.emit('listening')

  const used = [services.keyIdentifier, services.sessionIdentifier]
  const recordUse = (): void =>
    void Promise.all(used.map((each) => each.recordUse())).catch((error: unknown) =>
      logger.warn({ err: error }, 'last use not recorded'),
    )
  const recording = setInterval(recordUse, RECORD_USE_EVERY_MS)

  return {
    showRoles,
    showCounts,
    accept: (socket) => {
      server.server.emit('connection', socket)
      socket.resume()
    },
    listen: (host, port) => server.listen({ host, port }),
    stop: async () => {
      clearInterval(recording)
      // A stream lasts for minutes, and closing waits for every answer.
      services.live.stop()
      await server.close()
      await Promise.allSettled(used.map((each) => each.recordUse()))
      await engagement.settled()
      await services.renderers.stop()
      await db.close()
    },
  }
}

/** What people see of the installation itself. */
const installationOf = (config: Config): Installation => ({
  version,
  publicUrl: config.publicUrl,
  sandboxSender: config.sandboxSender,
  simulatorDomain: config.simulatorDomain,
  systemSender: config.systemSender ?? null,
  sms: config.smsLiveEnabled,
})
