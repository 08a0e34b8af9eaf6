import { defineConfig } from 'vitest/config'

/** Apart from `npm test`, which needs neither a browser nor the portal's packages. */
export default defineConfig({
  test: {
    include: ['tests/portal/*.test.ts'],
    globalSetup: ['tests/support/server.ts', 'tests/portal/support/set-up.ts'],
    setupFiles: ['tests/portal/support/after-each.ts'],
    reporters: ['default', './tests/support/closing-line.ts'],
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    // On a busy machine everything may take ten times as long as it should.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 150_000,
    hookTimeout: 150_000,
  },
})
