/** So much of every message is free. With 500 sessions that is 125 MiB at the very worst. */
export const FREE = 262_144

/** What the large messages of all sessions may take together. Whoever finds it taken is told to come again. */
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

/** Of one message. */
export interface Share {
  /** False when there is no room for so many octets in all. */
  grow(total: number): boolean
  release(): void
}
