/** Prints JSON Schema, as far as our shapes use it, as TypeScript. What it does not know it refuses. */

/** A schema in which everything with a name is a reference. */
export interface Shape {
  $ref?: string
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Shape[]
  properties?: Readonly<Record<string, Shape>>
  required?: readonly string[]
  patternProperties?: Readonly<Record<string, Shape>>
  additionalProperties?: boolean | Shape
  items?: Shape
  description?: string
}

const MAX_LINE_LENGTH = 120
const INDENT = '  '

export function typeOf(shape: Shape, depth = 0): string {
  if (shape.$ref !== undefined) return nameOf(shape.$ref.replace(/^.*\//, ''))
  if (shape.anyOf !== undefined) return unionOf(shape.anyOf.map((each) => typeOf(each, depth)))
  if ('const' in shape) return literal(shape.const)
  if (shape.enum !== undefined) return unionOf(shape.enum.map(literal), depth)
  if (shape.type === undefined) return anything(shape)
  return unionOf([shape.type].flat().map((type) => ofType(type, shape, depth)))
}

/** Shapes whose names mean something else to TypeScript. */
const otherNames: Readonly<Record<string, string>> = { Error: 'Refusal' }

export const nameOf = (name: string): string => otherNames[name] ?? name

function anything(shape: Shape): string {
  const known = new Set(['description', 'examples', 'default', 'title'])
  const unknown = Object.keys(shape).filter((key) => !known.has(key))
  if (unknown.length > 0) throw new Error(`A shape with ${unknown.join(', ')} and no type cannot be printed.`)
  return 'unknown'
}

function ofType(type: string, shape: Shape, depth: number): string {
  switch (type) {
    case 'integer':
      return 'number'
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type
    case 'array':
      return listOf(typeOf(shape.items ?? {}, depth))
    case 'object':
      return shape.properties === undefined ? mapOf(shape, depth) : fieldsOf(shape, depth)
    default:
      throw new Error(`The type ${type} cannot be printed.`)
  }
}

const listOf = (item: string): string => (item.includes(' | ') ? `(${item})[]` : `${item}[]`)

/** An object whose names nobody knows in advance. */
function mapOf({ patternProperties = {}, additionalProperties }: Shape, depth: number): string {
  const values = Object.values(patternProperties).map((each) => typeOf(each, depth))
  if (typeof additionalProperties === 'object') values.push(typeOf(additionalProperties, depth))
  if (values.length > 0) return `Record<string, ${unionOf(values)}>`
  return additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>'
}

/** `{ … }` with a line for each field. */
export function fieldsOf(shape: Shape, depth = 0): string {
  const { properties = {}, required = [], additionalProperties } = shape
  const margin = INDENT.repeat(depth + 1)
  const fields = Object.entries(properties).map(([name, field]) => {
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : literal(name)
    const comment = field.$ref === undefined ? commentOf(field.description, depth + 1) : ''
    return `${comment}${margin}${key}${required.includes(name) ? '' : '?'}:${spaced(typeOf(field, depth + 1))}\n`
  })
  const isOpen = additionalProperties === true || shape.patternProperties !== undefined
  const others = isOpen ? [`${margin}[name: string]: unknown\n`] : []
  const lines = [...fields, ...others]
  return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('')}${INDENT.repeat(depth)}}`
}

/** Alternatives, each once; below each other where they do not fit into a line. */
export function unionOf(types: readonly string[], depth = 0): string {
  const different = [...new Set(types)]
  const line = different.join(' | ')
  const isShort = line.includes('\n') || line.length < MAX_LINE_LENGTH - 40
  return isShort ? line : different.map((type) => `\n${INDENT.repeat(depth + 1)}| ${type}`).join('')
}

/** Behind a colon or an equals sign; alternatives below each other begin on a line of their own. */
export const spaced = (type: string): string => (type.startsWith('\n') ? type : ` ${type}`)

export function literal(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

export function commentOf(text: string | undefined, depth = 0): string {
  if (text === undefined) return ''
  const margin = INDENT.repeat(depth)
  const safe = text.replaceAll('*/', '*\\/')
  const line = `${margin}/** ${safe} */\n`
  if (line.length <= MAX_LINE_LENGTH) return line
  return `${margin}/**\n${wrapped(safe, MAX_LINE_LENGTH - margin.length - 3)
    .map((part) => `${margin} * ${part}\n`)
    .join('')}${margin} */\n`
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
