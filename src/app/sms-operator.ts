/** What the operator's commands about SMS need beyond the services: amounts, files, and a look at a carrier. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type, type Static } from 'typebox'
import { parseTimestamp, systemClock } from '../core/clock.ts'
import { SetupError } from '../core/errors.ts'
import { silent } from '../core/log.ts'
import { saying, TimestampInput } from '../shapes/shapes.ts'
import { bodyCheck } from '../shapes/validation.ts'
import { Poster } from '../net/post.ts'
import { sendCategories, senderTypes } from '../resources/sms/index.ts'
import type { Services } from './compose.ts'
import { carrierOf } from './sms-connections.ts'

export { formatAmount, parseAmount } from '../resources/sms/index.ts'

const micros = Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })
const RateFile = Type.Array(
  Type.Object(
    {
      country: Type.String({ pattern: '^[A-Z]{2}$', ...saying('must be two capital letters, like US') }),
      senderType: Type.Enum(senderTypes),
      category: Type.Optional(Type.Enum(sendCategories)),
      baseMicros: micros,
      carrierFeeMicros: micros,
      currency: Type.Optional(Type.Literal('USD')),
      refundUndelivered: Type.Optional(Type.Boolean()),
      effectiveFrom: TimestampInput,
    },
    { additionalProperties: false },
  ),
  { minItems: 1, maxItems: 100_000 },
)

/** The rows of a file of prices, all of them right or none taken. */
export function readRates(path: string) {
  let written: unknown
  try {
    written = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new SetupError(`${path} cannot be read as JSON.`)
  }
  const { value, problems } = bodyCheck(RateFile)(written)
  if (problems.length > 0) {
    const lines = problems.map(({ path: at, message }) => `  - ${at} ${message}.`)
    throw new SetupError([`${path} is not a list of rates:`, ...lines].join('\n'))
  }
  return (value as Static<typeof RateFile>).map((row, i) => ({
    country: row.country,
    senderType: row.senderType,
    category: row.category ?? null,
    base: BigInt(row.baseMicros),
    carrierFee: BigInt(row.carrierFeeMicros),
    currency: row.currency ?? 'USD',
    refundUndelivered: row.refundUndelivered ?? false,
    effectiveFrom: parseTimestamp(row.effectiveFrom, `/${i}/effectiveFrom`),
  }))
}

const LOOK_EVERY_MS = 100

/** Connects as a worker would, and sends nothing. */
export async function testConnection(services: Services, name: string, withinMs: number) {
  const settings = services.smsConnections[name]
  if (settings === undefined) throw new SetupError(`There is no carrier connection "${name}" in SMS_CONNECTIONS_FILE.`)
  const { config, dns, egress } = services
  const poster = new Poster({ dns, egress, timeoutMs: withinMs })
  const carrier = carrierOf(name, settings, { config, dns, egress, poster, clock: systemClock, log: silent })
  // What comes in while we look is not ours to take: the carrier keeps it and tells a worker.
  const refuse = (): Promise<void> => Promise.reject(new Error('only looking'))
  await carrier.start({ receipt: refuse, inbound: refuse })
  const end = performance.now() + withinMs
  while (!['up', 'misconfigured'].includes(carrier.health().state) && performance.now() < end)
    await sleep(LOOK_EVERY_MS)
  const health = carrier.health()
  await carrier.stop(0)
  await poster.stop()
  return health
}
