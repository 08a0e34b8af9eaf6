import { networkInterfaces } from 'node:os'
import type { Config } from '../config/schema.ts'
import { steadyClock, type Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Publish } from '../events/publish.ts'
import { DnsResolver } from '../net/dns.ts'
import { Domains } from '../resources/domains/index.ts'
import { Deliveries, type DeliveryHooks } from '../resources/emails/index.ts'
import { Pauses } from '../resources/queue/index.ts'
import { Suppressions } from '../resources/suppressions/index.ts'
import { Templates, type TemplateHooks } from '../resources/templates/index.ts'
import type { Database } from '../storage/postgres.ts'
import { Renderers } from './threads/renderers.ts'
import type { Vault } from './vault.ts'

export interface DeliveryServicesOptions {
  db: Database
  vault: Vault
  config: Config
  clock: Clock
  log: Log
  publish: Publish
  templateHooks: TemplateHooks
  deliveryHooks: DeliveryHooks
}

/** The services that a mail needs to be composed, signed and sent, and nothing else. */
export function deliveryServices(options: DeliveryServicesOptions) {
  const { db, vault, config, clock, log, publish, templateHooks, deliveryHooks } = options
  const dns = new DnsResolver({ servers: config.dnsServers, clock })
  const egress = { allow: config.egressAllow, own: ownAddresses() }
  const domains = new Domains({
    db,
    dns,
    secrets: () => vault.secrets,
    hosts: { smtpHostname: config.smtpHostname, linkHost: new URL(config.publicUrl).hostname },
    clock,
    mostDomains: config.domainsPerWorkspace,
    keysAhead: config.dkimKeysAhead,
  })
  const suppressions = new Suppressions(db, () => vault.auditKey)
  const renderers = new Renderers({ log, clock: steadyClock })
  const templates = new Templates(db, renderers, templateHooks)
  const deliveries = new Deliveries({
    db,
    blobs: vault.blobs,
    suppressions,
    templates,
    publish,
    hooks: deliveryHooks,
  })
  const pauses = new Pauses(db, steadyClock)
  return { vault, dns, egress, domains, suppressions, renderers, templates, deliveries, pauses }
}

export type DeliveryServices = ReturnType<typeof deliveryServices>

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address))
