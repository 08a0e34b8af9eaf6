import fc from 'fast-check'
import { scopes, type ContentAccess, type Scope } from '../../src/core/scopes.ts'

/** What a key opens, in the words of the wire: `*` is everything, null is no bound. */
export interface Power {
  scopes: readonly string[]
  projectId: string | null
  expiresAt: string | null
  contentAccess: ContentAccess
}

/** The part of a new key's fields that decides what it may do. */
export interface Wish {
  scopes?: (Scope | '*')[]
  fullAccess?: boolean
  projectId?: string | null
  expiresAt?: string | null
  contentAccess?: ContentAccess
}

interface Ask {
  scopes: 'within' | 'one more' | 'everything' | 'everything and one' | 'omitted'
  chosen: number[]
  fullAccess: boolean | undefined
  project: 'omitted' | 'same' | 'none' | number
  time: 'omitted' | 'never' | 'past' | number
  offset: string
  content: ContentAccess | undefined
}

const DAY = 86_400_000
const likely = <T>(...weighted: [number, fc.Arbitrary<T>][]) =>
  fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })))
const the = <const T>(value: T) => fc.constant(value)

/** A wish seen from its maker: the same, a little less or a little more. That is where mistakes would be. */
export const ask: fc.Arbitrary<Ask> = fc.record({
  scopes: likely<Ask['scopes']>(
    [12, the('within')],
    [3, the('one more')],
    [2, the('everything')],
    [1, the('everything and one')],
    [1, the('omitted')],
  ),
  chosen: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 8 }),
  fullAccess: likely<boolean | undefined>([8, the(undefined)], [1, the(true)], [1, the(false)]),
  project: likely<Ask['project']>([6, the('omitted')], [4, the('same')], [2, the('none')], [3, fc.nat(1_000)]),
  time: likely<Ask['time']>(
    [6, the('omitted')],
    [2, the('never')],
    [1, the('past')],
    [6, fc.constantFrom(-DAY, -1, 0, 1, DAY)],
  ),
  offset: fc.constantFrom('Z', '+00:00', '+02:00', '-11:30'),
  content: likely<Ask['content']>([8, the(undefined)], [4, the('all')], [2, the('own')], [1, the('none')]),
})

export function wishOf(
  { scopes, chosen, fullAccess, project, time, offset, content }: Ask,
  maker: Power,
  projects: string[],
): Wish {
  const wish: Wish = {}
  const wanted = scopesOf(scopes, chosen, maker)
  if (wanted !== undefined) wish.scopes = wanted
  if (fullAccess !== undefined) wish.fullAccess = fullAccess
  if (project === 'same') wish.projectId = maker.projectId
  if (project === 'none') wish.projectId = null
  if (typeof project === 'number') wish.projectId = projects[project % projects.length]!
  if (time === 'never') wish.expiresAt = null
  if (time === 'past') wish.expiresAt = '2020-01-01T00:00:00Z'
  if (typeof time === 'number') wish.expiresAt = written(Date.parse(maker.expiresAt ?? '2090-01-01') + time, offset)
  if (content !== undefined) wish.contentAccess = content
  return wish
}

function scopesOf(kind: Ask['scopes'], chosen: readonly number[], maker: Power): Wish['scopes'] {
  const held = scopes.filter((scope) => maker.scopes.includes('*') || maker.scopes.includes(scope))
  const some = [...new Set<Scope>(['api-keys:write', ...chosen.map((n) => held[n % held.length]!)])]
  const others = scopes.filter((scope) => !held.includes(scope))
  switch (kind) {
    case 'within':
      return some
    case 'one more':
      return [...some, ...others.slice(0, 1)]
    case 'everything':
      return ['*']
    case 'everything and one':
      return ['*', 'email:send']
    case 'omitted':
      return undefined
  }
}

/** The same moment on a clock with this offset. */
function written(moment: number, offset: string): string {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? []
  const ahead = sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes))
  return `${new Date(moment + ahead * 60_000).toISOString().slice(0, -1)}${offset}`
}
