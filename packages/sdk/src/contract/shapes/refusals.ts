// Made by `npm run generate`; change the routes and their schemas, not this file.

export type Scope =
  | 'email:send'
  | 'sms:send'
  | 'sms:read'
  | 'sms:manage'
  | 'sms:billing:read'
  | 'projects:read'
  | 'projects:write'
  | 'api-keys:write'
  | 'domains:read'
  | 'domains:write'
  | 'templates:write'
  | 'audiences:write'
  | 'broadcasts:write'
  | 'automations:write'
  | 'suppressions:write'
  | 'receiving:read'
  | 'receiving:write'
  | 'webhooks:write'
  | 'stats:read'
  | 'queue:write'
  | 'audit:read'
  | 'people:write'

export type ErrorCode =
  | 'invalid_json'
  | 'validation_error'
  | 'project_required'
  | 'unauthorized'
  | 'wrong_credentials'
  | 'second_factor_required'
  | 'confirmation_required'
  | 'person_required'
  | 'origin_refused'
  | 'may_not_send'
  | 'link_used'
  | 'insufficient_scope'
  | 'project_not_allowed'
  | 'project_paused'
  | 'project_archived'
  | 'domain_not_verified'
  | 'sandbox_only'
  | 'quota_exceeded'
  | 'not_found'
  | 'method_not_allowed'
  | 'idempotency_mismatch'
  | 'invalid_state'
  | 'already_exists'
  | 'in_use'
  | 'domain_taken'
  | 'audience_changed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'recipient_suppressed'
  | 'template_error'
  | 'consent_required'
  | 'rate_limited'
  | 'internal_error'
  | 'unavailable'
  | 'sms_idempotency_key_required'
  | 'sms_idempotency_key_invalid'
  | 'sms_insufficient_funds'
  | 'sms_not_invited'
  | 'sms_live_delivery_disabled'
  | 'sms_destination_not_allowed'
  | 'sms_activation_not_allowed'
  | 'sms_record_locked'
  | 'sms_invalid_transition'
  | 'sms_record_incomplete'
  | 'sms_invalid_recipient'
  | 'sms_recipient_not_mobile'
  | 'sms_body_too_long'
  | 'sms_encoding_not_possible'
  | 'sms_category_not_allowed'
  | 'sms_sender_not_ready'
  | 'sms_program_not_ready'
  | 'sms_consent_required'
  | 'sms_quiet_hours'
  | 'sms_price_exceeds_max'
  | 'sms_simulator_mismatch'
  | 'sms_velocity_limited'

export interface Refusal {
  /** A sentence for a person. */
  error: string
  code: ErrorCode
  requestId: string
  details?: Problem[]
  [name: string]: unknown
}

export interface Problem {
  path: string
  message: string
}
