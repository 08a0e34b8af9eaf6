import type { Clock } from '../../core/clock.ts'
import type { DomainId } from '../../core/ids.ts'
import type { SigningKey } from '../../mail/compose/dkim.ts'

/** A key that was replaced signs on for so long; its record is needed much longer for other reasons. */
const REMEMBERED_MS = 30_000
const MAX_REMEMBERED = 10_000

interface Remembered {
  keys: Promise<readonly SigningKey[]>
  since: number
}

/** Remembers keys for a while: every message of a domain needs them, and opening them costs as much as signing. */
export class SigningKeys {
  readonly #load: (domain: DomainId) => Promise<readonly SigningKey[]>
  readonly #clock: Clock
  readonly #remembered = new Map<DomainId, Remembered>()

  constructor(load: (domain: DomainId) => Promise<readonly SigningKey[]>, clock: Clock) {
    this.#load = load
    this.#clock = clock
  }

  of(domain: DomainId): Promise<readonly SigningKey[]> {
    const now = this.#clock.now()
    const known = this.#remembered.get(domain)
    // Either way round: a clock that was set back must not make the memory long.
    if (known !== undefined && Math.abs(now - known.since) < REMEMBERED_MS) return known.keys
    const asked = { keys: this.#load(domain), since: now }
    this.#remember(domain, asked)
    return asked.keys
  }

  #remember(domain: DomainId, asked: Remembered): void {
    this.#remembered.delete(domain)
    this.#remembered.set(domain, asked)
    const [oldest] = this.#remembered.keys()
    if (this.#remembered.size > MAX_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest)
    const forget = (): void => {
      if (this.#remembered.get(domain) === asked) this.#remembered.delete(domain)
    }
    // Neither a failure nor the lack of a key is worth remembering: the next message may fare better.
    asked.keys.then((keys) => keys.length === 0 && forget(), forget)
  }
}
