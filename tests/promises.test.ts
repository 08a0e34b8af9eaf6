import { existsSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { mutations } from '../scripts/mutations.ts'
import { chaosMutations } from '../scripts/chaos-mutations.ts'
import { random, slow } from './slow.ts'

/** There is no promise with the numbers between. */
const PROMISES = [...Array.from({ length: 48 }, (_, i) => i + 1), 51].map(String)
/** Those that need more time and a whole machine, too. */
const UNDER_CHAOS = ['1', '2', '3', '4', '5', '6', '7', '11', '13', '24', '25', '26', '27', '28', '30', '47', '51']

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

/** The rows of the first table, cell by cell. */
const rows = read('docs/promises.md')
  .split('\n')
  .filter((line) => /^\| \d+ \|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, number = '', promise = '', figure = '', proof = '', measured = '']) => ({
    number,
    promise,
    figure,
    files: [...proof.matchAll(/`(tests\/[^`]+)`/g)].map(([, file]) => file ?? ''),
    measured,
  }))

test('every promise is listed once, in order', () => {
  expect(rows.map(({ number }) => number)).toEqual(PROMISES)
})

test.each(rows)('promise $number has a figure, a measurement, and tests that exist', ({ figure, measured, files }) => {
  expect(figure).not.toBe('')
  expect(measured).not.toBe('')
  expect(files).not.toEqual([])
  for (const file of files) {
    expect(existsSync(new URL(`../${file}`, import.meta.url)), file).toBe(true)
    expect(read(file), file).toMatch(/^\s*(test|chaos)\b[.(]/m)
  }
})

test.each(rows)('promise $number names the command that keeps it', ({ measured, files }) => {
  const isSlow = files.some((file) => [...slow, ...random].some((glob) => matchesGlob(file, glob)))
  const wrong = `kept by every \`npm ${isSlow ? 'test' : 'run test:slow'}\``
  expect(measured).not.toContain(wrong)
})

test.each(rows)('promise $number has been seen broken, by one of its own tests', ({ number, files }) => {
  const broken = [...mutations, ...chaosMutations].filter(({ promise }) => promise === number)
  expect(broken).not.toEqual([])
  for (const { test: named } of broken)
    expect(
      files.some((file) => file.startsWith(named)),
      named,
    ).toBe(true)
})

test.each(UNDER_CHAOS)('promise %s is a line of the chaos run', (number) => {
  const row = rows.find((one) => one.number === number)
  const parts = row?.files.filter((file) => file.startsWith('tests/chaos/')) ?? []
  expect(parts.filter((file) => read(file).includes(`'${number}'`))).not.toEqual([])
})
