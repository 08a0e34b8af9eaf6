/**
 * Remembers what we learned about other servers. Two clients may share one object. It ends with the process, which
 * costs one more handshake or one more attempt for each server.
 */
import type { Clock } from '../../core/clock.ts'

const PLAIN_TEXT_MS = 3 * 86_400_000
const DOWN_MS = 120_000
const DOWN_AFTER_TIMEOUT_MS = 900_000
const NO_PIPELINE_MS = 86_400_000
const MAX_REMEMBERED = 10_000

export interface Down {
  reason: string
  forMs: number
}

export class Peers {
  readonly #clock: Clock
  readonly #plainText: ExpiringMap<true>
  readonly #oneAtATime: ExpiringMap<true>
  readonly #down: ExpiringMap<string>
  readonly #sessions: ExpiringMap<Buffer>

  constructor(clock: Clock, most = MAX_REMEMBERED) {
    this.#clock = clock
    this.#plainText = new ExpiringMap(clock, most)
    this.#oneAtATime = new ExpiringMap(clock, most)
    this.#down = new ExpiringMap(clock, most)
    this.#sessions = new ExpiringMap(clock, most)
  }

  /** TLS failed with this host although it offers it. */
  rememberPlainText(host: string): void {
    this.#plainText.set(host, true, PLAIN_TEXT_MS)
  }

  speaksPlainText(host: string): boolean {
    return this.#plainText.get(host) !== undefined
  }

  /** This host forgets commands that come together with the end of a message. */
  rememberOneAtATime(host: string): void {
    this.#oneAtATime.set(host, true, NO_PIPELINE_MS)
  }

  takesOneAtATime(host: string): boolean {
    return this.#oneAtATime.get(host) !== undefined
  }

  /** No server listens at this address. A time-out is expensive to wait for, so it is remembered for longer. */
  rememberDown(address: string, reason: string, timedOut: boolean): void {
    this.#down.set(address, reason, timedOut ? DOWN_AFTER_TIMEOUT_MS : DOWN_MS)
  }

  down(address: string): Down | undefined {
    const found = this.#down.find(address)
    return found && { reason: found.value, forMs: found.until - this.#clock.now() }
  }

  /** A remembered session shortens the next handshake. Sessions with a verified certificate have keys of their own. */
  rememberSession(host: string, session: Buffer): void {
    this.#sessions.set(host, session, PLAIN_TEXT_MS)
  }

  session(host: string): Buffer | undefined {
    return this.#sessions.get(host)
  }

  forgetSession(host: string): void {
    this.#sessions.delete(host)
  }
}

/** A map whose values expire. The oldest ones make room for new ones. */
class ExpiringMap<T> {
  readonly #clock: Clock
  readonly #most: number
  readonly #values = new Map<string, { value: T; until: number }>()

  constructor(clock: Clock, most: number) {
    this.#clock = clock
    this.#most = most
  }

  set(key: string, value: T, forMs: number): void {
    this.#values.delete(key)
    this.#values.set(key, { value, until: this.#clock.now() + forMs })
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#most) return
      this.#values.delete(oldest)
    }
  }

  get(key: string): T | undefined {
    return this.find(key)?.value
  }

  find(key: string): { value: T; until: number } | undefined {
    const found = this.#values.get(key)
    return found && found.until > this.#clock.now() ? found : undefined
  }

  delete(key: string): void {
    this.#values.delete(key)
  }
}
