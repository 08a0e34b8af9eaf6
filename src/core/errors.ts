/**
 * Every refusal of the service has one of these codes. Clients branch on the code, so a code never changes its
 * meaning; the sentence says when it is answered and is what `docs/errors.md` is made of. The HTTP status of each
 * code is decided in one place, `http/errors.ts`.
 */
export const errorCatalogue = {
  invalid_json: 'The body is not JSON, is not valid UTF-8, or is nested deeper than 20 levels.',
  validation_error: 'A field, query parameter, header or cursor is out of shape; `details` lists every problem.',
  project_required: 'The project cannot be resolved safely: name it in `X-Service-Project-ID`.',
  unauthorized: 'The API key is missing, malformed, unknown, expired or revoked.',
  wrong_credentials: 'Signing in failed: the address, the password or the code is wrong.',
  second_factor_required: 'The password was right; `factors` says what else is asked for.',
  confirmation_required: 'Confirm first that it is you: `ways` says how, `withinSeconds` for how long that counts.',
  person_required: 'Only a signed-in person can do this, no key.',
  origin_refused: 'The request came with a cookie from a page that is not ours.',
  may_not_send: 'The role may write but not send.',
  link_used: 'The set-up, invitation or recovery link was used, was replaced, or is too old.',
  insufficient_scope: 'The key lacks the scope; `requiredScope` (or `missingScopes` for a new key) names it.',
  project_not_allowed: "The project named by the header or bound to the key conflicts with the call's project.",
  project_paused: 'The project is paused and does not send; everything else still works.',
  project_archived: 'The project is archived: its data can be read with a workspace key, nothing can be written.',
  domain_not_verified: 'The `from` address is neither at a verified sending domain nor the sandbox sender.',
  sandbox_only: 'The sandbox sender mails the simulator domain only.',
  quota_exceeded:
    'A quota is used up; `quota`, `limit`, `used` and `resetsAt` say which and until when (null: until some are deleted).',
  not_found: 'There is no such route or resource, or the key cannot see it.',
  method_not_allowed: 'The path exists, but not with this method; the `Allow` header lists those that do.',
  idempotency_mismatch: 'The idempotency key was used before, with another payload or on another endpoint.',
  invalid_state: 'The resource is in a `state` from which this move is not possible.',
  already_exists: 'The name or domain is in use; `existingId` names its holder where the caller may see it.',
  in_use: 'Something that is about to be sent needs it; `usedBy` names what that is, twenty at most.',
  domain_taken: 'Another project of this installation has already verified the domain.',
  audience_changed: 'The audience does not have the expected number of recipients: see `expected` and `actual`.',
  payload_too_large: 'The body is larger than `limitBytes`.',
  unsupported_media_type: 'The body is not of an accepted content type, or carries a `Content-Encoding`.',
  recipient_suppressed: 'Every recipient is on the suppression list; `recipients` says why and since when.',
  template_error: 'The template does not parse, asks for too much, or lacks required variables; `details` lists all.',
  consent_required: 'A contact can only be created opted in.',
  rate_limited: 'Too many requests: wait the whole seconds of `Retry-After`, then the call succeeds.',
  internal_error: 'Something failed on our side; quote the `requestId` when you report it.',
  unavailable: 'The service cannot answer right now (database away, overloaded, shutting down): see `Retry-After`.',
  sms_idempotency_key_required: 'An SMS needs its idempotency header.',
  sms_idempotency_key_invalid: 'The SMS idempotency key is longer than 256 characters or not printable ASCII.',
  sms_insufficient_funds: 'The prepaid wallet does not cover the price of the message.',
  sms_not_invited: 'The project is not invited to the SMS private beta.',
  sms_live_delivery_disabled: 'Live carrier delivery is not enabled for this project or installation.',
  sms_destination_not_allowed: "The destination country is not on the project's list.",
  sms_activation_not_allowed: 'Numbers and live sending are activated by the operator, never through the API.',
  sms_record_locked: 'The compliance record is under review and cannot be changed.',
  sms_invalid_transition: 'The compliance record cannot make this move from its present status.',
  sms_record_incomplete: 'The compliance record cannot be submitted yet; `details` lists everything that is missing.',
  sms_invalid_recipient: 'The recipient is not a valid E.164 phone number.',
  sms_recipient_not_mobile: 'The number belongs to a kind of line that receives no SMS.',
  sms_body_too_long: 'The text needs more segments than allowed.',
  sms_encoding_not_possible: 'The text cannot be written in the requested encoding.',
  sms_category_not_allowed: 'The program does not allow this category of message.',
  sms_sender_not_ready: 'The sender is not ready to send.',
  sms_program_not_ready: 'The program is not ready to send.',
  sms_consent_required: 'There is no consent on record for this recipient and program.',
  sms_quiet_hours: "It is night in the recipient's time zone.",
  sms_price_exceeds_max: 'The price is above the maximum given in the request.',
  sms_simulator_mismatch: 'Simulator senders reach simulator numbers only, and the other way round.',
  sms_velocity_limited: 'Too many messages to this recipient or number range: wait the seconds of `Retry-After`.',
} as const

export type ErrorCode = keyof typeof errorCatalogue

export interface Problem {
  /** The path is a JSON pointer into the request body, or `/query/limit`, `/headers/idempotency-key`. */
  path: string
  message: string
}

/** A refusal that the caller is meant to see. Anything else that is thrown is a defect or an outage. */
export class DomainError extends Error {
  readonly code: ErrorCode
  /** These fields stand beside `error` and `code` for programs, e.g. `{ requiredScope: 'email:send' }`. */
  readonly extra: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, extra: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.name = 'DomainError'
    this.code = code
    this.extra = extra
  }
}

/** Something about the installation that only its operator can mend. The message is written for them and complete. */
export class SetupError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SetupError'
  }
}

export const notFound = (thing: string): DomainError => new DomainError('not_found', `There is no such ${thing}.`)

/** One answer for an address that nobody has, a wrong password and a person who is disabled. */
export const wrongCredentials = (): DomainError =>
  new DomainError('wrong_credentials', 'The address, the password or the code is wrong.')

export const secondFactorRequired = (factors: readonly ('totp' | 'recoveryCode')[]): DomainError =>
  new DomainError('second_factor_required', 'Type the code of your authenticator app too.', { factors })

export const linkUsed = (): DomainError =>
  new DomainError('link_used', 'This link was used, was replaced by a newer one, or is too old: ask for a new one.')

export const projectArchived = (): DomainError =>
  new DomainError(
    'project_archived',
    'The project is archived: what is in it can be read with a workspace key, and nothing can be written.',
  )

/** A broadcast or automation that needs the resource which the caller wants to delete. */
export interface User {
  type: 'broadcast' | 'automation'
  id: string
  name: string
}

/** At most this many are named. */
export const MAX_USERS = 20

/** Says who needs it: the first by its name, all in `usedBy`. */
export function neededBy(thing: string, users: readonly User[]): { sentence: string; usedBy: readonly User[] } {
  const usedBy = users.slice(0, MAX_USERS)
  const [first] = usedBy
  const name = first === undefined ? '' : ` the ${first.type} ${first.name === '' ? first.id : `"${first.name}"`}`
  const others = usedBy.length === 1 ? '' : ' and others'
  return { sentence: `The ${thing} is needed by${name}${others}: end or disable what usedBy names first.`, usedBy }
}

/** There are as many of something as there may be. */
export const tooMany = (quota: string, whose: string, things: string, limit: number, used: number): DomainError =>
  new DomainError(
    'quota_exceeded',
    `${whose} has ${used} ${things}, and may have ${limit}. Delete one that is not needed, or ask the operator for more.`,
    { quota, limit, used, resetsAt: null },
  )

export const invalid = (problems: readonly Problem[]): DomainError =>
  new DomainError(
    'validation_error',
    problems.length === 1 && problems[0]
      ? `The request is not valid: ${problems[0].path === '/' ? 'it' : problems[0].path} ${problems[0].message}.`
      : `The request has ${problems.length} problems, listed in details.`,
    { details: problems },
  )

/** Returns the result of the work, or its refusal as a value, where a refusal is one answer among several. */
export function settle<T>(work: () => T): T | DomainError {
  try {
    return work()
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}
