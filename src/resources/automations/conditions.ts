/** What a condition asks of a contact: read, and answered. */
import type { Problem } from '../../core/errors.ts'
import { decodeId, type TagId } from '../../core/ids.ts'
import type { Condition, ConditionValue } from './schema.ts'
import { operators, type Operator } from './states.ts'

const MAX_DEPTH = 5
const MAX_TOGETHER = 20
const MAX_TEXT_LENGTH = 1_000
const plainFields = new Set(['email', 'firstName', 'lastName'])
const withoutValue = new Set<Operator>(['exists', 'notExists'])
const forTags = new Set<Operator>(['contains', 'notContains'])

/** What a contact can be asked about. */
export interface Asked {
  email: string
  firstName: string | null
  lastName: string | null
  properties: Readonly<Record<string, unknown>>
  tags: ReadonlySet<TagId>
}

/** Everything that is wrong with the form of a condition. */
export function conditionProblems(given: unknown, path: string, depth = 1): Problem[] {
  const problem = (message: string, below = ''): Problem[] => [{ path: `${path}${below}`, message }]
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return problem('must be object')
  const condition = given as Record<string, unknown>
  const known = 'and' in condition ? ['and'] : 'or' in condition ? ['or'] : ['field', 'operator', 'value']
  const unknown = Object.keys(condition).filter((name) => !known.includes(name))
  if (unknown.length > 0) return unknown.flatMap((name) => problem('is not known here', `/${name}`))
  const [word] = known
  if (word === 'field') return comparisonProblems(condition, path)
  const inner = condition[word ?? '']
  if (!Array.isArray(inner) || inner.length === 0 || inner.length > MAX_TOGETHER) {
    return problem(`must be a list of 1 to ${MAX_TOGETHER} conditions`, `/${word}`)
  }
  if (depth === MAX_DEPTH) return problem(`must not be nested deeper than ${MAX_DEPTH}`, `/${word}`)
  return inner.flatMap((one, i) => conditionProblems(one, `${path}/${word}/${i}`, depth + 1))
}

function comparisonProblems({ field, operator, value }: Record<string, unknown>, path: string): Problem[] {
  const problems: Problem[] = []
  const isKnown =
    typeof field === 'string' && (plainFields.has(field) || field === 'tags' || /^properties\../.test(field))
  if (!isKnown || field.length > 120) {
    problems.push({ path: `${path}/field`, message: 'must be email, firstName, lastName, tags or properties.<name>' })
  }
  const word = operators.find((one) => one === operator)
  const allowed = field === 'tags' ? [...forTags] : operators
  if (word === undefined || !allowed.includes(word)) {
    problems.push({ path: `${path}/operator`, message: `must be one of ${allowed.join(', ')}` })
  } else if (withoutValue.has(word) !== (value === undefined)) {
    problems.push({ path: `${path}/value`, message: value === undefined ? 'is required' : 'is not known here' })
  }
  if (value !== undefined && !['string', 'number', 'boolean'].includes(typeof value)) {
    problems.push({ path: `${path}/value`, message: 'must be string, number or boolean' })
  }
  if (typeof value === 'string' && value.length > MAX_TEXT_LENGTH) {
    problems.push({ path: `${path}/value`, message: `must not have more than ${MAX_TEXT_LENGTH} characters` })
  }
  return problems
}

/** The tags that a condition names; undefined for what is no id of a tag. */
export function tagsIn(condition: Condition): (TagId | undefined)[] {
  if ('and' in condition) return condition.and.flatMap(tagsIn)
  if ('or' in condition) return condition.or.flatMap(tagsIn)
  return condition.field === 'tags' ? [decodeId('tag', String(condition.value))] : []
}

export function isTrue(condition: Condition, asked: Asked): boolean {
  if ('and' in condition) return condition.and.every((one) => isTrue(one, asked))
  if ('or' in condition) return condition.or.some((one) => isTrue(one, asked))
  const { field, operator, value = '' } = condition
  if (field === 'tags') {
    const id = decodeId('tag', String(value))
    return (id !== undefined && asked.tags.has(id)) === (operator === 'contains')
  }
  const present = valueOf(field, asked)
  const wanted = field === 'email' && typeof value === 'string' ? value.toLowerCase() : value
  switch (operator) {
    case 'exists':
      return isThere(present)
    case 'notExists':
      return !isThere(present)
    case 'equals':
      return isEqual(present, wanted)
    case 'notEquals':
      return !isEqual(present, wanted)
    case 'contains':
      return contains(present, wanted)
    case 'notContains':
      return !contains(present, wanted)
    case 'startsWith':
      return isThere(present) && String(present).startsWith(String(wanted))
    case 'endsWith':
      return isThere(present) && String(present).endsWith(String(wanted))
    case 'greaterThan':
      return compared(present, wanted, (order) => order > 0)
    case 'greaterOrEqual':
      return compared(present, wanted, (order) => order >= 0)
    case 'lessThan':
      return compared(present, wanted, (order) => order < 0)
    case 'lessOrEqual':
      return compared(present, wanted, (order) => order <= 0)
  }
}

function valueOf(field: string, asked: Asked): unknown {
  if (field.startsWith('properties.')) {
    const name = field.slice('properties.'.length)
    return Object.hasOwn(asked.properties, name) ? asked.properties[name] : undefined
  }
  return { email: asked.email, firstName: asked.firstName, lastName: asked.lastName }[field]
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** Files of contacts hold nothing but text; beside a number or a truth value, text that says one counts as one. */
function asKind(present: unknown, wanted: ConditionValue): unknown {
  if (typeof present !== 'string') return present
  if (typeof wanted === 'number' && present.trim() !== '') return Number(present)
  if (typeof wanted === 'boolean' && (present === 'true' || present === 'false')) return present === 'true'
  return present
}

const isEqual = (present: unknown, wanted: ConditionValue): boolean => asKind(present, wanted) === wanted

function contains(present: unknown, wanted: ConditionValue): boolean {
  if (Array.isArray(present)) return present.some((item) => isEqual(item, wanted))
  return isThere(present) && String(present).includes(String(wanted))
}

function compared(present: unknown, wanted: ConditionValue, holds: (order: number) => boolean): boolean {
  const value = asKind(present, wanted)
  if (typeof value !== typeof wanted || (typeof value !== 'number' && typeof value !== 'string')) return false
  if (value === '' || Number.isNaN(value)) return false
  return holds(value === wanted ? 0 : value > wanted ? 1 : -1)
}
