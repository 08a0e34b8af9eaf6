import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../core/clock.ts'
import { Tallies } from '../core/tallies.ts'
import { usualLimits, type Limits } from '../smtp/server/limits.ts'
import { Listener } from '../smtp/server/listener.ts'
import { Intake } from '../resources/receiving/intake/index.ts'
import { Database } from '../storage/postgres.ts'
import { connections } from './connections.ts'
import { countReceived } from './counted.ts'
import { DiskRoom, freeBytesAt, WATCHED_DIRECTORY } from './disk-room.ts'
import { SmtpCertificate } from './smtp-certificate.ts'
import { Vault } from './vault.ts'

export interface Inbound {
  /** Takes over a connection that somebody else accepted. */
  accept(socket: Socket): void
  /** The server ends its sessions itself: in the middle of a message is no good moment. */
  endsConnections: true
  /** Where it listens, if it does so itself. */
  port: number
  tallies: Tallies
  stop(): Promise<void>
}

export interface InboundCircumstances {
  listen?: { host: string; port: number }
  limits?: Partial<Limits>
  /** What is free where mail is stored. */
  freeBytes?: () => Promise<number>
}

/** The receiving mail server. What it takes is read by the workers. */
export async function startInbound(
  config: Config,
  databaseUrl: string,
  log: Logger,
  { listen, limits = {}, freeBytes = watchedFreeBytes() }: InboundCircumstances = {},
): Promise<Inbound> {
  const certificate = new SmtpCertificate(config, systemClock, log)
  const db = new Database({ url: databaseUrl, name: 'inbound', connections: connections.inbound })
  const vault = new Vault(config, db)
  const intake = new Intake({
    db,
    blobs: vault.blobs,
    hostname: config.smtpHostname,
    tokenKeys: () => vault.mailTokenKeys,
    bytesPerDay: config.receivedBytesPerDay || Infinity,
    clock: systemClock,
    log,
  })
  const room = new DiskRoom({ leastBytes: config.receivingFreeBytes, freeBytes, log })
  const tallies = new Tallies()
  const listener = new Listener({
    hostname: config.smtpHostname,
    policy: intake,
    deliver: async (envelope, content) => {
      const answer = await intake.accept(envelope, content)
      if (answer.code === 250) countReceived(tallies)
      return answer
    },
    hasStorage: () => room.isThere,
    secureContext: () => certificate.context(),
    limits: { ...usualLimits, ...limits },
    clock: systemClock,
    log,
    proxies: config.smtpProxies,
    ...(listen ? { listen } : {}),
  })
  await room.start()
  await listener.start()
  return {
    accept: (socket) => listener.take(socket),
    endsConnections: true,
    port: listener.port,
    tallies,
    stop: async () => {
      await listener.stop()
      room.stop()
      await db.close()
    },
  }
}

function watchedFreeBytes(): () => Promise<number> {
  const directory = process.env[WATCHED_DIRECTORY]
  return directory ? freeBytesAt(directory) : () => Promise.resolve(Infinity)
}
