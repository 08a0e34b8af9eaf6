const BEAT_MS = 200
/** Shorter than any wait for the DNS, and longer than a busy machine makes a thread wait for its turn. */
const STOP_MS = 1_000

/**
 * Whether a thread came to its other work in time. While one message is being worked on, timers of the others run out
 * although their answers are there, so what they then say is about us and not about the world.
 */
export class Pulse {
  #last = performance.now()
  #stoppedAt = -Infinity

  constructor() {
    setInterval(() => this.#beat(), BEAT_MS).unref()
  }

  stoppedSince(start: number): boolean {
    this.#beat()
    return this.#stoppedAt >= start
  }

  #beat(): void {
    const now = performance.now()
    if (now - this.#last > BEAT_MS + STOP_MS) this.#stoppedAt = now
    this.#last = now
  }
}
