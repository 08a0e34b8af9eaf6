import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const CASES = 91
const root = fileURLToPath(new URL('..', import.meta.url))
const files = globSync(['sms/*.test.ts', '*/sms-*.test.ts', '*/sms.test.ts'], { cwd: root })

/** `'58: killed …'` or `'52, 53: neither …'`, as the first thing that a call is given. */
const titles = /\(\s*['"`]([1-9]\d*(?:, [1-9]\d*)*): /g
/** A table of which each row begins with the number of its case. */
const isTable = /\(\s*'%i: /
const rows = /^ +\[([1-9]\d*), '/gm

const casesIn = (source: string): number[] => [
  ...[...source.matchAll(titles)].flatMap(([, numbers = '']) => numbers.split(', ').map(Number)),
  ...(isTable.test(source) ? [...source.matchAll(rows)].map(([, number]) => Number(number)) : []),
]

test('every case that SMS has to pass is a test that bears its number', () => {
  const sources = files.map((file) => readFileSync(`${root}/${file}`, 'utf8'))
  const found = new Set(sources.flatMap(casesIn))
  const wanted = Array.from({ length: CASES }, (_, i) => i + 1)
  expect(wanted.filter((number) => !found.has(number))).toEqual([])
  expect([...found].filter((number) => number > CASES)).toEqual([])
  // One that is never run proves nothing.
  expect(files.filter((_, i) => /\btest\.(skip|todo|only|fails)\b/.test(sources[i]!))).toEqual([])
})

test('a case without a test would be noticed', () => {
  expect(casesIn("test('7: one', …)\ntest.each([1, 2])('8, 9: another', …)\nsay('10 of them')")).toEqual([7, 8, 9])
  expect(casesIn("const all = [\n  [11, 'a'],\n]\ntest.each(all)('%i: %s', …)")).toEqual([11])
  expect(casesIn("const all = [\n  [12, 'a'],\n]\ntest.each(all)('row %i', …)")).toEqual([])
})
