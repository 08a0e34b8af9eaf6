/**
 * Secrets that we must be able to read again, such as webhook secrets and DKIM keys, encrypted before they reach the
 * database, so that a dump or a backup of it gives none of them away. A sealed secret is bytea:
 *
 *   1 byte    version of this layout
 *   8 bytes   which master key sealed it
 *   12 bytes  nonce
 *   16 bytes  tag
 *   the rest  ciphertext, AES-256-GCM
 *
 * Each purpose has a key of its own, and the row's id is authenticated along: a sealed secret that somebody copies
 * into another row or column does not open there. Nonces are random, which is safe for four thousand million secrets
 * of one purpose (NIST SP 800-38D §8.3).
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { SetupError } from '../core/errors.ts'

/** The place of a secret is its kind and the id of its row. It is authenticated with the secret. */
export interface SecretPlace {
  purpose: string
  id: string
}

/** The reason why a secret does not open. An operator can mend only the case of another master key. */
export type SecretFault = 'malformed' | 'another-master-key' | 'altered'

export class SecretError extends Error {
  readonly fault: SecretFault

  constructor(fault: SecretFault, message: string) {
    super(message)
    this.name = 'SecretError'
    this.fault = fault
  }
}

interface MasterKey {
  id: Buffer
  bytes: Buffer
}

const VERSION = 1
const KEY_BYTES = 32
const KEY_ID_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = 1 + KEY_ID_BYTES
const OVERHEAD_BYTES = HEADER_BYTES + NONCE_BYTES + TAG_BYTES
const CIPHER = 'aes-256-gcm'

export class Secrets {
  // Private fields appear neither in a logged object nor in JSON.
  readonly #current: MasterKey
  readonly #all: readonly MasterKey[]

  /** The first key seals, any of them opens. */
  constructor(masterKeys: readonly Buffer[]) {
    this.#all = masterKeys.map((bytes) => ({ id: keyId(bytes), bytes }))
    const [current] = this.#all
    if (!current) throw new SetupError('There is no master key.')
    this.#current = current
  }

  seal(place: SecretPlace, plaintext: Buffer | string): Buffer {
    const header = Buffer.concat([Buffer.of(VERSION), this.#current.id])
    const nonce = randomBytes(NONCE_BYTES)
    const key = subkey(this.#current, 'seal', place.purpose)
    const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    cipher.setAAD(authenticated(header, place))
    const ciphertext = Buffer.concat([cipher.update(Buffer.from(plaintext)), cipher.final()])
    return Buffer.concat([header, nonce, cipher.getAuthTag(), ciphertext])
  }

  open(place: SecretPlace, sealed: Buffer): Buffer {
    const key = subkey(this.#sealerOf(place, sealed), 'seal', place.purpose)
    const nonce = sealed.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES)
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(authenticated(sealed.subarray(0, HEADER_BYTES), place))
    decipher.setAuthTag(sealed.subarray(HEADER_BYTES + NONCE_BYTES, OVERHEAD_BYTES))
    try {
      return Buffer.concat([decipher.update(sealed.subarray(OVERHEAD_BYTES)), decipher.final()])
    } catch {
      throw new SecretError('altered', `${nameOf(place)} does not open: it was altered, or belongs to another row.`)
    }
  }

  /** A key for signing what leaves us, such as links in mail. It has nothing in common with those that seal. */
  derive(purpose: string): Buffer {
    return subkey(this.#current, 'derive', purpose)
  }

  /** The keys to check a signature with: what was signed before a rotation stays good while its master key is listed. */
  deriveAll(purpose: string): [current: Buffer, ...earlier: Buffer[]] {
    const earlier = this.#all.filter((masterKey) => masterKey !== this.#current)
    return [this.derive(purpose), ...earlier.map((masterKey) => subkey(masterKey, 'derive', purpose))]
  }

  #sealerOf(place: SecretPlace, sealed: Buffer): MasterKey {
    if (sealed.length < OVERHEAD_BYTES || sealed[0] !== VERSION) {
      throw new SecretError('malformed', `${nameOf(place)} is not in a form that this version of Posthouse reads.`)
    }
    const id = sealed.subarray(1, HEADER_BYTES)
    const sealer = this.#all.find((masterKey) => masterKey.id.equals(id))
    if (sealer) return sealer
    throw new SecretError(
      'another-master-key',
      `${nameOf(place)} was sealed with another master key: with ${id.toString('hex')}, while we have ` +
        `${this.#all.map((masterKey) => masterKey.id.toString('hex')).join(', ')}. Append that key to MASTER_KEY, after a comma.`,
    )
  }
}

const nameOf = ({ purpose, id }: SecretPlace): string => `The ${purpose} of ${id}`

/** As JSON, so that no two places give the same bytes. */
const authenticated = (header: Buffer, { purpose, id }: SecretPlace): Buffer =>
  Buffer.concat([header, Buffer.from(JSON.stringify([purpose, id]))])

const subkey = ({ bytes }: MasterKey, use: 'seal' | 'derive', purpose: string): Buffer =>
  expand(bytes, `posthouse ${use} ${purpose}`, KEY_BYTES)

function keyId(masterKey: Buffer): Buffer {
  if (masterKey.length !== KEY_BYTES) throw new SetupError(`A master key has ${KEY_BYTES} bytes.`)
  return expand(masterKey, 'posthouse key id', KEY_ID_BYTES)
}

/** HKDF (RFC 5869) runs without salt, because a master key is random already. */
const expand = (masterKey: Buffer, label: string, size: number): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), label, size))

export interface MasterKeySource {
  dataDir: string
  /** The setting MASTER_KEY has one key, or several separated by commas to rotate them. */
  given: string | undefined
}

/** Returns the keys for `Secrets`: those given, else those in `master.key`, a file that the first start makes. */
export function loadMasterKeys({ dataDir, given }: MasterKeySource): Buffer[] {
  if (given !== undefined) return parse(given, 'MASTER_KEY')
  const file = join(dataDir, 'master.key')
  if (!existsSync(file)) generate(file)
  return parse(readPrivate(file), file)
}

function parse(text: string, source: string): Buffer[] {
  return text
    .trim()
    .split(/\s*[,\n]\s*/)
    .map((key, i) => {
      const isHex = /^[0-9a-f]{64}$/i.test(key)
      if (isHex || /^[\w+/-]{43}=?$/.test(key)) return Buffer.from(key, isHex ? 'hex' : 'base64')
      throw new SetupError(
        `Key ${i + 1} in ${source} is not ${KEY_BYTES} bytes in base64 or hex. ` +
          'Put back the one that was there; only for a new installation, make one with: openssl rand -base64 32',
      )
    })
}

/**
 * Processes that start together must end with one key. Each writes a file of its own, and the link to the final name
 * succeeds for one of them only; the others read what that one wrote, which is complete and on disk by then.
 */
function generate(file: string): void {
  const half = `${file}.${randomUUID()}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(half, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { flag: 'wx', mode: 0o600, flush: true })
    moveUnlessThere(half, file)
    syncDirectory(dirname(file))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SetupError(`No master key can be made at ${file} (${reason}). Mend that or give one in MASTER_KEY.`)
  }
}

function moveUnlessThere(half: string, file: string): void {
  try {
    linkSync(half, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(half)
  }
}

/** Without this the name could be lost in a power cut, and with it every secret sealed since. */
function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function readPrivate(file: string): string {
  const handle = openSync(file, 'r')
  try {
    const mode = fstatSync(handle).mode & 0o777
    if ((mode & 0o077) === 0) return readFileSync(handle, 'utf8')
    throw new SetupError(
      `${file} can be read by others than its owner (mode ${mode.toString(8).padStart(4, '0')}). Run: chmod 600 ${file}`,
    )
  } finally {
    closeSync(handle)
  }
}
