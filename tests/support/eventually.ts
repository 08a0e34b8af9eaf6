import { setTimeout as sleep } from 'node:timers/promises'

const ASK_AGAIN_MS = 20

/** Asks until the answer is something else than undefined or false, and says what was awaited when time is up. */
export async function eventually<T>(
  what: string,
  ask: () => T | Promise<T>,
  withinMs = 20_000,
): Promise<Exclude<T, undefined | false>> {
  const start = performance.now()
  let lastError: unknown
  for (;;) {
    try {
      const answer = await ask()
      if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>
      lastError = undefined
    } catch (error) {
      lastError = error
    }
    if (performance.now() - start > withinMs) {
      throw new Error(`not within ${withinMs} ms: ${what}`, { cause: lastError })
    }
    await sleep(ASK_AGAIN_MS)
  }
}

export const milliseconds = async (work: () => unknown): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/**
 * What the quickest of a few tries takes; one that is quick enough is the last. On a busy machine anything may be slow
 * once: only what is slow by itself is slow every time.
 */
export async function quickest(enoughMs: number, work: () => unknown): Promise<number> {
  let least = Infinity
  for (let tries = 0; tries < 5 && least >= enoughMs; tries++) least = Math.min(least, await milliseconds(work))
  return least
}
