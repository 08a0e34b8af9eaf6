/**
 * Null for a field that may be left out means that it is left out: many clients write every field they know. Where the
 * shape itself takes null, null keeps the meaning that it has there.
 */
import { acceptsNull, isObject, meantShape, schemaOfField, typesOf, type JsonSchema } from './json-schema.ts'

/** The value without the fields that are left out by being null. */
export function withoutNulls(schema: JsonSchema, value: unknown): unknown {
  if (schema.anyOf !== undefined) {
    const meant = meantShape(schema.anyOf, value)
    return meant === undefined ? value : withoutNulls(meant, value)
  }
  const { items } = schema
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => withoutNulls(items, item))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      const field = schemaOfField(schema, name)
      if (field === undefined) return [[name, item]]
      return item === null && mayBeNull(schema, name, field) ? [] : [[name, withoutNulls(field, item)]]
    }),
  )
}

/** The shape as a caller may meet it, for the document: with null wherever it means that a field is left out. */
export function withNulls(schema: JsonSchema): JsonSchema {
  const { anyOf, items, properties } = schema
  return {
    ...schema,
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

function orNull(schema: JsonSchema): JsonSchema {
  if (schema.anyOf !== undefined) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] }
  const types = typesOf(schema)
  return {
    ...schema,
    ...(types.length > 0 && { type: [...types, 'null'] }),
    ...(schema.enum && { enum: [...schema.enum, null] }),
  }
}
