import { readFileSync } from 'node:fs'
import type { Config } from '../config/schema.ts'
import type { Clock } from '../core/clock.ts'
import { SetupError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Dns } from '../net/dns.ts'
import type { Egress } from '../net/egress.ts'
import type { Poster } from '../net/post.ts'
import type { ConnectionTraits } from '../resources/sms/index.ts'
import { HttpCarrier } from '../sms/http-carrier.ts'
import { SmppCarrier } from '../sms/smpp/client.ts'
import type { SmsSettings } from './sms-settings.ts'

export type SmsConnections = Readonly<Record<string, SmsSettings[string]>>

/** What the operator wrote down about carriers, checked as a whole; nothing where there is no such file. */
export async function loadSmsConnections({ smsConnectionsFile: file }: Config): Promise<SmsConnections> {
  if (file === undefined) return {}
  let written: unknown
  try {
    written = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // Not the error itself, which quotes the file: there are passwords in it.
    throw new SetupError('SMS_CONNECTIONS_FILE names a file that cannot be read as JSON.')
  }
  const { checkSmsSettings } = await import('./sms-settings.ts')
  const { value, problems } = checkSmsSettings(written)
  if (problems.length === 0) return value as SmsSettings
  const lines = problems.map(({ path, message }) => `  - ${path} ${message}.`)
  throw new SetupError(['The file of SMS connections is not valid:', ...lines].join('\n'))
}

/** A sentence for the operator where numbers, texts and the password could be read on the way; undefined where not. */
export function plainTextWarning(name: string, settings: SmsConnections[string]): string | undefined {
  const isPlain = settings.kind === 'http' ? /^http:/i.test(settings.baseUrl) : settings.tls !== true
  if (!isPlain) return undefined
  const instead = settings.kind === 'http' ? 'let its baseUrl start with https://' : 'set "tls": true'
  return `The carrier connection ${name} is not encrypted: passwords, numbers and texts can be read on the way. If the carrier offers it, ${instead}.`
}

/** What must be known of them without talking to anybody. */
export const traitsOf = (connections: SmsConnections): Record<string, ConnectionTraits> =>
  Object.fromEntries(
    Object.entries(connections).map(([name, settings]) => [
      name,
      settings.kind === 'http'
        ? {
            concatRef: 8,
            splitsItself: true,
            repliesToStop: settings.repliesToStop ?? true,
            receiptsFor: 'message',
          }
        : {
            concatRef: settings.concatRef ?? 8,
            splitsItself: settings.concatenation === 'payload',
            repliesToStop: settings.repliesToStop ?? false,
            receiptsFor: settings.receiptsFor ?? 'part',
          },
    ]),
  )

export interface CarrierSurroundings {
  config: Config
  dns: Dns
  egress: Egress
  poster: Poster
  clock: Clock
  log: Log
  /** Beside those that everybody trusts. */
  authorities?: readonly string[] | undefined
}

/** One end of a connection. It does nothing before it is started. */
export function carrierOf(name: string, settings: SmsConnections[string], around: CarrierSurroundings) {
  const { config, dns, egress, poster, clock, log, authorities } = around
  const { maxPartsPerSecond, window, repliesToStop } = settings
  const common = { name, maxPartsPerSecond, window, repliesToStop, clock, log }
  if (settings.kind === 'http') {
    const { baseUrl, accountSid, authToken, messagingServiceSid, callbacks = false } = settings
    const callbackUrl = callbacks ? `${config.publicUrl}/carrier/http/${name}` : undefined
    return new HttpCarrier({ ...common, baseUrl, accountSid, authToken, messagingServiceSid, callbackUrl, poster })
  }
  const { host, port, systemId, password, systemType, idForm, concatenation, concatRef, defaultAlphabet } = settings
  return new SmppCarrier({
    ...common,
    host,
    port,
    tls: settings.tls === false ? undefined : { authorities },
    systemId,
    password,
    systemType,
    idForm,
    form: {
      ...(concatenation ? { concatenation } : {}),
      ...(concatRef ? { concatRef } : {}),
      ...(defaultAlphabet ? { defaultAlphabet } : {}),
    },
    dns,
    egress,
    random: Math.random,
  })
}
