import { defineConfig } from 'vitest/config'

/** In storms there is much waiting for somebody to be missed, so two of them share the machine. */
const storms = ['kills', 'workers', 'broadcasts', 'database', 'failover', 'nodes']
/** Where speed or memory is promised there is nobody else. */
const measurements = ['webhooks', 'crowds', 'memory', 'queue']

const common = {
  globalSetup: ['tests/support/server.ts'],
  pool: 'forks' as const,
  testTimeout: 600_000,
  hookTimeout: 120_000,
}

const filesOf = (parts: readonly string[]): string[] => parts.map((part) => `tests/chaos/${part}.test.ts`)

/** `npm run chaos` */
export default defineConfig({
  test: {
    reporters: ['default', './tests/chaos/report.ts', './tests/support/closing-line.ts'],
    projects: [
      { test: { ...common, name: 'storms', include: filesOf(storms), maxWorkers: 2, sequence: { groupOrder: 0 } } },
      {
        test: {
          ...common,
          name: 'measurements',
          include: filesOf(measurements),
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
