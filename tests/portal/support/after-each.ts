import { afterEach, expect } from 'vitest'
import { takeBreaches } from './visitor.ts'

// Whatever a test looks at: nothing may breach the policy of a page, fail without being caught, or ask a foreign host.
afterEach(() => {
  expect(takeBreaches()).toEqual([])
})
