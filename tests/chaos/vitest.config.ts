import { defineConfig } from 'vitest/config'

/** `npm run chaos`: one after the other, for they measure, and each takes the whole machine. */
export default defineConfig({
  test: {
    include: ['tests/chaos/*.test.ts'],
    globalSetup: ['tests/support/server.ts'],
    reporters: ['default', './tests/chaos/report.ts', './tests/support/closing-line.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
})
