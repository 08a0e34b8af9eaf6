import { setTimeout as sleep } from 'node:timers/promises'

const ASK_AGAIN_MS = 20
/** On a busy machine everything may take ten times as long as it should, and threads that step back longer still. */
const PATIENCE_MS = 60_000

/** Asks until the answer is something else than undefined or false, and says what was awaited when time is up. */
export async function eventually<T>(
  what: string,
  ask: () => T | Promise<T>,
  withinMs = PATIENCE_MS,
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
export const quickest = (enoughMs: number, work: () => unknown): Promise<number> =>
  leastOf(enoughMs, () => milliseconds(work))

/** Work of this thread, in milliseconds: what other programs do meanwhile adds nothing to it. */
export async function workOf<T>(act: () => T): Promise<{ result: Awaited<T>; workMs: number }> {
  const before = process.threadCpuUsage()
  const result = await act()
  const { user, system } = process.threadCpuUsage(before)
  return { result, workMs: (user + system) / 1_000 }
}

/** The same for work: the compiler and the garbage collector may take a share once. */
export const leastWork = (enoughMs: number, work: () => unknown): Promise<number> =>
  leastOf(enoughMs, async () => (await workOf(work)).workMs)

async function leastOf(enough: number, measure: () => Promise<number>): Promise<number> {
  let least = Infinity
  for (let tries = 0; tries < 5 && least >= enough; tries++) least = Math.min(least, await measure())
  return least
}

const SAMPLE_MS = 30

/**
 * A limit in time, longer by as much as work takes longer here and now than on a machine with nothing else to do. Of
 * other programs this thread sees only that it is kept waiting.
 */
export function stretched(limitMs: number): number {
  const start = performance.now()
  const before = process.threadCpuUsage()
  let workMs = 0
  while (workMs < SAMPLE_MS) {
    const { user, system } = process.threadCpuUsage(before)
    workMs = (user + system) / 1_000
  }
  return limitMs * Math.max(1, (performance.now() - start) / workMs)
}
