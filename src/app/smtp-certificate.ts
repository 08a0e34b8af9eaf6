import { X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Config } from '../config/schema.ts'
import type { Clock } from '../core/clock.ts'
import { SetupError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { selfSignedCertificate } from '../smtp/server/certificate.ts'

/** Certificates are renewed while we run. */
const LOOK_EVERY_MS = 60_000

/**
 * What the receiving server shows at STARTTLS: the operator's certificate, or a self-signed one that is kept, so that a
 * sender which remembers certificates does not see another one after every start.
 */
export class SmtpCertificate {
  readonly #files: { cert: string; key: string }
  readonly #clock: Clock
  readonly #log: Log
  #context: SecureContext
  #changed: string
  #lookedAt: number

  constructor(config: Config, clock: Clock, log: Log) {
    this.#files = givenFiles(config) ?? ownFiles(config, clock)
    this.#clock = clock
    this.#log = log
    this.#lookedAt = clock.now()
    this.#changed = this.#lastChange()
    this.#context = this.#load()
  }

  context(): SecureContext {
    if (this.#clock.now() - this.#lookedAt > LOOK_EVERY_MS) this.#lookAgain()
    return this.#context
  }

  /** One that cannot be read, or is half written, changes nothing. */
  #lookAgain(): void {
    this.#lookedAt = this.#clock.now()
    try {
      const changed = this.#lastChange()
      if (changed === this.#changed) return
      this.#context = this.#load()
      this.#changed = changed
    } catch (error) {
      this.#log.warn({ err: error }, 'SMTP certificate invalid, keeping the old one')
    }
  }

  #lastChange(): string {
    return [this.#files.cert, this.#files.key].map(changeOf).join()
  }

  #load(): SecureContext {
    const { cert, key } = this.#files
    try {
      return createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) })
    } catch (error) {
      throw new SetupError(`The certificate in ${cert} and the key in ${key} cannot be used: ${reasonOf(error)}`)
    }
  }
}

/** When the certificate in use ends; undefined where nothing is received. Throws when the file cannot be read. */
export async function certificateEndsAt(config: Config): Promise<Date | undefined> {
  if (!config.roles.includes('inbound')) return undefined
  const file = config.smtpTlsCert ?? ownFile(config)
  return new Date(new X509Certificate(await readFile(file)).validTo)
}

const ownFile = ({ dataDir, smtpHostname }: Config): string => join(dataDir, `smtp-${smtpHostname}.pem`)

const givenFiles = ({ smtpTlsCert: cert, smtpTlsKey: key }: Config): { cert: string; key: string } | undefined =>
  cert === undefined || key === undefined ? undefined : { cert, key }

function ownFiles(config: Config, clock: Clock): { cert: string; key: string } {
  const { dataDir, smtpHostname } = config
  const file = ownFile(config)
  try {
    statSync(file)
  } catch {
    const { key, cert } = selfSignedCertificate(smtpHostname, clock.now())
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    // Whole or not at all: two processes may start at once.
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, `${key}${cert}`, { mode: 0o600 })
    renameSync(draft, file)
  }
  return { cert: file, key: file }
}

function changeOf(file: string): number {
  try {
    return statSync(file).mtimeMs
  } catch (error) {
    throw new SetupError(`The file ${file} cannot be read: ${reasonOf(error)}`)
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
