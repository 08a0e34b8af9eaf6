/**
 * Null for a field that may be left out means that it is left out: many clients write every field they know. Where the
 * shape itself takes null, null keeps the meaning that it has there.
 */
import {
  acceptsNull,
  AS_ANSWERED,
  isObject,
  meantShape,
  schemaOfField,
  typesOf,
  type JsonSchema,
} from './json-schema.ts'

/** The value without the fields that are left out by being null; the value itself where there is none. */
export function withoutNulls(schema: JsonSchema, value: unknown): unknown {
  if (schema.anyOf !== undefined) {
    const meant = meantShape(schema.anyOf, value)
    return meant === undefined ? value : withoutNulls(meant, value)
  }
  if (Array.isArray(value)) return inList(schema, value)
  return isObject(value) ? inObject(schema, value) : value
}

function inList({ items, maxItems = Infinity }: JsonSchema, list: readonly unknown[]): unknown {
  // What is too long is refused whatever is in it.
  if (items === undefined || list.length > maxItems) return list
  const left = list.map((item) => withoutNulls(items, item))
  return left.some((item, i) => item !== list[i]) ? left : list
}

function inObject(schema: JsonSchema, value: Record<string, unknown>): unknown {
  const entries = Object.entries(value)
  if (entries.length > (schema.maxProperties ?? Infinity)) return value
  const left = entries.flatMap(([name, item]) => {
    const field = schemaOfField(schema, name)
    if (field === undefined) return [[name, item]]
    return item === null && mayBeNull(schema, name, field) ? [] : [[name, withoutNulls(field, item)]]
  })
  const isSame = left.length === entries.length && left.every(([, item], i) => item === entries[i]?.[1])
  return isSame ? value : Object.fromEntries(left)
}

/** The shape as a caller may meet it, for the document: with null wherever it means that a field is left out. */
export function withNulls(schema: JsonSchema): JsonSchema {
  const { anyOf, items, properties } = schema
  return {
    ...schema,
    [AS_ANSWERED]: schema,
    ...(anyOf && { anyOf: anyOf.map(withNulls) }),
    ...(items && { items: withNulls(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => {
          const inner = withNulls(field)
          return [name, mayBeNull(schema, name, field) ? orNull(inner) : inner]
        }),
      ),
    }),
  }
}

const mayBeNull = ({ properties = {}, required = [] }: JsonSchema, name: string, field: JsonSchema): boolean =>
  Object.hasOwn(properties, name) && !required.includes(name) && !acceptsNull(field)

export function orNull(schema: JsonSchema): JsonSchema {
  if (schema.anyOf !== undefined) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] }
  const types = typesOf(schema)
  return {
    ...schema,
    ...(types.length > 0 && { type: [...types, 'null'] }),
    ...(schema.enum && { enum: [...schema.enum, null] }),
  }
}
