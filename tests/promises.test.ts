import { existsSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { chaosMutations, mutations } from '../scripts/mutations/index.ts'
import { random, slow } from './slow.ts'

/** There is no promise with the numbers between. */
const PROMISES = [...Array.from({ length: 48 }, (_, i) => i + 1), ...Array.from({ length: 10 }, (_, i) => 51 + i)].map(
  String,
)
/** Those that need more time and a whole machine, too. */
const UNDER_CHAOS = new Set([
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  '11',
  '13',
  '24',
  '25',
  '26',
  '27',
  '28',
  '30',
  '47',
  '51',
  '59',
])

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

/** What is wrong, promise by promise. */
const wrongIn = (of: (row: (typeof rows)[number]) => readonly (string | false)[]): string[] =>
  rows.flatMap((row) => of(row).flatMap((wrong) => (wrong === false ? [] : [`promise ${row.number}: ${wrong}`])))

test('every promise has a figure, a measurement, and tests that exist', () => {
  const isTest = (file: string): boolean =>
    existsSync(new URL(`../${file}`, import.meta.url)) && /^\s*(test|chaos)\b[.(]/m.test(read(file))
  const wrong = wrongIn(({ figure, measured, files }) => [
    figure === '' && 'no figure',
    measured === '' && 'no measurement',
    files.length === 0 && 'no test',
    ...files.map((file) => !isTest(file) && `no test in ${file}`),
  ])
  expect(wrong).toEqual([])
})

test('every promise names the command that keeps it', () => {
  const isSlow = (file: string): boolean => [...slow, ...random].some((glob) => matchesGlob(file, glob))
  const wrong = wrongIn(({ measured, files }) => {
    const other = files.some(isSlow) ? 'npm test' : 'npm run test:slow'
    return [measured.includes(`kept by every \`${other}\``) && `is not kept by every ${other}`]
  })
  expect(wrong).toEqual([])
})

test('every promise has been seen broken, by one of its own tests', () => {
  const wrong = wrongIn(({ number, files }) => {
    const broken = [...mutations, ...chaosMutations].filter(({ promise }) => promise === number)
    const isOwn = (named: string): boolean => files.some((file) => file.startsWith(named))
    return [
      broken.length === 0 && 'no break',
      ...broken.map(({ test: named }) => !isOwn(named) && `${named} is none of its tests`),
    ]
  })
  expect(wrong).toEqual([])
})

test('what is promised under chaos is a line of the chaos run', () => {
  const wrong = wrongIn(({ number, files }) => {
    const parts = files.filter((file) => file.startsWith('tests/chaos/'))
    return [UNDER_CHAOS.has(number) && !parts.some((file) => read(file).includes(`'${number}'`)) && 'no line']
  })
  expect(wrong).toEqual([])
})
