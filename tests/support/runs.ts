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
