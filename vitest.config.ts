import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // They need other people's software (`npm run test:peers`), or the whole machine (`npm run chaos`).
    exclude: ['tests/peers/**', 'tests/chaos/**'],
    globalSetup: ['tests/support/server.ts'],
    reporters: ['default', './tests/support/closing-line.ts'],
    pool: 'forks',
    maxWorkers: 3,
    // Nothing of ours lives in a module, so files can share what they have loaded; that is a quarter of the time.
    isolate: false,
    // Some start whole nodes, four processes each; on a busy machine that may take ten times as long as it should.
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
})
