import { unguarded } from '../../core/csv.ts'
import { DomainError, invalid, type Problem } from '../../core/errors.ts'
import { addressKey } from '../../mail/address.ts'
import { isStorable, parseJson, UNSTORABLE } from '../../shapes/json.ts'
import { readGiven, type Given } from './change.ts'
import { firstByte, MAX_ROW_LENGTH, NOT_UTF8, readRow, separatorOf } from './csv.ts'
import { columnsOf, refusedHeader, type Column } from './import-columns.ts'
import type { RowCheck } from './row-check.ts'
import type { ColumnMap, ImportedContact, ImportFormat } from './schema.ts'

/** A row of a file: a contact, a refusal, or nothing. `end` is where the next row begins. */
export type ImportRow = { end: number } & (
  | { kind: 'contact'; given: Given; tags: readonly string[] }
  | { kind: 'refused'; email: string | null; problem: string }
  | { kind: 'blank' }
)

/** Knows what the rows of one file look like. */
export interface RowReader {
  /** The position at which the first row begins. */
  readonly start: number
  /** Undefined when the end of the row is not among these bytes. */
  read(bytes: Buffer, start: number, isWhole: boolean, now: number): ImportRow | undefined
}

/** Takes the beginning of a file. A header that fits no row is refused here, before anything is stored. */
export async function readerFor({ format, map }: FileKind, head: Buffer, isWhole: boolean): Promise<RowReader> {
  // Loaded with the first import: a worker needs the library of shapes for nothing else.
  const { checkRow } = await import('./row-check.ts')
  return format === 'csv' ? csvReader(head, isWhole, map ?? {}, checkRow) : ndjsonReader(head, checkRow)
}

/** How a file is to be read. */
export interface FileKind {
  format: ImportFormat
  /** What the columns of CSV are, where the caller says so. */
  map: ColumnMap | null
}

function csvReader(head: Buffer, isWhole: boolean, map: ColumnMap, check: RowCheck): RowReader {
  const first = firstByte(head)
  const separator = separatorOf(head.subarray(first))
  const header = readRow(head, first, separator, isWhole)
  if (header === undefined || 'problem' in header) throw refusedHeader(`${header?.problem ?? 'is too long'}`)
  const columns = columnsOf(header.fields, map)
  return {
    start: header.end,
    read(bytes, start, isEnd, now) {
      const row = readRow(bytes, start, separator, isEnd)
      if (row === undefined) return undefined
      const { end } = row
      if ('problem' in row) return { kind: 'refused', end, email: null, problem: `The row ${row.problem}.` }
      const { fields } = row
      if (fields.every((field) => field.trim() === '')) return { kind: 'blank', end }
      if (fields.length !== columns.length) {
        const problem = `The row has ${fields.length} fields where the header has ${columns.length}.`
        return { kind: 'refused', end, email: null, problem }
      }
      return { ...readContact(() => contactOf(columns, fields), check, now), end }
    },
  }
}

const LF = 0x0a

function ndjsonReader(head: Buffer, check: RowCheck): RowReader {
  return {
    start: firstByte(head),
    read(bytes, start, isEnd, now) {
      const found = bytes.indexOf(LF, start)
      if (found < 0 && !isEnd && bytes.length - start <= MAX_ROW_LENGTH) return undefined
      const end = found < 0 ? bytes.length : found + 1
      const line = bytes.subarray(start, end)
      if (line.length > MAX_ROW_LENGTH) {
        return { kind: 'refused', end, email: null, problem: `The row is longer than ${MAX_ROW_LENGTH} bytes.` }
      }
      if (line.toString('latin1').trim() === '') return { kind: 'blank', end }
      return { ...readContact(() => parseJson(line), check, now), end }
    },
  }
}

type ReadContact =
  | { kind: 'contact'; given: Given; tags: readonly string[] }
  | { kind: 'refused'; email: string | null; problem: string }

/** Reads a row by the rules for a single call, with the problems in one line. */
function readContact(read: () => unknown, check: RowCheck, now: number): ReadContact {
  let value: unknown
  try {
    value = read()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const { details } = error.extra as { details?: readonly Problem[] }
    return { kind: 'refused', email: null, problem: details === undefined ? error.message : sentence(details) }
  }
  const email = emailIn(value)
  const { value: contact, problems } = check(value)
  if (problems.length > 0) return { kind: 'refused', email, problem: sentence(problems) }
  // The check has just said so.
  const { tags = [], ...fields } = contact as ImportedContact
  if (fields.optedIn === false) return { kind: 'refused', email, problem: NOT_OPTED_IN }
  const result = readGiven(fields, now)
  if ('problems' in result) return { kind: 'refused', email, problem: sentence(result.problems) }
  return { kind: 'contact', given: result.given, tags }
}

const NOT_OPTED_IN = 'The row says that the person has not opted in.'

const sentence = (problems: readonly Problem[]): string =>
  problems
    .map(({ path, message }) => `${path === '/' ? 'The row' : path.slice(1)} ${message}.`)
    .join(' ')
    .slice(0, 1_000)

const MAX_EMAIL_LENGTH = 320

/** The address for the report, in lower case so that it is found when the person is to be forgotten. */
function emailIn(value: unknown): string | null {
  const email = typeof value === 'object' && value !== null && 'email' in value ? value.email : null
  return typeof email === 'string' ? addressKey({ email: email.slice(0, MAX_EMAIL_LENGTH) }) : null
}

/** An empty cell leaves the field as it is. */
function contactOf(columns: readonly Column[], fields: readonly string[]): unknown {
  const contact: Record<string, unknown> = {}
  const consent: Record<string, string> = {}
  const properties: Record<string, unknown> = {}
  const problems: Problem[] = []
  columns.forEach(({ name, title }, i) => {
    const text = unguarded((fields[i] ?? '').trim())
    if (text === '' || name === 'ignored') return
    if (!isStorable(text)) problems.push({ path: `/${title}`, message: text.includes('\0') ? UNSTORABLE : NOT_UTF8 })
    else if (name === 'property') properties[title] = text
    else if (name === 'properties') Object.assign(properties, parseJson(Buffer.from(text)))
    else if (name === 'tags') contact['tags'] = text.split(/[;,|]/).flatMap((tag) => tag.trim() || [])
    else if (name === 'optedIn' || name === 'subscribed') contact[name] = truthOf(text)
    else if (name.startsWith('consent')) consent[consentFields[name] ?? name] = text
    else contact[name] = text
  })
  if (problems.length > 0) throw invalid(problems)
  if (Object.keys(consent).length > 0) contact['consent'] = consent
  if (Object.keys(properties).length > 0) contact['properties'] = properties
  return contact
}

const consentFields: Readonly<Record<string, string>> = {
  consentSource: 'source',
  consentAt: 'at',
  consentIp: 'ip',
  consentUserAgent: 'userAgent',
  consentText: 'text',
}

/** Anything else stays as it is, and is refused for its shape. */
function truthOf(text: string): boolean | string {
  if (/^(true|yes|y|1)$/i.test(text)) return true
  if (/^(false|no|n|0)$/i.test(text)) return false
  return text
}
