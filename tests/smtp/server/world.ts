import { createSecureContext } from 'node:tls'
import { onTestFinished } from 'vitest'
import { selfSignedCertificate } from '../../../src/smtp/server/certificate.ts'
import type { Envelope } from '../../../src/smtp/server/envelope.ts'
import { usualLimits, type Limits } from '../../../src/smtp/server/limits.ts'
import { Listener, type ListenerOptions } from '../../../src/smtp/server/listener.ts'
import { Caller } from './caller.ts'

export interface Delivered extends Envelope {
  raw: string
}

export interface InboundWorld {
  listener: Listener
  delivered: Delivered[]
  /** What was logged as an error. */
  errors: unknown[]
  call(): Promise<Caller>
  /** Moves the clock and lets the listener see what is late. */
  pass(ms: number): void
}

export type WorldOptions = Partial<Omit<ListenerOptions, 'limits'>> & { limits?: Partial<Limits> }

const { key, cert } = selfSignedCertificate('mx.known.test', Date.now())
const context = createSecureContext({ key, cert })

/** A server on loopback that takes mail for `known.test`, but for `nobody@` (550) and `later@` (450). */
export async function inboundWorld(options: WorldOptions = {}): Promise<InboundWorld> {
  const delivered: Delivered[] = []
  const errors: unknown[] = []
  const callers: Caller[] = []
  let ahead = 0
  const listener = new Listener({
    hostname: 'mx.known.test',
    listen: { host: '127.0.0.1', port: 0 },
    policy: {
      recipient: ({ local, domain }) => {
        if (domain !== 'known.test' && domain !== 'mx.known.test') {
          return { code: 550, enhanced: '5.7.1', text: 'Not our domain' }
        }
        if (local === 'nobody') return { code: 550, enhanced: '5.1.1', text: 'No such mailbox' }
        return local === 'later' ? { code: 450, enhanced: '4.2.1', text: 'Not now' } : 'accept'
      },
    },
    deliver: async (envelope, content) => {
      delivered.push({ ...envelope, raw: content.toString('latin1') })
      return { code: 250, enhanced: '2.0.0', text: `Taken as ${delivered.length}` }
    },
    hasStorage: () => true,
    secureContext: () => context,
    clock: { now: () => Date.now() + ahead },
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: (fields) => void errors.push(fields) },
    ...options,
    limits: { ...usualLimits, ...options.limits },
  })
  await listener.start()
  onTestFinished(async () => {
    for (const caller of callers) caller.kill()
    await listener.stop()
  })
  return {
    listener,
    delivered,
    errors,
    call: async () => {
      const caller = await Caller.connect(listener.port)
      callers.push(caller)
      return caller
    },
    pass: (ms) => {
      ahead += ms
      listener.watch()
    },
  }
}
