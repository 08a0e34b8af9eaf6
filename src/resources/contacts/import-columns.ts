/**
 * What the columns of a CSV file mean: what the caller says of them, and of those that they say nothing of, what their
 * names say.
 */
import { invalid, type DomainError, type Problem } from '../../core/errors.ts'
import type { ColumnMap } from './schema.ts'
import { MAX_PROPERTY_NAME_LENGTH } from './limits.ts'

export type Column = { name: Field | 'property' | 'ignored'; title: string }

type Field = keyof typeof known

/** What columns are called, in small letters and without signs: `First Name`, `first_name` and `firstName` are one. */
const known = {
  email: ['email', 'emailaddress', 'mail'],
  firstName: ['firstname', 'givenname', 'forename'],
  lastName: ['lastname', 'surname', 'familyname'],
  tags: ['tags'],
  optedIn: ['optedin', 'optin'],
  subscribed: ['subscribed'],
  properties: ['properties'],
  consentSource: ['consentsource'],
  consentAt: ['consentat'],
  consentIp: ['consentip'],
  consentUserAgent: ['consentuseragent'],
  consentText: ['consenttext'],
} as const

const fields = Object.keys(known) as Field[]

/** Columns of our own exports that cannot be set. */
const ours = new Set(['contactId', 'createdAt', 'updatedAt', 'unsubscribedAt'])

const MAX_COLUMNS = 150

/** Throws when no row could be read with these. */
export function columnsOf(header: readonly string[], map: ColumnMap): Column[] {
  if (header.length > MAX_COLUMNS) throw refusedHeader(`has more than ${MAX_COLUMNS} columns`)
  const titles = header.map((text) => text.trim())
  const said = readMap(map, titles)
  const columns = titles.map((title) => said.get(title) ?? byName(title))
  const seen = new Set<string>()
  for (const { name, title } of columns) {
    if (name === 'ignored') continue
    const target = name === 'property' ? `properties.${title}` : name
    if (seen.has(target)) throw refusedHeader(`has two columns for ${target}`)
    seen.add(target)
  }
  if (!seen.has('email')) throw refusedHeader('has no column for email')
  return columns
}

/** Reads which column each title of the map stands for. */
function readMap(map: ColumnMap, titles: readonly string[]): ReadonlyMap<string, Column> {
  const problems: Problem[] = []
  const said = new Map<string, Column>()
  const refuse = (written: string, message: string): void => {
    problems.push({ path: `/query/map/${written.replaceAll('~', '~0').replaceAll('/', '~1')}`, message })
  }
  for (const [written, target] of Object.entries(map)) {
    const title = written.trim()
    const column = targetOf(target)
    if (!titles.includes(title)) refuse(written, 'is no column of the file')
    else if (said.has(title)) refuse(written, 'is a column that is mapped already')
    if (column === undefined) refuse(written, `must be one of ${fields.join(', ')}, properties.<name>, skip`)
    else said.set(title, column)
  }
  if (problems.length > 0) throw invalid(problems)
  return said
}

const PROPERTY = 'properties.'

function targetOf(target: string): Column | undefined {
  if (target === 'skip') return { name: 'ignored', title: target }
  const field = fields.find((each) => each === target)
  if (field !== undefined) return { name: field, title: field }
  if (!target.startsWith(PROPERTY)) return undefined
  const title = target.slice(PROPERTY.length)
  const isUsable = title.trim() === title && isName(title) && title.length <= MAX_PROPERTY_NAME_LENGTH
  return isUsable ? { name: 'property', title } : undefined
}

function byName(title: string): Column {
  if (ours.has(title)) return { name: 'ignored', title }
  const plain = title.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const field = fields.find((each) => (known[each] as readonly string[]).includes(plain))
  if (field !== undefined) return { name: field, title: field }
  if (!isName(title)) throw refusedHeader('has a column without a usable name')
  return { name: 'property', title }
}

const isName = (title: string): boolean => title !== '' && title !== '__proto__'

export const refusedHeader = (message: string): DomainError =>
  invalid([{ path: '/', message: `${message} in its header` }])
