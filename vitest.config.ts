import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { random, slow } from './tests/slow.ts'

// Every thread that a test starts loads our source anew; a cache takes two thirds of that time away.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url))

const common = {
  globalSetup: ['tests/support/server.ts'],
  pool: 'forks' as const,
  maxWorkers: 3,
  // Nothing of ours lives in a module, so files can share what they have loaded; that is a quarter of the time.
  isolate: false,
  // On a busy machine everything may take ten times as long as it should; `eventually` gives up before, and says what for.
  testTimeout: 150_000,
  hookTimeout: 150_000,
}

// `tests/peers` needs other people's software (`npm run test:peers`), `tests/chaos` the whole machine (`npm run chaos`), and
// `tests/portal` a browser (`npm run test:portal`).
const elsewhere = ['tests/peers/**', 'tests/chaos/**', 'tests/portal/**']

export default defineConfig({
  test: {
    reporters: ['default', './tests/support/closing-line.ts'],
    projects: [
      {
        test: {
          ...common,
          name: 'fast',
          include: ['tests/**/*.test.ts'],
          exclude: [...elsewhere, ...slow],
          provide: { shareOfRuns: 0.2 },
        },
      },
      {
        test: {
          ...common,
          name: 'slow',
          include: [...slow, ...random],
          exclude: elsewhere,
          provide: { shareOfRuns: 1 },
        },
      },
    ],
  },
})
