import { mkdtempSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Journal } from '../../src/dispatch/journal.ts'

const key = (id: string) => ({ id, worker: 'w1', leaseNo: 1 })
const settledOf = (id: string) => ({
  key: key(id),
  item: { id, destination: 'a.test', lane: 0, crashes: 0 },
  outcome: { kind: 'done' },
})

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'posthouse-test-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

test('nobody else on the machine can look into it', () => {
  const here = join(folder(), 'journal')
  new Journal(here, 'toys', () => {}).register('w1')
  expect(statSync(here).mode & 0o777).toBe(0o700)
  for (const file of readdirSync(here)) expect(statSync(join(here, file)).mode & 0o777).toBe(0o600)
})

test('a successor finds who worked, what may have left and what became of it', async () => {
  const here = folder()
  const journal = new Journal(here, 'toys', () => {})
  journal.register('w1')
  const [passing, ended] = [journal.enter(key('a')), journal.enter(key('b'))]
  await Promise.all([passing.written, ended.written])
  ended.settled(settledOf('b'))
  const forgotten = journal.enter(key('c'))
  await forgotten.written
  const left = new Journal(here, 'toys', () => {}).leftovers()
  expect(left.workers).toEqual(['w1'])
  expect(left.mayHaveLeft).toEqual([key('a'), key('b'), key('c')])
  expect(left.settled).toMatchObject([{ key: key('b'), outcome: { kind: 'done' } }])
  expect(new Journal(here, 'others', () => {}).leftovers().workers).toEqual([])
  left.done()
  expect(readdirSync(here)).toEqual([])
})

test('whoever stops in order leaves nothing behind, unless a row is still in its hands', async () => {
  const here = folder()
  for (const isForgotten of [true, false]) {
    const journal = new Journal(here, 'toys', () => {})
    journal.register('w1')
    const passage = journal.enter(key('a'))
    await passage.written
    if (isForgotten) passage.forget()
    journal.close()
    expect(readdirSync(here)).toHaveLength(isForgotten ? 0 : 1)
  }
})

test('what the kernel takes in part is written whole', async () => {
  const here = folder()
  const inPart = (descriptor: number, bytes: Buffer, from: number) =>
    writeSync(descriptor, bytes, from, Math.min(7, bytes.length - from))
  const journal = new Journal(here, 'toys', () => {}, inPart)
  journal.register('w1')
  await journal.enter(key('a')).written
  expect(new Journal(here, 'toys', () => {}).leftovers().mayHaveLeft).toEqual([key('a')])
})

test('a journal that misses a line is no journal: it would call unsent what has left us', async () => {
  const here = folder()
  const failures: unknown[] = []
  let isFull = false
  const journal = new Journal(
    here,
    'toys',
    (error) => void failures.push(error),
    (descriptor, bytes, from) => {
      if (isFull) throw new Error('no space left on device')
      return writeSync(descriptor, bytes, from)
    },
  )
  journal.register('w1')
  await journal.enter(key('a')).written
  isFull = true
  const unnoted = journal.enter(key('b'))
  await unnoted.written
  unnoted.settled(settledOf('b'))
  unnoted.forget()
  expect(failures).toHaveLength(1)
  expect(new Journal(here, 'toys', () => {}).leftovers().workers).toEqual([])
  expect(readdirSync(here)).toEqual([])
  journal.close()
})
