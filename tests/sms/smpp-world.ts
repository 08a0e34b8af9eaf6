import ipaddr from 'ipaddr.js'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { DnsResolver } from '../../src/net/dns.ts'
import type { CarrierSink, InboundPart, PartSubmit, Receipt, SubmitOutcome } from '../../src/sms/carrier.ts'
import { SmppCarrier, type SmppOptions } from '../../src/sms/smpp/client.ts'
import { eventually } from '../support/eventually.ts'
import { startSmsc, type Smsc } from './smsc.ts'
import type { Certificate } from '../support/certificates.ts'

export interface World {
  smsc: Smsc
  carrier: SmppCarrier
  receipts: Receipt[]
  inbound: InboundPart[]
  late: { part: PartSubmit; outcome: SubmitOutcome }[]
  /** Everything that was logged, as one text. */
  logged(): string
  /** What the sink does before it is done. */
  sink: { before: () => Promise<void> }
  submit(more?: Partial<PartSubmit>, signal?: AbortSignal): Promise<SubmitOutcome>
  isUp(): Promise<unknown>
}

export const SECRET_TEXT = 'Your code is 4711'
export const NUMBER = '+12025551234'
export const PASSWORD = 'pa55word'

export async function world(
  options: Partial<SmppOptions> & { certificate?: Certificate; prepare?: (smsc: Smsc) => void; awaitUp?: boolean } = {},
): Promise<World> {
  const { certificate, prepare, awaitUp = true, ...more } = options
  const smsc = await startSmsc(certificate ? { certificate } : {})
  prepare?.(smsc)
  const [receipts, inbound, late, lines]: [Receipt[], InboundPart[], World['late'], string[]] = [[], [], [], []]
  const log = (fields: object, message: string): void => void lines.push(JSON.stringify({ fields, message }))
  const carrier = new SmppCarrier({
    name: 'test',
    host: '127.0.0.1',
    port: smsc.port,
    systemId: 'us',
    password: PASSWORD,
    dns: new DnsResolver({ servers: [], clock: systemClock }),
    egress: { allow: [ipaddr.parseCIDR('127.0.0.0/8')], own: [] },
    maxPartsPerSecond: 100,
    clock: systemClock,
    random: () => 0.5,
    log: { debug: log, info: log, warn: log, error: log },
    ...more,
    timeouts: { response: 5_000, firstRetry: 20, lastRetry: 50, ...more.timeouts },
  })
  const behaviour = { before: async () => {} }
  const sink: CarrierSink = {
    receipt: async (receipt) => {
      await behaviour.before()
      receipts.push(receipt)
    },
    inbound: async (part) => {
      await behaviour.before()
      inbound.push(part)
    },
    answeredLate: async (part, outcome) => void late.push({ part, outcome }),
  }
  await carrier.start(sink)
  onTestFinished(() => carrier.stop(200))
  const isUp = () => eventually('the carrier is up', () => carrier.health().state === 'up')
  if (awaitUp) await isUp()
  return {
    smsc,
    carrier,
    receipts,
    inbound,
    late,
    logged: () => lines.join('\n'),
    sink: behaviour,
    submit: (part, signal = new AbortController().signal) => carrier.submit({ ...aPart(), ...part }, signal),
    isUp,
  }
}

export const aPart = (): PartSubmit => ({
  messageId: 'sms_1',
  partId: 'part-1',
  attempt: 1,
  from: { kind: 'international', value: '+12025550199' },
  to: NUMBER,
  encoding: 'gsm7',
  text: SECRET_TEXT,
  validUntil: new Date(Date.now() + 600_000),
})
