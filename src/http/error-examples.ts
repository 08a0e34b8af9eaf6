/** A refusal of every code as callers get it, for the documentation. A test holds the sentences against the source. */
import {
  DomainError,
  invalid,
  linkUsed,
  notFound,
  secondFactorRequired,
  wrongCredentials,
  type ErrorCode,
} from '../core/errors.ts'

/** An example may be the refusal itself instead of a sentence, where one function makes it. */
type Example = DomainError | readonly [sentence: string, extra?: Readonly<Record<string, unknown>>]

const examples: Readonly<Record<ErrorCode, Example>> = {
  invalid_json: [
    'The body is not valid JSON, beginning with line 3, column 3. Names and text stand in double quotes, no comma stands ' +
      'before } or ], and every { and [ is closed.',
  ],
  validation_error: invalid([
    {
      path: '/sendAt',
      message: 'lacks its offset from UTC: write it like 2026-05-01T09:30:00Z or 2026-05-01T11:30:00+02:00',
    },
    { path: '/reply_to', message: 'is not known here; its name is replyTo' },
  ]),
  project_required: ['This key is not bound to a project: name one in the header X-Service-Project-ID.'],
  unauthorized: ['Send a valid API key as "Authorization: Bearer <key>".'],
  wrong_credentials: wrongCredentials(),
  second_factor_required: secondFactorRequired(['totp', 'recoveryCode']),
  confirmation_required: [
    'Confirm that it is you, then repeat the call.',
    { ways: ['password', 'passkey'], withinSeconds: 600 },
  ],
  person_required: ['Only a signed-in person can do this: open the portal.'],
  origin_refused: ['This request comes from a page that is not ours. With an API key it needs no cookie.'],
  may_not_send: ['Your role author may write but not send: ask a person whose role may send.'],
  link_used: linkUsed(),
  insufficient_scope: ['This key lacks the scope domains:read.', { requiredScope: 'domains:read' }],
  project_not_allowed: [
    'This key is bound to another project: leave out the header X-Service-Project-ID, or use a key of that project.',
  ],
  project_paused: ['The project is paused and does not send.'],
  project_archived: [
    'The project is archived: what is in it can be read with a workspace key, and nothing can be written.',
  ],
  domain_not_verified: ['example.com is not a verified sending domain: add it with POST /domains, then verify it.'],
  sandbox_only: [
    'The sandbox sender mails simulator.posthouse.test only, not example.com. Verify a domain to mail others.',
  ],
  quota_exceeded: [
    "The project's quota emailsPerDay of 1000 is used up.",
    { quota: 'emailsPerDay', limit: 1_000, used: 1_000, resetsAt: '2026-05-02T00:00:00.000Z' },
  ],
  not_found: notFound('email'),
  method_not_allowed: ['This path answers GET, HEAD only.'],
  idempotency_mismatch: [
    'This Idempotency-Key was used before, for another request: take a new one for each new request.',
  ],
  invalid_state: [
    'The newest key still waits for its record. Create the DKIM record that is shown as pending first.',
    { state: 'pending' },
  ],
  already_exists: ['The alias welcome is in use.', { existingId: 'tpl_01kf0q9h2rfx8b6t3m5vz7d4ce' }],
  in_use: [
    'The template is needed by the broadcast "Spring": end or disable what usedBy names first.',
    { usedBy: [{ type: 'broadcast', id: 'brd_01kf0q9h2rfx8b6t3m5vz7d4ce', name: 'Spring' }] },
  ],
  domain_taken: [
    'example.com is verified by another project of this installation. Remove it there first, or use another name.',
  ],
  audience_changed: [
    'It would be sent to 1210 people, not 1200. If that is right, send it with that number.',
    { expected: 1_200, actual: 1_210 },
  ],
  payload_too_large: ['The body is too large: this call takes at most 1,048,576 bytes.', { limitBytes: 1_048_576 }],
  unsupported_media_type: ['Send the body with the header "Content-Type: application/json".'],
  recipient_suppressed: [
    'Every recipient is on the suppression list, so there is nobody to mail.',
    { recipients: [{ email: 'ann@example.com', reason: 'bounce', since: '2026-04-01T12:00:00.000Z' }] },
  ],
  template_error: [
    'The template needs variables that were not given.',
    { details: [{ path: '/variables/firstName', message: 'is required by the template' }] },
  ],
  consent_required: [
    'A contact can only be created opted in: leave out optedIn, or set it to true once the person has agreed.',
  ],
  rate_limited: ['Too many requests: wait 1 s.', { retryAfter: 1 }],
  internal_error: ['Something failed on our side: try again, and report the requestId if it fails again.'],
  unavailable: [
    'The service is not available right now: try again after the seconds in Retry-After.',
    { retryAfter: 2 },
  ],
  sms_idempotency_key_required: ['Send a key of your own in the header sms-idempotency-key.'],
  sms_idempotency_key_invalid: ['The header sms-idempotency-key takes 1 to 256 printable ASCII characters.'],
  sms_insufficient_funds: [
    'The wallet does not cover the price of the message: top it up.',
    { requiredMicros: 7_900, availableMicros: 1_200 },
  ],
  sms_not_invited: ['The project does not take part in the SMS beta.'],
  sms_live_delivery_disabled: [
    'Only numbers of the simulator, like +12025550100, can be reached until the operator enables live delivery.',
  ],
  sms_destination_not_allowed: ["The country of the number is not on the project's list: ask the operator to add it."],
  sms_activation_not_allowed: ['Only the operator can set this status: set submitted, or draft to change the record.'],
  sms_record_locked: ['The record is in_review and cannot be edited.', { state: 'in_review' }],
  sms_invalid_transition: ['The record is approved; it cannot become submitted.', { state: 'approved' }],
  sms_record_incomplete: [
    'The record is not ready for review: 1 finding.',
    { details: [{ path: '/optInMessage', message: 'must contain the brand name' }] },
  ],
  sms_invalid_recipient: [
    'The number is not in E.164 form: a plus, the country and the number, digits only.',
    { suggestion: '+12025550100' },
  ],
  sms_recipient_not_mobile: ['The number belongs to a kind of line that receives no SMS.'],
  sms_body_too_long: ['The text needs 4 segments; 3 are allowed.', { segments: 4, maxSegments: 3 }],
  sms_encoding_not_possible: ['The text contains characters that GSM-7 does not have: let encoding be auto or ucs2.'],
  sms_category_not_allowed: ['The program does not allow marketing messages.'],
  sms_sender_not_ready: ['The sender is submitted, and must be active before it can send.', { state: 'submitted' }],
  sms_program_not_ready: ['The program is draft, and must be approved before it can send.', { state: 'draft' }],
  sms_consent_required: ['There is no consent on record that covers this message: record it with POST /sms/consents.'],
  sms_quiet_hours: ["It is night in the recipient's time zone: send later, or let onQuietHours be defer."],
  sms_price_exceeds_max: ['The message costs more than maxPriceMicros: see priceMicros.', { priceMicros: 7_900 }],
  sms_simulator_mismatch: [
    'Simulator senders reach simulator numbers only, and no other sender reaches those: change one of the two.',
  ],
  sms_velocity_limited: ['Too many messages to this number or its neighbours in a short time.', { retryAfter: 1_800 }],
}

export function exampleOf(code: ErrorCode): DomainError {
  const example = examples[code]
  return example instanceof DomainError ? example : new DomainError(code, ...example)
}
