/** As much of JSON Schema as our shapes use, and how to find one's way in it. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: unknown
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly [SAYING]?: Saying
  readonly [NAME]?: string
  readonly [AS_ANSWERED]?: JsonSchema
}

/** What is said to a text that does not fit its pattern, or to a name in a map that does not. */
export type Saying = string | ((text: string) => string)

/** A symbol, so that it does not show in the OpenAPI document. */
export const SAYING = Symbol('saying')

/** Under which name the OpenAPI document keeps the shape. Neither the validator nor the serializer sees a symbol. */
export const NAME = Symbol('name')

/** On the shape of a request that may have nulls: the same shape without them, as an answer has it. */
export const AS_ANSWERED = Symbol('as answered')

export const typesOf = ({ type }: JsonSchema): readonly string[] => (type === undefined ? [] : [type].flat())

export function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function fitsType(schema: JsonSchema, value: unknown): boolean {
  const types = typesOf(schema)
  return types.length === 0 || types.some((type) => isOfType(value, type))
}

export function acceptsNull(schema: JsonSchema): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some(acceptsNull)
  if (schema.enum !== undefined) return schema.enum.includes(null)
  return 'const' in schema ? schema.const === null : fitsType(schema, null)
}

/** The shape of a field, by its name or by what its name looks like. */
export function schemaOfField({ properties, patternProperties }: JsonSchema, name: string): JsonSchema | undefined {
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name]
  if (patternProperties === undefined) return undefined
  return Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern, 'u').test(name))?.[1]
}

/**
 * Which of several shapes a value is meant to have: the one of its own type and, of objects that say by a field which
 * of them they are, that one. Undefined when it is none of them.
 */
export function meantShape(shapes: readonly JsonSchema[], value: unknown): JsonSchema | undefined {
  const fitting = shapes.filter((shape) => fitsType(shape, value))
  const telling = tellingField(fitting)
  if (telling === undefined || !isObject(value)) return fitting[0]
  return fitting.find(({ properties }) => properties?.[telling]?.const === value[telling])
}

/** The field by which objects of several shapes say which of them they are, such as `type`. */
export const tellingField = ([first, ...others]: readonly JsonSchema[]): string | undefined =>
  others.length === 0
    ? undefined
    : Object.keys(first?.properties ?? {}).find((name) =>
        [first, ...others].every((shape) => shape?.properties?.[name]?.const !== undefined),
      )
