/** This much of each message is not counted. With 500 sessions that is 125 MiB at most. */
export const FREE = 262_144

/**
 * Limits the octets that the large messages of all sessions take together. A message that does not fit is refused for
 * now.
 */
export class Memory {
  readonly #most: number
  #taken = 0

  constructor(most: number) {
    this.#most = most
  }

  get taken(): number {
    return this.#taken
  }

  share(): Share {
    let size = 0
    const resize = (wanted: number): boolean => {
      if (wanted > size && this.#taken + wanted - size > this.#most) return false
      this.#taken += wanted - size
      size = wanted
      return true
    }
    return { grow: (total) => resize(Math.max(0, total - FREE)), release: () => void resize(0) }
  }
}

/** The share of one message. */
export interface Share {
  /** Returns false when there is no room for this many octets in all. */
  grow(total: number): boolean
  release(): void
}
