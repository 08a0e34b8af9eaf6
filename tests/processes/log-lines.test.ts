import { spawnSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LogLines } from '../../src/process/log-lines.ts'
import { eventually } from '../support/eventually.ts'

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants

/** A pipe, as it stands between us and whoever reads our log. */
function pipe(flags = 0) {
  const directory = mkdtempSync(join(tmpdir(), 'posthouse-log-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const path = join(directory, 'pipe')
  spawnSync('mkfifo', [path])
  const reader = readerOf(path)
  // Never closed: what a test leaves unread may still be on its way, and the number would soon be somebody else's.
  return { path, lines: new LogLines(openSync(path, O_WRONLY | flags)), ...reader }
}

function readerOf(path: string) {
  const reader = openSync(path, O_RDONLY | O_NONBLOCK)
  let isReading = true
  const leave = (): void => {
    if (isReading) closeSync(reader)
    isReading = false
  }
  onTestFinished(leave)
  let text = ''
  const read = (): string => {
    const chunk = Buffer.alloc(65_536)
    try {
      for (let size = readSync(reader, chunk); size > 0; size = readSync(reader, chunk)) {
        text += chunk.toString('latin1', 0, size)
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
    return text
  }
  return { read, leave }
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i} ${'x'.repeat(100)}\n`)

test('a line on its own is read soon, and many in their order', async () => {
  const { lines, read } = pipe()
  lines.write('one\n')
  await eventually('it is there', () => read() === 'one\n')
  const many = numbered(500)
  for (const line of many) lines.write(line)
  await eventually('all are there', () => read() === ['one\n', ...many].join(''))
})

test.each([
  ['waits', 0],
  ['refuses', O_NONBLOCK],
])('a full pipe that %s costs no line', async (_, flags) => {
  const { lines, read } = pipe(flags)
  // Four times what a pipe holds, while nobody reads.
  const many = numbered(2_500)
  for (const line of many) lines.write(line)
  await eventually('all are there', () => read() === many.join(''))
})

test('what is left at the end is written before it', () => {
  const { lines, read } = pipe()
  lines.write('last words\n')
  lines.end()
  expect(read()).toBe('last words\n')
})

test('a full pipe that nobody empties does not keep a process from its end', async () => {
  const { lines, read } = pipe(O_NONBLOCK)
  for (const line of numbered(2_500)) lines.write(line)
  lines.end()
  expect(read().length).toBeGreaterThan(0)
})

test('a reader who has left is not waited for, and another one reads what comes later', async () => {
  const { path, lines, leave } = pipe()
  leave()
  lines.write('lost\n')
  lines.end()
  lines.write('lost\n'.repeat(5_000))
  const another = readerOf(path)
  await eventually('it goes on', () => {
    lines.write('later\n')
    return another.read().includes('later\n')
  })
})

test('a reader who stands still finds a gap, and we keep our memory', async () => {
  const { lines, read } = pipe(O_NONBLOCK)
  const line = `${'x'.repeat(1_023)}\n`
  for (let i = 0; i < 10_000; i++) lines.write(line)
  await eventually('it goes on', () => {
    lines.write('again\n')
    return read().includes('again\n')
  })
  expect(read().length).toBeGreaterThan(1_000_000)
  expect(read().length).toBeLessThan(2_000_000)
})
