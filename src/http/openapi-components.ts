/** What the OpenAPI document says once, below `components`, and refers to from everywhere else. */
import { AS_ANSWERED, isObject, NAME, typesOf, type JsonSchema } from '../shapes/json-schema.ts'
import { ANNOTATION } from '../shapes/shapes.ts'

type Json = Record<string, unknown>
type Section = 'schemas' | 'parameters' | 'headers' | 'responses'

/** A part of the document with a name that is no shape: a shape gets its name by `named`. */
export const component = (section: Exclude<Section, 'schemas'>, name: string, value: Json): Json => ({
  ...value,
  [NAME]: `${section}/${name}`,
})

export class Components {
  readonly #known = new Map<string, Json>()

  /** All components, sorted by name so that a new one does not move others. */
  all(section: Section): Json {
    const entries = [...this.#known].flatMap(([path, written]) => {
      const [place, name = ''] = path.split('/')
      return place === section ? [[name, written] as const] : []
    })
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** A part of the document with a reference in place of everything that has a name. */
  lift(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((each) => this.lift(each))
    if (!isObject(node)) return node
    const { [NAME]: name } = node as JsonSchema
    if (name === undefined) return this.#written(node)
    return this.#reference(name.includes('/') ? name : `schemas/${name}`, node)
  }

  #reference(path: string, schema: JsonSchema): Json {
    const bare = withoutNull(schema)
    const reference = { $ref: `#/components/${this.#pathFor(path, bare)}` }
    return bare === schema ? reference : { anyOf: [reference, { type: 'null' }] }
  }

  /** A shape of answers that a request takes with nulls besides is another one there. */
  #pathFor(path: string, schema: JsonSchema): string {
    const written = this.#written(schema)
    const known = this.#known.get(path)
    if (known === undefined || isSame(known, written)) {
      this.#known.set(path, written)
      return path
    }
    const answered = schema[AS_ANSWERED]
    if (answered !== undefined && isSame(known, this.#written(withoutNull(answered)))) {
      return this.#pathFor(`${path}Input`, schema)
    }
    throw new Error(`Two different things have the name ${path}.`)
  }

  /** An annotation gets its usual name, and an enumeration the type of its values, without which clients know none. */
  #written(node: object): Json {
    const entries = Object.entries(node).map(([key, value]) => [key === ANNOTATION ? 'format' : key, this.lift(value)])
    const written = Object.fromEntries(entries) as Json
    if (!Array.isArray(written['enum']) || 'type' in written) return written
    const types = [...new Set(written['enum'].map((value) => (value === null ? 'null' : typeof value)))]
    return { type: types.length === 1 ? types[0] : types, ...written }
  }
}

const isSame = (one: Json, other: Json): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The shape without null; the shape itself where it takes none. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf, enum: values } = schema
  const others = anyOf?.filter(({ type }) => type !== 'null')
  if (others !== undefined) return others.length === anyOf?.length ? schema : { ...schema, anyOf: others }
  const isNullable = typesOf(schema).includes('null') || values?.includes(null)
  if (!isNullable) return schema
  const types = typesOf(schema).filter((each) => each !== 'null')
  return {
    ...schema,
    ...(schema.type !== undefined && { type: types.length === 1 ? String(types[0]) : types }),
    ...(values && { enum: values.filter((value) => value !== null) }),
  }
}
