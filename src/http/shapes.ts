import { Type, type Static, type TSchema } from 'typebox'
import { errorCatalogue, type ErrorCode } from '../core/errors.ts'
import { idPattern, type IdPrefix } from '../core/ids.ts'

/** The shapes that every resource uses. `type: [x, 'null']` serialises much faster than a union with null. */
export const Nullable = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [(schema as { type?: string }).type ?? 'object', 'null'] })

/** One of some words, or nothing. */
export const NullableEnum = <const T extends string>(words: readonly T[]) =>
  Type.Unsafe<T | null>({ type: ['string', 'null'], enum: [...words, null] })

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601 in UTC, with milliseconds.' })

/** Input takes any offset; a time without one would mean another moment on every machine. */
export const TimestampInput = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d)$',
  description: 'ISO 8601 with an offset or `Z`.',
})

export const IdOf = (prefix: IdPrefix) => Type.String({ pattern: idPattern(prefix) })

/** An id inside a request body: a malformed one is answered like one that never existed, so any string passes here. */
export const IdInput = (prefix: IdPrefix) => Type.String({ description: `An id that starts with \`${prefix}_\`.` })

/** A name for people. No control characters: it ends up in lists, logs and mail headers. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]+$',
})

export const Deleted = (prefix: IdPrefix) => Type.Object({ id: IdOf(prefix), deleted: Type.Literal(true) })

/** Looked at by `parseAddress` once it is inside; this only keeps the absurd out. */
export const EmailInput = Type.String({ minLength: 3, maxLength: 320, description: 'An email address.' })

export const listQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Rows per page; 25 if omitted.' })),
  cursor: Type.Optional(Type.String({ maxLength: 100, description: 'The `nextCursor` of the page before.' })),
}

export const PageOf = <T extends TSchema>(item: T) =>
  Type.Object({ data: Type.Array(item), hasMore: Type.Boolean(), nextCursor: Nullable(Type.String()) })

export const ErrorShape = Type.Object(
  {
    error: Type.String({ description: 'A sentence for a person.' }),
    code: Type.Unsafe<ErrorCode>({ type: 'string', enum: Object.keys(errorCatalogue) }),
    requestId: IdOf('req'),
    details: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
  },
  { additionalProperties: true },
)
