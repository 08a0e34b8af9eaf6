/** The refusals in the OpenAPI document: one response for each status, which tells all codes that have it. */
import { Type, type TProperties, type TSchema } from 'typebox'
import { confirmationWays } from '../core/caller.ts'
import { errorCatalogue, type ErrorCode } from '../core/errors.ts'
import { scopes } from '../core/scopes.ts'
import { statusOf } from './errors.ts'
import { component } from './openapi-components.ts'
import { refusalHeaders } from './openapi-headers.ts'
import { EmailAddress, ErrorShape, named, Nullable, Timestamp } from '../shapes/shapes.ts'

type Json = Record<string, unknown>
type Status = (typeof statusOf)[ErrorCode]

const responseNames: Readonly<Record<Status, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'PaymentRequired',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Unprocessable',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
}

const State = { state: Type.String({ description: 'In which it is.' }) }
const Micros = Type.Integer({ description: 'In millionths of the currency.' })

/** Fields that a refusal with this code may have besides those that every refusal has. */
const furtherFields: Readonly<Partial<Record<ErrorCode, TProperties>>> = {
  second_factor_required: { factors: Type.Array(Type.Enum(['totp', 'recoveryCode'])) },
  confirmation_required: {
    ways: Type.Array(Type.Enum(confirmationWays)),
    withinSeconds: Type.Integer({ description: 'How long a confirmation counts.' }),
  },
  insufficient_scope: {
    requiredScope: Type.Enum(scopes),
    readOnly: Type.Boolean({ description: 'Of a person: the role shows it, and does not change it.' }),
    missingScopes: Type.Array(Type.String(), { description: 'Of a new key: what its maker does not have itself.' }),
  },
  quota_exceeded: {
    quota: Type.String(),
    limit: Type.Integer(),
    used: Type.Integer(),
    resetsAt: Nullable(Type.String({ format: 'date-time', description: 'Null: not before some are deleted.' })),
  },
  invalid_state: State,
  already_exists: { existingId: Type.String({ description: 'Of what has the name.' }) },
  in_use: {
    usedBy: Type.Array(
      named(
        'UsedBy',
        Type.Object({ type: Type.Enum(['broadcast', 'automation']), id: Type.String(), name: Type.String() }),
      ),
    ),
  },
  audience_changed: { expected: Type.Integer(), actual: Type.Integer() },
  payload_too_large: { limitBytes: Type.Integer() },
  recipient_suppressed: {
    recipients: Type.Array(
      named(
        'SuppressedRecipient',
        Type.Object({
          email: Type.Optional(EmailAddress),
          toMasked: Type.Optional(Type.String({ description: 'Of an SMS.' })),
          reason: Type.String(),
          since: Timestamp,
        }),
      ),
    ),
  },
  sms_insufficient_funds: { requiredMicros: Micros, availableMicros: Micros },
  sms_record_locked: State,
  sms_invalid_transition: State,
  sms_invalid_recipient: { suggestion: Type.String({ description: 'The number as it may have been meant.' }) },
  sms_body_too_long: { segments: Type.Integer(), maxSegments: Type.Integer() },
  sms_sender_not_ready: State,
  sms_program_not_ready: State,
  sms_price_exceeds_max: { priceMicros: Micros },
}

/** The shape of a refusal with this code. */
export function errorShapeOf(code: ErrorCode): TSchema {
  const fields = furtherFields[code]
  if (fields === undefined) return ErrorShape
  const properties = { code: { type: 'string', const: code }, ...fields }
  return named(`${errorName(code)}Error`, Type.Unsafe({ allOf: [ErrorShape, { type: 'object', properties }] }))
}

/** `in_use` → `InUse`. */
const errorName = (code: ErrorCode): string =>
  code.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())

const allCodes = Object.keys(errorCatalogue) as ErrorCode[]

/** What every call that is refused with this status is answered with. */
export function refusalResponse(status: Status): Json {
  const codes = allCodes.filter((code) => statusOf[code] === status)
  const [shape, ...more] = [...new Set([...codes.map(errorShapeOf).filter((each) => each !== ErrorShape), ErrorShape])]
  return component('responses', responseNames[status], {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code]}`).join('\n\n'),
    headers: refusalHeaders(status),
    content: { 'application/json': { schema: more.length === 0 ? shape : { anyOf: [shape, ...more] } } },
    'x-error-codes': codes,
  })
}
