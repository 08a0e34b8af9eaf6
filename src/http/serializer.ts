import build from 'fast-json-stringify'

type Serializer = (data: unknown) => string

const compiled = new WeakMap<object, Serializer>()

/**
 * Writes JSON by the schema. It is compiled at the first answer, and once for a schema: compiling those of all routes
 * would be most of what a process does at its start.
 */
export const serializerOf =
  (schema: object): Serializer =>
  (data) => {
    const known = compiled.get(schema)
    if (known !== undefined) return known(data)
    const serialize: Serializer = build(schema)
    compiled.set(schema, serialize)
    return serialize(data)
  }
