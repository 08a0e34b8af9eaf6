import { expect, test } from 'vitest'
import { Semaphore } from '../../src/core/semaphore.ts'

/** Work that ends when the test says so, and a record of who is at it. */
function workshop(capacity: number | (() => number)) {
  const semaphore = new Semaphore(capacity)
  const atWork: string[] = []
  const ends = new Map<string, () => void>()
  const begin = (name: string, units = 1): Promise<void> =>
    semaphore.with(units, async () => {
      atWork.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      atWork.splice(atWork.indexOf(name), 1)
    })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const end = async (...names: string[]): Promise<void> => {
    for (const name of names) ends.get(name)?.()
    await settled()
  }
  return { semaphore, atWork, begin, end, settled }
}

test('so many work at a time, and the others follow in their order', async () => {
  const { atWork, begin, end, settled, semaphore } = workshop(2)
  for (const name of ['a', 'b', 'c', 'd']) void begin(name)
  await settled()
  expect(atWork).toEqual(['a', 'b'])
  await end('b')
  expect(atWork).toEqual(['a', 'c'])
  await end('a', 'c')
  expect(atWork).toEqual(['d'])
  expect(semaphore.isIdle).toBe(false)
  await end('d')
  expect(semaphore.isIdle).toBe(true)
})

test('whoever comes at the moment when a place is free does not overtake those who wait', async () => {
  const { atWork, begin, end, settled } = workshop(1)
  void begin('first')
  void begin('second')
  await settled()
  void end('first')
  // One at each step between the end of the first and the beginning of the second.
  for (let step = 0; step < 20; step++) {
    void begin(`newcomer ${step}`)
    await Promise.resolve()
  }
  await settled()
  expect(atWork).toEqual(['second'])
  await end('second')
  expect(atWork).toEqual(['newcomer 0'])
})

test('units are added up; small ones do not overtake a large one, which enters alone if it must', async () => {
  const { atWork, begin, end, settled } = workshop(10)
  void begin('small', 4)
  void begin('larger than all', 11)
  void begin('late', 1)
  await settled()
  expect(atWork).toEqual(['small'])
  await end('small')
  expect(atWork).toEqual(['larger than all'])
  await end('larger than all')
  expect(atWork).toEqual(['late'])
})

test('work that fails gives its units back', async () => {
  const semaphore = new Semaphore(1)
  await expect(semaphore.with(1, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(semaphore.isIdle).toBe(true)
})

test('a capacity may change', async () => {
  let capacity = 1
  const { atWork, begin, end, settled } = workshop(() => capacity)
  for (const name of ['a', 'b', 'c']) void begin(name)
  await settled()
  expect(atWork).toEqual(['a'])
  capacity = 2
  await end('a')
  expect(atWork).toEqual(['b', 'c'])
})
