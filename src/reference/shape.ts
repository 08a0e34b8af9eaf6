import { markup, type Markup } from '../core/markup.ts'
import { idPrefix, isTime, JSON_TYPE, type Content, type Operation, type Schema, type Side } from './document.ts'
import { fold, inline, prose, table, type Row } from './markup.ts'

/** All parameters of an operation, or those of the given names. */
export function parameterTable({ parameters = [] }: Operation, names?: string[]): Markup {
  const shown = parameters.filter(({ name }) => names?.includes(name) ?? true)
  const rows = shown.map(({ name, in: place, required = false, description = '', schema }): Row => {
    return [name, place, valueText({ description, ...schema }, required && 'required')]
  })
  return table('Name', 'Value', rows)
}

export function contentText(content: Content, side: Side): Markup {
  const schema = content[JSON_TYPE]?.schema
  if (schema === undefined) return markup`<p><code>${Object.keys(content).join(', ') || 'No content'}</code></p>`
  return markup`${schema.type !== 'object' && valueText(schema)}${shape(schema, side)}`
}

/** The fields of a shape, down to the last. A request marks what it must have, a response what it may lack. */
export function shape(schema: Schema, side: Side): Markup | undefined {
  const inner = schema.items ?? Object.values(schema.patternProperties ?? {})[0]
  if (inner) return shape(inner, side)
  const variants = schema.anyOf?.map((each) => shape(each, side)).filter((each) => each !== undefined) ?? []
  if (variants.length > 0) return markup`${variants.flatMap((each) => [markup`<p>or</p>`, each]).slice(1)}`
  if (schema.properties === undefined) return undefined
  const fields = Object.entries(schema.properties).map(([name, field]) => {
    const isRequired = schema.required?.includes(name) ?? false
    const mark = side === 'request' ? isRequired && 'required' : !isRequired && 'may be absent'
    return markup`<li><code>${name}</code> ${valueText(field, mark)}${shape(field, side)}\n`
  })
  return markup`<ul class="fields">${fields}</ul>`
}

function valueText(schema: Schema, mark: string | false = false): Markup {
  const limits = new Set([typeName(schema), ...limitsOf(schema)])
  const small = [...limits].map((text) => markup`<small>${inline(text)}</small> `)
  return markup`${small}${mark && markup`<strong>${mark}</strong>`}${prose(schema.description ?? '')}${choices(schema)}`
}

function typeName(schema: Schema): string {
  const types = [schema.type ?? typeof (schema.const ?? schema.enum?.[0])].flat()
  const names = types.map((type) => {
    if (type === 'array') return `array of ${typeName(schema.items ?? {})}`
    if (type === 'string' && isTime(schema)) return 'timestamp'
    if (schema.patternProperties) return `map of ${Object.values(schema.patternProperties).map(typeName).join(' or ')}`
    return type === 'undefined' ? 'anything' : type
  })
  return [...new Set(schema.anyOf?.map(typeName) ?? names)].join(' or ')
}

function limitsOf(schema: Schema): string[] {
  const prefix = idPrefix(schema)
  const own = [
    prefix && `\`${prefix}_…\``,
    range(schema.minLength, schema.maxLength, 'characters'),
    range(schema.minItems, schema.maxItems, 'items'),
    range(schema.minimum, schema.maximum, ''),
    schema.pattern && !prefix && !isTime(schema) && `\`${schema.pattern}\``,
  ].filter((text) => typeof text === 'string')
  return [...own, ...[schema.items ?? [], schema.anyOf ?? []].flat().flatMap(limitsOf)]
}

function range(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  // The largest exact integer is how a shape says that there is no limit.
  const end = most === Number.MAX_SAFE_INTEGER ? undefined : most?.toLocaleString('en')
  if (least === undefined) return end && `at most ${end} ${unit}`
  return end === undefined ? `at least ${least} ${unit}` : `${least}–${end} ${unit}`
}

function choices({ enum: many, const: one, items, anyOf = [] }: Schema): Markup {
  const list = (many ?? [one ?? []].flat()).map((value) => markup` <code>${String(value)}</code>`)
  if (list.length > 8) return fold(`One of ${list.length} values`, markup`<p>${list}</p>`)
  if (list.length > 0) return markup`<p>${list.length > 1 ? 'One of' : 'Always'}${list}</p>`
  return markup`${items && choices(items)}${anyOf.map(choices)}`
}
