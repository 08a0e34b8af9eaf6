import { DomainError, invalid, type ErrorCode } from '../core/errors.ts'
import { isUnavailable } from '../storage/outage.ts'
import { S3Error } from '../storage/s3.ts'
import { rateLimitHeaders, type Allowance } from './rate-limit.ts'

/** The one place where refusals meet HTTP. A new code does not compile before it has a status. */
export const statusOf = {
  invalid_json: 400,
  validation_error: 400,
  project_required: 400,
  unauthorized: 401,
  wrong_credentials: 401,
  second_factor_required: 401,
  confirmation_required: 403,
  person_required: 403,
  origin_refused: 403,
  may_not_send: 403,
  link_used: 410,
  insufficient_scope: 403,
  project_not_allowed: 403,
  project_paused: 403,
  project_archived: 403,
  domain_not_verified: 403,
  sandbox_only: 403,
  quota_exceeded: 403,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_mismatch: 409,
  invalid_state: 409,
  already_exists: 409,
  in_use: 409,
  domain_taken: 409,
  audience_changed: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  recipient_suppressed: 422,
  template_error: 422,
  consent_required: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
  sms_idempotency_key_required: 400,
  sms_idempotency_key_invalid: 400,
  sms_insufficient_funds: 402,
  sms_not_invited: 403,
  sms_live_delivery_disabled: 403,
  sms_destination_not_allowed: 403,
  sms_activation_not_allowed: 403,
  sms_record_locked: 409,
  sms_invalid_transition: 409,
  sms_record_incomplete: 422,
  sms_invalid_recipient: 422,
  sms_recipient_not_mobile: 422,
  sms_body_too_long: 422,
  sms_encoding_not_possible: 422,
  sms_category_not_allowed: 422,
  sms_sender_not_ready: 422,
  sms_program_not_ready: 422,
  sms_consent_required: 422,
  sms_quiet_hours: 422,
  sms_price_exceeds_max: 422,
  sms_simulator_mismatch: 422,
  sms_velocity_limited: 429,
} as const satisfies Record<ErrorCode, number>

export interface ErrorReply {
  status: number
  headers: Record<string, string>
  body: { error: string; code: ErrorCode; requestId: string } & Record<string, unknown>
}

/** Seconds for which a client should wait when the database is away. */
const UNAVAILABLE_RETRY_SECONDS = 2

export function errorReply(error: DomainError, requestId: string): ErrorReply {
  // What belongs into a header travels with the error under the header's name.
  const { retryAfter, allow, allowance, ...extra } = error.extra as {
    retryAfter?: number
    allow?: string
    allowance?: Allowance
  }
  const headers: Record<string, string> = allowance === undefined ? {} : rateLimitHeaders(allowance)
  if (error.code === 'unauthorized') headers['www-authenticate'] = 'Bearer'
  if (error.code === 'unavailable') headers['retry-after'] = String(retryAfter ?? UNAVAILABLE_RETRY_SECONDS)
  else if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter)
  if (allow !== undefined) headers['allow'] = allow
  return {
    status: statusOf[error.code],
    headers,
    body: { error: error.message, code: error.code, requestId, ...extra },
  }
}

/** Gives what was thrown its code. An error that is no refusal is a defect of ours, and its text is not shown. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  if (isUnavailable(error) || (error instanceof S3Error && error.unavailable))
    return new DomainError(
      'unavailable',
      'The service is not available right now: try again after the seconds in Retry-After.',
    )
  return (
    fromFramework(error) ??
    new DomainError(
      'internal_error',
      'Something failed on our side: try again, and report the requestId if it fails again.',
    )
  )
}

/** Fastify refuses some requests before they reach us; they answer in the same words as everything else. */
function fromFramework(error: unknown): DomainError | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new DomainError('payload_too_large', 'The body is too large.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new DomainError(
        'unsupported_media_type',
        'Send the body with the header "Content-Type: application/json".',
      )
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalid([{ path: '/headers/content-length', message: 'does not match the length of the body' }])
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new DomainError('not_found', 'There is no such route.')
    default:
      return undefined
  }
}
