import { PROJECT_HEADER } from '../http/project-context.ts'
import { idPrefix, isProjectLocal, isTime, JSON_TYPE, type Operation, type Schema, type Side } from './document.ts'

/** A command to paste as it is. */
export function curl(operation: Operation, query = '', header = ''): string {
  const { method, url, parameters = [], security, requestBody, soon } = operation
  const needed = parameters.filter((each) => each.required)
  const values = new Map(needed.map(({ name, schema }) => [name, String(sample(schema, name, 'request'))]))
  const address = url.replaceAll(/\{(\w+)\}/g, (hole, name: string) => encodeURIComponent(values.get(name) ?? hole))
  const questions = needed
    .filter((each) => each.in === 'query')
    .map(({ name }) => `${name}=${encodeURIComponent(values.get(name) ?? '')}`)
  const asked = questions.length === 0 ? query : `?${questions.join('&')}${query.replace('?', '&')}`
  const body = requestBody?.content[JSON_TYPE]
  const upload = Object.keys(requestBody?.content ?? {}).find((type) => type !== JSON_TYPE)
  const parts = [
    method === 'get' ? quoted(address + asked) : `-X ${method.toUpperCase()} ${quoted(address + asked)}`,
    security.length > 0 && '-H "authorization: Bearer $POSTHOUSE_KEY"',
    isProjectLocal(operation) && `-H "${PROJECT_HEADER}: $POSTHOUSE_PROJECT"`,
    ...needed.filter((each) => each.in === 'header').map(({ name }) => `-H ${quoted(`${name}: ${values.get(name)}`)}`),
    header && `-H ${quoted(header)}`,
    body && `-H ${quoted(`content-type: ${JSON_TYPE}`)}`,
    body && `-d ${quoted(written(sample(body.schema, '', 'request'), soon))}`,
    upload && `-H ${quoted(`content-type: ${upload}`)}`,
    upload && `--data-binary ${quoted(fileSample)}`,
  ]
  return `curl ${parts.filter(Boolean).join(' \\\n  ')}`
}

/** Whatever is to be sent later is to be sent at a time that has not come yet. */
const written = (body: unknown, soon: string): string =>
  JSON.stringify(body, (name, value: unknown) => (name === 'sendAt' ? soon : value), 2)

const fileSample = 'email,firstName\nada@example.com,Ada\n'

/** One word to a POSIX shell. */
const quoted = (text: string): string =>
  /^[\w:/.%-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A value that fits the schema, the same on every start. */
export function sample(schema: Schema, name: string, side: Side): unknown {
  const given = schema.examples?.[0] ?? schema.const ?? schema.enum?.[0]
  if (given !== undefined) return given
  if (schema.anyOf?.[0]) return sample(schema.anyOf[0], name, side)
  const [type, ...others] = [schema.type].flat()
  // A time that may be null is mostly one that has not come yet.
  if (others.includes('null') && isTime(schema)) return null
  if (type === 'object') return sampleObject(schema, side)
  if (type === 'array') return schema.items ? [sample(schema.items, name, side)] : []
  if (type === 'string') return sampleText(schema, name)
  if (type === 'boolean') return true
  const isNumber = type === 'integer' || type === 'number'
  return isNumber ? Math.min(Math.max(schema.minimum ?? 0, 10), schema.maximum ?? 10) : null
}

/** A response shows everything. A request shows what it needs and what is telling; without either, everything. */
function sampleObject({ properties = {}, required = [] }: Schema, side: Side): unknown {
  const all = Object.entries(properties)
  const telling = all.filter(([key]) => side === 'response' || required.includes(key) || words.has(key))
  const shown = telling.length > 0 ? telling : all
  return Object.fromEntries(shown.map(([key, value]) => [key, sample(value, key, side)]))
}

function sampleText(schema: Schema, name: string): string {
  const { pattern = '', minLength = 0, maxLength = Infinity, format = '' } = schema
  const prefix = idPrefix(schema)
  if (prefix !== undefined) return idSample(prefix)
  const fits = (text: string): boolean =>
    new RegExp(pattern).test(text) && text.length >= minLength && text.length <= maxLength
  return [words.get(name) ?? words.get(format) ?? 'string', ...words.values()].find(fits) ?? 'string'
}

export const idSample = (prefix: string): string => `${prefix}_01kf0q9h2rfx8b6t3m5vz7d4ce`

export const cursorSample = 'AZt9wKjCd-2mKf5n1qYVzg'

/** By the name of a field, or by its format. */
const words = new Map([
  // The only id that is no id of ours: an accounting period is a month.
  ['id', '2026-01'],
  ['contactId', idSample('con')],
  ['date-time', '2026-01-15T09:30:00.000Z'],
  ['email', 'ada@example.com'],
  ['from', 'Acme <hello@example.com>'],
  ['html', '<p>Welcome, Ada.</p>'],
  ['idn-email', 'ada@example.com'],
  ['name', 'Acme'],
  ['nextCursor', cursorSample],
  ['subject', 'Welcome'],
  ['to', 'ada@example.com'],
  ['url', 'https://example.com/hooks'],
])
