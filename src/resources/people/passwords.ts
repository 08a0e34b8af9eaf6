import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { DomainError } from '../../core/errors.ts'
import { Semaphore } from '../../core/semaphore.ts'

/** Memory in KiB, and how often it is gone through. One hash takes about a quarter of a second. */
const COST = { memory: 32 * 1024, passes: 3, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Each hash takes a thread and 32 MiB: whoever sends passwords must not be able to take all of both. */
const MAX_AT_A_TIME = 2
const MAX_WAITING = 50

export interface Verdict {
  isRight: boolean
  /** The password was hashed with less than we ask for today. */
  isOutdated: boolean
}

interface Stored {
  memory: number
  passes: number
  parallelism: number
  salt: Buffer
  hash: Buffer
}

/** Stored as `$argon2id$v=19$m=32768,t=3,p=1$salt$hash`, the form that other programs use too. */
export class Passwords {
  readonly #turns = new Semaphore(MAX_AT_A_TIME)
  #waiting = 0

  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    const hash = await this.#inTurn(password, { ...COST, salt, hash: Buffer.alloc(HASH_BYTES) })
    const { memory, passes, parallelism } = COST
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`
  }

  /** Where nothing is stored the answer is no, and takes the same time. */
  async verify(stored: string | null, password: string): Promise<Verdict> {
    const expected = stored === null ? undefined : read(stored)
    const { hash, ...cost } = expected ?? { ...COST, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) }
    const given = await this.#inTurn(password, { ...cost, hash })
    const isRight = timingSafeEqual(given, hash) && expected !== undefined
    const isOutdated = cost.memory < COST.memory || cost.passes < COST.passes
    return { isRight, isOutdated }
  }

  async #inTurn(password: string, { memory, passes, parallelism, salt, hash }: Stored): Promise<Buffer> {
    if (this.#waiting >= MAX_AT_A_TIME + MAX_WAITING) {
      throw new DomainError('unavailable', 'Too many people sign in at this moment: try again in a few seconds.')
    }
    this.#waiting++
    try {
      return await this.#turns.with(1, () =>
        // The same text may be typed as different code points.
        compute('argon2id', {
          message: Buffer.from(password.normalize('NFKC')),
          nonce: salt,
          memory,
          passes,
          parallelism,
          tagLength: hash.length,
        }),
      )
    } finally {
      this.#waiting--
    }
  }
}

const compute = promisify(argon2)

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

function read(stored: string): Stored {
  const [, m, t, p, salt = '', hash = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored) ?? []
  if (m === undefined) throw new Error('a stored password is not in a form that this version reads')
  return {
    memory: Number(m),
    passes: Number(t),
    parallelism: Number(p),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}
