import type { Log } from '../core/log.ts'
import { mayConnect } from '../net/egress.ts'
import { HostLooks } from '../resources/installation/index.ts'
import type { Database } from '../storage/postgres.ts'
import type { Services } from './compose.ts'
import { nodeIdentity } from './node-identity.ts'

/** Its mail hosts are many, always there, and take connections from everywhere. */
const PROBED_DOMAIN = 'gmail.com'

/** How this node appears to others, looked at by the process that sends. */
export const hostLooks = (db: Database, { config, dns, egress }: Services, log: Log): HostLooks =>
  new HostLooks({
    db,
    dns,
    egress,
    nodeId: nodeIdentity(config).id,
    hostname: config.smtpHostname,
    ownAddresses: egress.own.filter((address) => mayConnect(address, { allow: [], own: [] })),
    isRelayed: config.smtpRelayUrl !== undefined,
    port: config.smtpMxPort,
    probed: PROBED_DOMAIN,
    random: Math.random,
    log,
  })
