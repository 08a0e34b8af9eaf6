import { describe, inject, test } from 'vitest'
import { expectAllArriveUnchanged } from './arrivals.ts'
import { startExim } from './exim.ts'

const { exim: program = '' } = inject('peers')

describe.skipIf(program === '')('Exim', () => {
  test('takes every mail as it left us', async () => {
    await expectAllArriveUnchanged((place) => startExim({ program, ...place }))
  })
})
