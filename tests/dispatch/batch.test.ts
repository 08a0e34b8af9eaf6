import { expect, test } from 'vitest'
import { Batch } from '../../src/dispatch/batch.ts'
import { eventually } from '../support/eventually.ts'
import { gate } from './toy.ts'

test('one batch is under way at a time, and what comes in meanwhile goes with the next', async () => {
  const runs: number[][] = []
  const ends = [gate(), gate(), gate()]
  const batch = new Batch<number, number>(
    async (entries) => {
      await ends[runs.push(entries) - 1]!.promise
      return entries.map((n) => -n)
    },
    { most: 2, gatherMs: 1 },
  )
  const answers = Promise.all([1, 2, 3, 4, 5].map((n) => batch.add(n)))
  expect(runs).toEqual([[1, 2]])
  ends[0]!.resolve()
  await eventually('the next batch is under way', () => runs.length > 1)
  expect(runs).toEqual([
    [1, 2],
    [3, 4],
  ])
  ends[1]!.resolve()
  ends[2]!.resolve()
  expect(await answers).toEqual([-1, -2, -3, -4, -5])
  expect(runs[2]).toEqual([5])
})

test('what comes behind a large batch is gathered for longer', async () => {
  const runs: number[][] = []
  const batch = new Batch<number, number>(
    async (entries) => {
      runs.push(entries)
      return entries
    },
    { most: 3, gatherMs: 1, whenBusy: { from: 2, gatherMs: 3_600_000 } },
  )
  await Promise.all([batch.add(1), batch.add(2)])
  const [third, fourth] = [batch.add(3), batch.add(4)]
  // Begun later: had they been gathered for as short a time, they would be done before this one.
  await new Batch<number, number>(async (entries) => entries, { most: 3, gatherMs: 1 }).add(0)
  expect(runs).toEqual([[1, 2]])
  await Promise.all([third, fourth, batch.add(5)])
  expect(runs).toEqual([
    [1, 2],
    [3, 4, 5],
  ])
})

test('what comes behind a large batch does not wait once there is enough of it', async () => {
  const runs: number[][] = []
  const batch = new Batch<number, number>(
    async (entries) => {
      runs.push(entries)
      return entries
    },
    { most: 10, gatherMs: 1, whenBusy: { from: 2, gatherMs: 3_600_000, enough: 3 } },
  )
  await Promise.all([1, 2, 3, 4].map((n) => batch.add(n)))
  await Promise.all([5, 6, 7].map((n) => batch.add(n)))
  expect(runs).toEqual([
    [1, 2, 3, 4],
    [5, 6, 7],
  ])
})
