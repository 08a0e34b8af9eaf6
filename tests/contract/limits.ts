import type { JsonSchema } from '../../src/shapes/json-schema.ts'

/** A value that a shape does not allow, for one reason, and where it stands. */
export interface Excess {
  path: string[]
  keyword: string
  value: unknown
}

/** Every limit of a shape, each exceeded by itself. Of several shapes every one has its turn. */
export function excessesOf(schema: JsonSchema, path: string[] = []): Excess[] {
  const at = (keyword: string, value: unknown): Excess => ({ path, keyword, value })
  const { anyOf = [], properties = {}, patternProperties = {}, items } = schema
  const types = [schema.type ?? []].flat()
  const own: Excess[] = []
  if (types.length > 0) own.push(at('type', types.includes('object') ? 7 : { not: { of: 'this type' } }))
  if (schema.enum !== undefined) own.push(at('enum', 'none of these'))
  if (schema.const !== undefined) own.push(at('const', 'not this one'))
  if (schema.minimum !== undefined) own.push(at('minimum', schema.minimum - 1))
  // The next one is not a number that JSON can tell from it.
  if (schema.maximum !== undefined) own.push(at('maximum', schema.maximum * 2 + 1))
  if (types.includes('integer')) own.push(at('integer', 1.5))
  if (schema.minLength) own.push(at('minLength', ''))
  if (schema.maxLength !== undefined) own.push(at('maxLength', 'x'.repeat(schema.maxLength + 1)))
  if (schema.pattern !== undefined) own.push(at('pattern', '\r\n'))
  if (schema.minItems) own.push(at('minItems', []))
  if (schema.maxItems !== undefined)
    own.push(
      at(
        'maxItems',
        Array.from({ length: schema.maxItems + 1 }, () => 'x'),
      ),
    )
  if (schema.uniqueItems)
    own.push(
      at(
        'uniqueItems',
        Array.from({ length: 2 }, () => items?.enum?.[0]),
      ),
    )
  if (schema.maxProperties !== undefined) own.push(at('maxProperties', unknownFields(schema.maxProperties + 1)))
  if (schema.minProperties !== undefined) own.push(at('minProperties', {}))
  if (schema.additionalProperties === false) own.push(at('unknown', { 'no\nname': 'x' }))
  return [
    ...own,
    ...anyOf.flatMap((one) => excessesOf(one, path)).filter(({ keyword }) => keyword !== 'type'),
    ...Object.entries(properties).flatMap(([name, field]) => excessesOf(field, [...path, name])),
    ...Object.values(patternProperties).flatMap((field) => excessesOf(field, [...path, 'name'])),
    ...(items === undefined ? [] : excessesOf(items, [...path, '0'])),
  ]
}

/** One value in which everything is wrong at once. */
export function excessOfAll(schema: JsonSchema): unknown {
  const { anyOf, properties, items, maxItems = 0 } = schema
  if (anyOf !== undefined) return excessOfAll(anyOf[0]!)
  if (properties !== undefined) {
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, excessOfAll(field)]))
  }
  if (items !== undefined) return Array.from({ length: maxItems + 1 }, () => excessOfAll(items))
  if (schema.maxProperties !== undefined) return { 'no\nname': 7, ...unknownFields(1_000) }
  if (schema.maximum !== undefined) return schema.maximum * 2 + 1.5
  if (schema.maxLength !== undefined) return `\r\n${'x'.repeat(schema.maxLength)}`
  return [['of no type that a field has']]
}

/** As short as they can be: so many fit into the smallest body that a route takes. */
export const unknownFields = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`_${i.toString(36)}`, 0]))

/** A body with something in one place of it; what is missing on the way is made. */
export function withValue(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const isItem = /^\d+$/.test(name)
  const here = typeof body === 'object' && Array.isArray(body) === isItem ? body : isItem ? [] : {}
  const inner = withValue((here as Record<string, unknown>)[name], rest, value)
  return Array.isArray(here) ? Object.assign([...here], { [name]: inner }) : { ...here, [name]: inner }
}
