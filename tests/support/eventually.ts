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

export const milliseconds = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}
