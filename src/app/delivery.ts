import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/schema.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { MailDeliverer, type MailDelivererOptions } from '../delivery/mail/deliver.ts'
import type { ReplyTally } from '../delivery/mail/reply-tally.ts'
import { Routing } from '../delivery/mail/routing.ts'
import { RelayTransport } from '../delivery/mail/transports/relay.ts'
import { SimulatorTransport } from '../delivery/mail/transports/simulator.ts'
import { SmtpTransport } from '../delivery/mail/transports/smtp.ts'
import type { Transport } from '../delivery/mail/transports/transport.ts'
import type { Timeouts } from '../smtp/client/attempt.ts'
import { Peers } from '../smtp/client/peers.ts'
import { stsFetcher } from '../mail/routes/sts-fetch.ts'
import { MtaSts } from '../mail/routes/sts.ts'
import { isUnavailable } from '../storage/outage.ts'
import type { DeliveryServices } from './delivery-services.ts'
import { messagesOf } from './messages.ts'

interface Deps {
  config: Config
  clock: Clock
  log: Log
  /** How many processes share the limits of the sites. */
  processes: () => number
  outside: Partial<NetworkSettings>
  alone?: MailDelivererOptions['alone']
  attempted?: MailDelivererOptions['attempted']
  tally?: ReplyTally
}

/** How other people's servers are reached; tests give other values. */
export interface NetworkSettings {
  timeouts: Timeouts
  /** Certificates of authorities instead of those that Node knows. */
  authorities: readonly string[]
  stsPort: number
}

/** The delivery engine, with everything it needs to reach other people's servers. */
export function deliveryEngine(
  services: DeliveryServices,
  { config, clock, log, processes, outside, alone, attempted, tally }: Deps,
) {
  const { deliveries, pauses, dns, egress } = services
  const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
    sleep(ms, undefined, signal ? { signal } : {}).catch(() => {})
  const routing = new Routing({
    simulatorDomain: config.simulatorDomain,
    simulator: new SimulatorTransport({ clock, wait }),
    outside: outsideTransport(config, { dns, egress, clock, processes, outside }),
    learn: (domain, site) =>
      void deliveries.learnRoutes([{ domain, site }]).catch((error: unknown) => {
        log.debug({ err: error, domain }, 'route not stored')
      }),
  })
  const messages = messagesOf(services, config, log)
  const deliverer = new MailDeliverer({
    deliveries,
    messages,
    routing,
    log,
    clock,
    random: Math.random,
    isOutage: isUnavailable,
    isPaused: (project, site) => pauses.isPaused(project, site),
    ...(alone ? { alone } : {}),
    ...(attempted ? { attempted } : {}),
    ...(tally ? { tally } : {}),
  })
  return { deliverer, routing }
}

function outsideTransport(
  config: Config,
  {
    dns,
    egress,
    outside,
    ...shared
  }: Pick<Deps, 'clock' | 'processes' | 'outside'> & Pick<DeliveryServices, 'dns' | 'egress'>,
): Transport {
  const { stsPort, ...met } = outside
  const common = { name: config.smtpHostname, dns, peers: new Peers(shared.clock), ...shared, ...met }
  if (config.smtpRelayUrl !== undefined) return new RelayTransport({ url: config.smtpRelayUrl, ...common })
  const authorities = met.authorities ? { authorities: met.authorities } : {}
  const fetch = stsFetcher({ dns, egress, ...authorities, ...(stsPort ? { port: stsPort } : {}) })
  const sts = new MtaSts({ dns, clock: shared.clock, fetch })
  return new SmtpTransport({ ...common, port: config.smtpMxPort, egress, sts, random: Math.random })
}
