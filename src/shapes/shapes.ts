import { Type, type Static, type TSchema } from 'typebox'
import { errorCatalogue, type ErrorCode } from '../core/errors.ts'
import { idPattern, type IdPrefix } from '../core/ids.ts'
import { NAME, SAYING, type JsonSchema, type Saying } from './json-schema.ts'

/** Says, beside a pattern, what is wrong with a text that does not fit it and what to write instead. */
export const saying = (sentence: Saying) => ({ [SAYING]: sentence })

/** Gives a shape its name in the OpenAPI document, where it is written once and referred to from everywhere else. */
export const named = <T extends TSchema>(name: string, schema: T): T => Object.assign(schema, { [NAME]: name })

/** The shapes that every resource uses. `type: [x, 'null']` serialises much faster than a union with null. */
export const Nullable = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [(schema as { type?: string }).type ?? 'object', 'null'] })

/** One of these words, or null. */
export const NullableEnum = <const T extends string>(words: readonly T[]) =>
  Type.Unsafe<T | null>({ type: ['string', 'null'], enum: [...words, null] })

/** As much of JSON Schema's formats as we use. */
type Format = 'date-time' | 'idn-email' | 'hostname' | 'idn-hostname' | 'uri'

/**
 * Tells readers of the API document what a text is. As `format` TypeBox would check it, by rules of its own: what it is
 * good for is decided where it is read. `openapi.ts` gives it its name.
 */
export const annotated = (format: Format): Record<typeof ANNOTATION, Format> => ({ [ANNOTATION]: format })
export const ANNOTATION = 'x-format'

/** The local part may be in any script, and mostly is not. */
export const EmailAddress = Type.String(annotated('idn-email'))
export const Hostname = Type.String(annotated('hostname'))

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601 in UTC, with milliseconds.' })

/** Input takes any offset; a time without one would mean another moment on every machine. */
export const TimestampInput = Type.String({
  ...annotated('date-time'),
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d)$',
  description: 'ISO 8601 with an offset or `Z`.',
  ...saying(timeProblem),
})

function timeProblem(text: string): string {
  const example = 'like 2026-05-01T09:30:00Z or 2026-05-01T11:30:00+02:00'
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `is a date without a time: write both and an offset, ${example}`
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text))
    return `lacks its offset from UTC: write it ${example}`
  return `must be a time with an offset, ${example}`
}

export const IdOf = (prefix: IdPrefix) => Type.String({ pattern: idPattern(prefix) })

/** An id inside a request body: a malformed one is answered like one that never existed, so any string passes here. */
export const IdInput = (prefix: IdPrefix) => Type.String({ description: `An id that starts with \`${prefix}_\`.` })

export const OneLine = { pattern: '^[^\\r\\n]*$', ...saying('must be one line: take out the line breaks') }

export const VISIBLE = 'must have a character that can be seen, and no line breaks or other control characters'

/** A name for people. No control characters: it ends up in lists, logs and mail headers. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]+$',
  ...saying(VISIBLE),
})

/** The key of a map whose names may be any text: a dot would leave out those with a line end, and what they hold. */
export const AnyName = Type.String({ pattern: '^[\\s\\S]*$' })

export const Deleted = (prefix: IdPrefix) => Type.Object({ id: IdOf(prefix), deleted: Type.Literal(true) })

/** `parseAddress` checks the address later; this only limits its length. */
export const EmailInput = Type.String({
  ...annotated('idn-email'),
  minLength: 3,
  maxLength: 320,
  description: 'An email address.',
})

export const listQueryOf = (usual: number) => ({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: `Rows per page; ${usual} if omitted.` })),
  cursor: Type.Optional(Type.String({ maxLength: 100, description: 'The `nextCursor` of the page before.' })),
})

export const USUAL_PAGE = 25
export const listQuery = listQueryOf(USUAL_PAGE)

export const PageOf = <T extends TSchema>(item: T) =>
  withNameOf(
    item,
    Type.Object({ data: Type.Array(item), hasMore: Type.Boolean(), nextCursor: Nullable(Type.String()) }),
  )

/** A page of `Email` or of `EmailSummary` is an `EmailPage`. */
function withNameOf<T extends TSchema>(item: JsonSchema, page: T): T {
  const name = item[NAME]
  return name === undefined ? page : named(`${name.replace(/Summary$/, '')}Page`, page)
}

export const ErrorShape = named(
  'Error',
  Type.Object(
    {
      error: Type.String({ description: 'A sentence for a person.' }),
      code: named('ErrorCode', Type.Unsafe<ErrorCode>({ type: 'string', enum: Object.keys(errorCatalogue) })),
      requestId: IdOf('req'),
      details: Type.Optional(
        Type.Array(named('Problem', Type.Object({ path: Type.String(), message: Type.String() }))),
      ),
    },
    { additionalProperties: true },
  ),
)
