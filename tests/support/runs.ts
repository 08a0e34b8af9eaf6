import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    shareOfRuns: number
  }
}

/**
 * How many cases a test with random input tries: all of them in `npm run test:slow`, a share in `npm test`. A file that
 * asks this is run by both (see `tests/slow.ts`).
 */
export const runs = (all: number): number => Math.ceil(all * inject('shareOfRuns'))

/** The same for cases that are listed: all of them, or a share, taken evenly. */
export const some = <T>(all: readonly T[]): T[] => {
  const step = all.length / runs(all.length)
  return Array.from({ length: runs(all.length) }, (_, i) => all[Math.floor(i * step)]!)
}
