import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { contractFiles } from '../../scripts/contract.ts'
import { typeOf } from '../../scripts/type-printer.ts'
import { describedRoutes } from '../../src/app/describe.ts'
import { named, Nullable, NullableEnum, PageOf } from '../../src/shapes/shapes.ts'

const [health] = describedRoutes()

const contractText = (routes: Parameters<typeof contractFiles>[0]): string =>
  [...contractFiles(routes).values()].join('\n')

/** What is printed for a reply of this shape, without what comes before and behind it. */
const printed = (shape: object): string =>
  /reply: ([^]*?)\n {4}scope/.exec(contractText([{ ...health!, reply: { 200: shape as never } }]))?.[1] ?? ''

test('every route is in the contract by its method and path', () => {
  const routes = describedRoutes()
  const keys = [...contractText(routes).matchAll(/^ {2}'([A-Z]+ \/.*)': \{$/gm)].map(([, key]) => key)
  expect(keys.toSorted()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).toSorted())
})

test('a shape stands in the part that uses it first, and the others import it from there', () => {
  const thing = { 200: named('Thing', Type.Object({ id: Type.String({ description: 'Like Other.' }) })) as never }
  const other = {
    200: named('Other', Type.Object({ thing: thing[200] as never, kind: Type.Literal('Thing') })) as never,
  }
  const files = contractFiles([
    { ...health!, path: '/emails', reply: thing },
    { ...health!, path: '/domains', reply: other },
  ])
  expect([...files.keys()]).toEqual([
    'index.ts',
    'shapes/refusals.ts',
    'shapes/emails.ts',
    'operations/emails.ts',
    'shapes/domains.ts',
    'operations/domains.ts',
  ])
  const importsOf = (file: string) =>
    [...files.get(file)!.matchAll(/{\n ([^}]*)\n} from '(.*)'/g)].map(([, ...found]) => found)
  expect(importsOf('shapes/emails.ts')).toEqual([])
  expect(importsOf('shapes/domains.ts')).toEqual([[' Thing,', './emails.ts']])
  expect(importsOf('operations/domains.ts')).toEqual([[' Other,', '../shapes/domains.ts']])
})

test.each<[shape: object, type: string]>([
  [Type.String(), 'string'],
  [Type.Integer(), 'number'],
  [Type.Array(Type.Boolean()), 'boolean[]'],
  [Nullable(Type.String()), 'string | null'],
  [Type.Array(NullableEnum(['a', 'b'])), "('a' | 'b' | null)[]"],
  [Type.Union([Type.Literal('a'), Type.Literal(7), Type.Null()]), "'a' | 7 | null"],
  [Type.Literal("it's"), "'it\\'s'"],
  [Type.Record(Type.String(), Type.Number()), 'Record<string, number>'],
  [Type.Object({}, { additionalProperties: false }), 'Record<string, never>'],
  [Type.Unknown(), 'unknown'],
  [named('Thing', Type.Object({ id: Type.String() })), 'Thing'],
  [PageOf(named('Thing', Type.Object({ id: Type.String() }))), 'ThingPage'],
  [Nullable(named('Thing', Type.Object({ id: Type.String() }))), 'Thing | null'],
])('a shape is printed as TypeScript writes it: %j', (shape, type) => {
  expect(printed(shape)).toBe(type)
})

test('an object says which fields may be left out, what they are, and whether there are others', () => {
  const shape = Type.Object(
    { 'a-b': Type.Optional(Type.String({ description: 'What it is.' })), c: Type.Object({ d: Type.Null() }) },
    { additionalProperties: true },
  )
  expect(printed(shape)).toBe(
    [
      '{',
      '      /** What it is. */',
      "      'a-b'?: string",
      '      c: {',
      '        d: null',
      '      }',
      '      [name: string]: unknown',
      '    }',
    ].join('\n'),
  )
})

test('what cannot be printed is refused', () => {
  expect(() => typeOf({ not: {} } as never)).toThrow('cannot be printed')
  expect(() => typeOf({ type: 'date' })).toThrow('cannot be printed')
})

test('what a route says about its callers is printed', () => {
  const flagged = { ...health!, leaves: 'sometimes', isForPersons: true, needsConfirmation: false }
  const text = contractText([flagged as never])
  expect(text).toContain('    leaves: true\n')
  expect(text).toContain('    isForPersons: true\n')
  expect(text).not.toContain('needsConfirmation')
})
