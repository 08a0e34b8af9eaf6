import { networkInterfaces } from 'node:os'
import type { Config } from '../config/schema.ts'
import type { Clock } from '../core/clock.ts'
import { RELAY_SITE } from '../delivery/transports/relay.ts'
import { SIMULATOR_SITE } from '../delivery/sites.ts'
import { Doorbell } from '../dispatch/doorbell.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { DnsResolver } from '../net/dns.ts'
import { Domains } from '../resources/domains/index.ts'
import { Accepter, Deliveries, Emails, Preparer, releaseHeld, Retention } from '../resources/emails/index.ts'
import { KeyIdentifier, Keys } from '../resources/keys/index.ts'
import { Projects } from '../resources/projects/index.ts'
import { Suppressions } from '../resources/suppressions/index.ts'
import { Templates } from '../resources/templates/index.ts'
import { WebhookDeliveries, Webhooks } from '../resources/webhooks/index.ts'
import type { Database } from '../storage/postgres.ts'
import type { Log } from '../core/log.ts'
import type { Vault } from './vault.ts'

/** Every service, built once, in the order in which they lean on each other. */
export function compose(db: Database, vault: Vault, config: Config, clock: Clock, log: Log = silent) {
  const dns = new DnsResolver({ servers: config.dnsServers, clock })
  const doorbell = new Doorbell({ db, log, random: Math.random })
  const projects = new Projects(db, {
    created: (tx, project) => templates.seedIn(tx, project),
    resumed: (tx) => enqueue(tx, releaseHeld, {}, { key: 'resumed' }),
    archived: (tx, project) => emails.cancelAllIn(tx, project),
  })
  const keys = new Keys(db, projects, clock)
  const keyIdentifier = new KeyIdentifier(db, clock)
  const hosts = { smtpHostname: config.smtpHostname, linkHost: new URL(config.publicUrl).hostname }
  const domains = new Domains({ db, dns, secrets: () => vault.secrets, hosts, clock })
  const suppressions = new Suppressions(db)
  const templates = new Templates(db)
  const deliveries = new Deliveries(db, vault.blobs, suppressions)
  const sandbox = { sender: config.sandboxSender, simulatorDomain: config.simulatorDomain }
  const preparer = new Preparer({ db, domains, templates, blobs: vault.blobs, sandbox })
  const accepter = new Accepter({
    db,
    projects,
    suppressions,
    destinationOf: (domain) => {
      if (domain === config.simulatorDomain) return SIMULATOR_SITE
      return config.smtpRelayUrl === undefined ? undefined : RELAY_SITE
    },
    onQueued: () => doorbell.ring(deliveries.table),
  })
  const retention = new Retention(db, config.retainBodiesDays)
  const emails = new Emails({ db, preparer, accepter, clock })
  const egress = { allow: config.egressAllow, own: ownAddresses() }
  const webhookDeliveries = new WebhookDeliveries(db)
  const webhooks = new Webhooks({
    db,
    secrets: () => vault.secrets,
    urls: { allowHttp: config.webhookAllowHttp, dns, egress },
    clock,
    testRecipient: `test@${config.simulatorDomain}`,
    onQueued: () => doorbell.ring(webhookDeliveries.table),
  })
  return {
    config,
    vault,
    dns,
    egress,
    doorbell,
    projects,
    keys,
    keyIdentifier,
    domains,
    suppressions,
    templates,
    emails,
    deliveries,
    retention,
    webhookDeliveries,
    webhooks,
  }
}

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address))

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

export type House = ReturnType<typeof compose>
