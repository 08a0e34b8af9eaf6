import { Compile } from 'typebox/schema'
import type { Document, Operation, Schema } from '../document.ts'
import { headBytes, type Received, type Sent } from './wire.ts'

const JSON_TYPE = 'application/json'

type Judge = (operation: Operation | undefined, sent: Sent, received: Received) => string[]

interface Validator {
  Check(value: unknown): boolean
  Errors(value: unknown): unknown
}

/** Everything in which an answer differs from what the document says. */
export function judgeOf(document: Document): Judge {
  const validators = new Map<Schema, Validator>()
  const validatorOf = (schema: Schema): Validator => {
    const known = validators.get(schema) ?? Compile(checkable({ ...schema, components: document.components }))
    validators.set(schema, known)
    return known
  }
  const anyRefusal = { $ref: '#/components/schemas/Error' }
  return (operation, sent, received) => {
    const { method } = sent
    const { status, headers } = received
    const faults: string[] = []
    if (status >= 500) faults.push(`status ${status}`)
    const requestId = headers['x-request-id']
    if (!/^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(String(requestId))) faults.push(`X-Request-Id is ${requestId}`)
    if (method === 'HEAD') return faults
    const types = Object.keys(operation?.operation.responses[status]?.content ?? {})
    const [type = ''] = String(headers['content-type']).split(';')
    if (types.some((documented) => documented !== JSON_TYPE && (documented === type || documented === '*/*')))
      return faults
    if (!String(headers['content-type']).startsWith('application/json')) {
      return [...faults, `content type ${headers['content-type']}`]
    }
    const body = JSON.parse(received.text) as Record<string, unknown>
    const response = operation?.operation.responses[status]
    if (operation === undefined && !unroutable(sent).includes(status)) faults.push('an answer to an unknown operation')
    if (operation !== undefined && response === undefined) faults.push(`status ${status} is not documented`)
    if (status === 405 && String(headers['allow']).split(', ').includes(method)) faults.push(`${method} is allowed`)
    const documented = response?.content?.['application/json']?.schema ?? anyRefusal
    const schema = status < 300 ? closed(documented) : documented
    const validator = validatorOf(schema)
    if (!validator.Check(body)) faults.push(`the body does not fit: ${JSON.stringify(validator.Errors(body))}`)
    if (status >= 400 && body['requestId'] !== requestId) faults.push('the body names another request id')
    // A POST that finds what it would make answers that, as it was.
    const written = status < 300 && method !== 'GET' && !(method === 'POST' && status === 200)
    if (written && sent.body !== undefined && operation?.uploads.length === 0) faults.push(...altered(sent.body, body))
    return faults
  }
}

/** RFC 1123 allows two hyphens at any place within a label, and names with them are in use; the validator refuses them. */
const checkable = (schema: Schema): Schema =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === 'format' && value === 'hostname' ? undefined : value)),
  ) as Schema

/** Text that was accepted comes back as it was sent; times in another spelling, one of several as a list of one. */
function altered(sent: string | Buffer, body: Record<string, unknown>): string[] {
  const text = String(sent).replace(/^\ufeff/, '')
  const fields = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  // The subject of an email with variables is a template, and what is made of it has no space around it.
  const isMade = (name: string): boolean =>
    name === 'subject' && 'to' in fields && (fields['variables'] ?? null) !== null
  const expected = (name: string, value: string): string => (isMade(name) ? value.trim() : value)
  return (
    Object.entries(fields)
      // Of an SMS `auto` is asked for, and what it came to is answered.
      .filter(([name]) => name in body && !name.endsWith('At') && name !== 'encoding')
      .filter(([name, value]) => typeof value === 'string' && String(body[name]) !== expected(name, value))
      .map(([name]) => `${name} was accepted, but altered`)
  )
}

/** What can be said about a path that is not ours; a head of about 16 KiB may not even be read that far. */
const unroutable = (sent: Sent): number[] => (headBytes(sent) > 15_500 ? [400, 404, 405] : [404, 405])

interface Parts {
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

const closedBefore = new WeakMap<Schema, Schema>()

/** A view shows what is documented and nothing more: a field that slipped in is a field that somebody relies on. */
export function closed(schema: Schema): Schema {
  const known = closedBefore.get(schema)
  if (known !== undefined) return known
  const { properties, items, anyOf } = schema as Parts
  const strict = {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, closed(field)])),
      additionalProperties: schema['additionalProperties'] ?? false,
    }),
    ...(items && { items: closed(items) }),
    ...(anyOf && { anyOf: anyOf.map(closed) }),
  }
  closedBefore.set(schema, strict)
  return strict
}
