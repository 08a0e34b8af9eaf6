import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mutations } from '../scripts/mutations.ts'
import { chaosMutations } from '../scripts/chaos-mutations.ts'

test.each([...mutations, ...chaosMutations])(
  'the break of promise $promise ($what) still fits the source',
  ({ file, from, to }) => {
    const source = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
    expect(source.split(from)).toHaveLength(2)
    expect(to).not.toBe(from)
  },
)
