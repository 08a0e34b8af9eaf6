import { defineConfig } from 'vitest/config'

/** Apart from `npm test`, which needs neither root nor Debian. */
export default defineConfig({
  test: {
    include: ['tests/peers/*.test.ts'],
    globalSetup: ['tests/support/server.ts', 'tests/peers/packages.ts'],
    reporters: ['default', './tests/support/closing-line.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
})
