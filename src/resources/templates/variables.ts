import { invalid, type Problem } from '../../core/errors.ts'
import type { Variables } from '../../template/index.ts'
import type { CreateTemplate, TemplateVariable } from './schema.ts'

/** Variables as they are stored. One name with two fallbacks would leave the choice to chance. */
export function declared(variables: NonNullable<CreateTemplate['variables']>): TemplateVariable[] {
  const names = variables.map(({ name }) => name)
  const repeated = names.flatMap((name, index) => (names.indexOf(name) < index ? [index] : []))
  if (repeated.length > 0) {
    throw invalid(repeated.map((index) => ({ path: `/variables/${index}/name`, message: 'is declared twice' })))
  }
  return variables.map(({ name, required = false, fallback = null }) => ({ name, required, fallback }))
}

export const missingFrom = (given: Variables, variables: readonly TemplateVariable[]): Problem[] =>
  variables
    .filter(({ name, required }) => required && isMissing(valueAt(given, name.split('.'))))
    .map(({ name }) => ({ path: `/variables/${name.replaceAll('.', '/')}`, message: 'is required by the template' }))

export function withFallbacks(given: Variables, variables: readonly TemplateVariable[]): Variables {
  const copies: Copies = new WeakSet()
  return variables.reduce(
    (complete, { name, fallback }) =>
      fallback === null ? complete : withDefault(complete, name.split('.'), fallback, copies),
    given,
  )
}

/** Objects that were copied before: two hundred fallbacks do not copy a hundred thousand variables as often. */
type Copies = WeakSet<Variables>

const isMissing = (value: unknown): boolean => value === undefined || value === null

function valueAt(variables: Variables, path: readonly string[]): unknown {
  let value: unknown = variables
  for (const name of path) value = isRecord(value) ? ownOf(value, name) : undefined
  return value
}

/** Copies on the way down: what the caller gave stays as it is, and so does a value where an object was expected. */
function withDefault(
  target: Variables,
  [name = '', ...rest]: readonly string[],
  fallback: string,
  copies: Copies,
): Variables {
  const present = ownOf(target, name)
  if (rest.length === 0) return isMissing(present) ? withOne(target, name, fallback, copies) : target
  if (!isMissing(present) && !isRecord(present)) return target
  return withOne(target, name, withDefault(isRecord(present) ? present : {}, rest, fallback, copies), copies)
}

function withOne(target: Variables, name: string, value: unknown, copies: Copies): Variables {
  const copy: Record<string, unknown> = copies.has(target) ? target : { ...target }
  copies.add(copy)
  copy[name] = value
  return copy
}

const isRecord = (value: unknown): value is Variables =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What an object inherits, such as `constructor`, is nobody's variable. */
const ownOf = (target: Variables, name: string): unknown => (Object.hasOwn(target, name) ? target[name] : undefined)
