import { parseNetworks } from '../../src/config/types.ts'
import { systemClock } from '../../src/core/clock.ts'
import { silent } from '../../src/core/log.ts'
import { DnsResolver } from '../../src/net/dns.ts'
import { HostLooks, NodeReports, type RoleNow } from '../../src/resources/installation/index.ts'
import type { DnsServer } from './dns-server.ts'
import type { World } from './world.ts'

export const HOSTNAME = 'mx.posthouse.test'
/** A busy machine is no network that blocks us. */
const PATIENTLY_MS = 60_000

export interface Circumstances {
  port?: number
  isRelayed?: boolean
  ownAddresses?: readonly string[]
  egress?: 'closed'
  nodeId?: string
  timeoutMs?: number
}

/** The look of a worker, with a DNS server of ours and a mail host that is on loopback. */
export const looksOf = (here: Pick<World, 'db'>, dns: DnsServer, more: Circumstances = {}): HostLooks =>
  new HostLooks({
    db: here.db,
    dns: new DnsResolver({ servers: [dns.address], clock: systemClock, timeoutMs: PATIENTLY_MS }),
    egress: { allow: more.egress === 'closed' ? [] : parseNetworks('127.0.0.0/8'), own: [] },
    nodeId: more.nodeId ?? 'one',
    hostname: HOSTNAME,
    ownAddresses: more.ownAddresses ?? [],
    isRelayed: more.isRelayed ?? false,
    port: more.port ?? 1,
    probed: 'large.test',
    random: () => 0,
    log: silent,
    timeoutMs: more.timeoutMs ?? PATIENTLY_MS,
  })

interface NodeCircumstances {
  id?: string
  name?: string
  clock?: { now(): number }
  room?: { freeBytes: number; totalBytes: number }
  endsAt?: Date
}

export const reportsOf = (here: Pick<World, 'db'>, roles: () => readonly RoleNow[], more: NodeCircumstances = {}) =>
  new NodeReports({
    db: here.db,
    node: { id: more.id ?? 'one', name: more.name ?? 'post-1', version: '9.8.7' },
    roles,
    disk: async () => more.room,
    certificateEndsAt: async () => more.endsAt,
    clock: more.clock ?? systemClock,
    log: silent,
  })
