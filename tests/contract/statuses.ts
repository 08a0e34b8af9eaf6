/** The HTTP status of every refusal, written down a second time: clients have built on these pairs. */
const codesByStatus: Readonly<Record<number, string>> = {
  400: `invalid_json validation_error project_required sms_idempotency_key_required sms_idempotency_key_invalid`,
  401: `unauthorized wrong_credentials second_factor_required`,
  402: `sms_insufficient_funds`,
  403: `confirmation_required person_required origin_refused may_not_send insufficient_scope project_not_allowed
        project_paused project_archived domain_not_verified sandbox_only quota_exceeded
        sms_not_invited sms_live_delivery_disabled sms_destination_not_allowed sms_activation_not_allowed`,
  404: `not_found`,
  405: `method_not_allowed`,
  409: `idempotency_mismatch invalid_state already_exists in_use domain_taken audience_changed sms_record_locked
        sms_invalid_transition`,
  410: `link_used`,
  413: `payload_too_large`,
  415: `unsupported_media_type`,
  422: `recipient_suppressed template_error consent_required sms_record_incomplete sms_invalid_recipient sms_recipient_not_mobile
        sms_body_too_long sms_encoding_not_possible sms_category_not_allowed sms_sender_not_ready
        sms_program_not_ready sms_consent_required sms_quiet_hours sms_price_exceeds_max sms_simulator_mismatch`,
  429: `rate_limited sms_velocity_limited`,
  500: `internal_error`,
  503: `unavailable`,
}

export const contractStatuses: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(codesByStatus).flatMap(([status, codes]) => codes.split(/\s+/).map((code) => [code, Number(status)])),
)
