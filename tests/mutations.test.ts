import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chaosMutations, mutations } from '../scripts/mutations/index.ts'
import { fitsOf, replaced } from '../scripts/pattern.ts'

const sourceOf = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

test('every deliberate break fits the source exactly once and changes it', () => {
  const all = [...mutations, ...chaosMutations]
  const misfits = all.flatMap(({ promise, file, from, to }) => {
    const source = sourceOf(file)
    const fits = fitsOf(source, from).length
    if (fits !== 1) return [`promise ${promise}: fits ${fits} times into ${file}: ${from}`]
    const broken = replaced(source, from, to)
    return broken === source || broken.includes('«') ? [`promise ${promise}: ${from} becomes ${to}`] : []
  })
  expect(misfits).toEqual([])
})

test('a break fits whatever the line ends, trailing commas, comments and names that it does not speak of', () => {
  const from = 'await «db».store(«who», { at: «at» })'
  const to = 'await «db».store(«who», { at: 0 })'
  expect(replaced('await first()\nawait this.#db.store(who, { at: now() })', from, to)).toBe(
    'await first()\nawait this.#db.store(who, { at: 0 })',
  )
  expect(replaced('x = await db.store(\n  one.id,\n  // It is late.\n  {\n    at: now(),\n  },\n)', from, to)).toBe(
    'x = await db.store(one.id, { at: 0 })',
  )
  expect(fitsOf('await db.store(who, { at: 1 })\nawait db.store(who, { at: 2 })', from)).toHaveLength(2)
  expect(fitsOf('await db.store(who, { by: 1 })', from)).toEqual([])
})
