/** A cache that keeps what was used last, up to so many bytes. */
export class LruCache<T> {
  readonly #most: number
  readonly #entries = new Map<string, { value: T; bytes: number }>()
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    // Maps keep the order in which keys were set: the first key is the one that was used longest ago.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: T, bytes: number): void {
    this.#drop(key)
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#most) return
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }
}
