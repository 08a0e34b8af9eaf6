import fc from 'fast-check'
import type { Schema } from '../document.ts'

/** Stands for the id of something that is there when the request is sent; `pick` says which of them. */
export class Existing {
  readonly kind: string
  readonly pick: number

  constructor(kind: string, pick: number) {
    this.kind = kind
    this.pick = pick
  }
}

/** Values that a schema of the document allows, and mostly those that mean something to the service. */
export function valueFor(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema['const'])
  if (Array.isArray(schema['enum'])) return fc.constantFrom<unknown>(...(schema['enum'] as unknown[]))
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => valueFor(choice, name)))
  const types = [schema['type']].flat() as string[]
  const value = valueOfType(types[0] ?? 'object', schema, name)
  return types.includes('null') ? fc.option(value, { nil: null, freq: 4 }) : value
}

function valueOfType(type: string, schema: Schema, name: string): fc.Arbitrary<unknown> {
  const { minimum, maximum, minItems, maxItems, items } = schema as Record<string, number> & { items?: Schema }
  switch (type) {
    case 'object':
      return objectFor(schema)
    case 'array':
      return fc.array(valueFor(items ?? {}, name), { minLength: minItems ?? 0, maxLength: Math.min(maxItems ?? 5, 5) })
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.maxSafeInteger().map((n) => clamp(n, minimum, maximum))
    case 'number':
      return fc.double({ min: minimum ?? -1e9, max: maximum ?? 1e9, noNaN: true })
    default:
      return textFor(schema, name)
  }
}

function objectFor(schema: Schema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Schema>; required?: string[] }
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valueFor(field, name)]))
  const recordWith = (names: readonly string[]) => fc.record(fields, { requiredKeys: names as never[] })
  const usual = ['subject', 'html'].filter((name) => name in fields)
  if (usual.length === 0) return recordWith(required)
  const complete = recordWith([...new Set([...required, ...usual])])
  return fc.oneof({ weight: 4, arbitrary: complete }, { weight: 1, arbitrary: recordWith(required) })
}

function textFor(schema: Schema, name: string): fc.Arbitrary<unknown> {
  const { pattern, description = '' } = schema as { pattern?: string; description?: string }
  const prefix = /^\^(\w+)_\[/.exec(pattern ?? '')?.[1] ?? /^An id that starts with `(\w+)_`/.exec(description)?.[1]
  // In the simulator: the sandbox sends a broadcast to nobody else.
  const person = fc.nat(1).map((pick) => `person${pick}@simulator.posthouse.test`)
  const existing = fc.nat().map((pick) => new Existing(prefix ?? '', pick))
  // Most templates cannot be used without the right variables.
  if (name === 'templateId') return fc.option(existing, { nil: undefined, freq: 1 })
  if (prefix !== undefined) return existing
  if (name === 'cursor') return fc.nat().map((pick) => new Existing('cursor', pick))
  if (description.startsWith('A domain name')) return fc.domain()
  if (name === 'sendAt') return fc.nat(300 * 86_400).map((s) => new Date(Date.now() + s * 1_000).toISOString())
  if (name === 'capturedAt' || name === 'at')
    return fc.nat(300 * 86_400).map((s) => new Date(Date.now() - s * 1_000).toISOString())
  if (description.startsWith('A phone number'))
    return fc.nat(30).map((pick) => `+120255501${String(pick).padStart(2, '0')}`)
  if (description.startsWith('E.164, a short code')) return fc.nat(999).map((pick) => `+1415555${String(1_000 + pick)}`)
  if (description.startsWith('ISO 3166')) return fc.constantFrom('US', 'CA', 'GB')
  if (description.startsWith('A time of day')) return fc.constantFrom('08:00', '21:00')
  if (description.startsWith('A web page')) return fc.webUrl({ validSchemes: ['https'] })
  if (description.startsWith('An IP address')) return fc.ipV4()
  if (description.startsWith('An IANA time zone')) return fc.constantFrom('America/New_York', 'Europe/Paris')
  if (description.startsWith('One or two of')) return fc.constantFrom('day', 'day,country', 'status,sender')
  if (description.startsWith('ISO 8601')) {
    return fc
      .date({ min: new Date('2050-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
      .map((d) => d.toISOString())
  }
  if (description.startsWith('An https URL')) {
    return fc.oneof(fc.constant('https://192.31.7.1/hook'), fc.webUrl({ validSchemes: ['https'] }))
  }
  if (description.startsWith('A mailbox')) return fc.nat(4).map((pick) => mailboxFor(name, pick))
  if (description.startsWith('The bytes, in base64')) return fc.base64String()
  if (description.startsWith('The Message-ID')) return fc.uuid().map((id) => `<${id}@example.com>`)
  if (name === 'contentType') return fc.constantFrom('text/plain', 'application/pdf', 'image/png; x=y')
  if (name === 'contentId') return fc.uuid()
  if (name === 'tag') return fc.constantFrom('kind:welcome', 'kind:')
  // Few of them, so that one call often meets what another one left.
  if (description.startsWith('An email address')) return person
  if (name === 'contactId')
    return fc.oneof(
      person,
      fc.nat().map((pick) => new Existing('con', pick)),
    )
  const { minLength = 0, maxLength = 100 } = schema as { minLength?: number; maxLength?: number }
  const length = { minLength, maxLength: Math.min(maxLength, 40) }
  const any = fc.oneof(fc.string({ ...length, unit: 'grapheme' }), fc.string({ ...length, unit: 'grapheme-ascii' }))
  if (pattern === undefined) return any
  const form = new RegExp(pattern, 'u')
  // What is forbidden chance avoids by itself; what is prescribed it would never find.
  return /\(\?|\[\^/.test(pattern) ? any.filter((text) => form.test(text)) : fc.stringMatching(form)
}

/** Nobody has a verified domain here: only the sandbox can send, and only to the simulator. */
const mailboxFor = (name: string, pick: number): string =>
  name === 'from' ? 'Sänder <sandbox@sandbox.posthouse.test>' : `delivered+${name}${pick}@simulator.posthouse.test`

const clamp = (n: number, least = -1e15, most = 1e15): number =>
  n >= least && n <= most ? n : least + (Math.abs(n) % (Math.min(most, least + 1e15) - least + 1))
