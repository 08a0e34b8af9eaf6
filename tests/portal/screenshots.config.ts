import { defineConfig, mergeConfig } from 'vitest/config'
import tests from './vitest.config.ts'

/** `npm run screenshots`: the same browser and the same installations, for pictures instead of tests. */
export default mergeConfig(
  { ...tests, test: { ...tests.test, include: [] } },
  defineConfig({ test: { include: ['tests/portal/look/screenshots.ts'] } }),
)
