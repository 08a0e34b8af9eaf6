// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface SmsConsentPage {
  data: SmsConsentSummary[]
  hasMore: boolean
  nextCursor: string | null
}

export interface SmsConsentSummary {
  id: string
  projectId: string
  phoneMasked: string
  recipientRef: string
  programId: string
  type: 'express' | 'express_written'
  action: 'granted' | 'revoked'
  method:
    | 'web_form'
    | 'keyword'
    | 'paper'
    | 'verbal'
    | 'point_of_sale'
    | 'import'
    | 'api'
  /** ISO 8601 in UTC, with milliseconds. */
  capturedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  recordedAt: string
  recordedByKeyId: string | null
  evidencePresent: boolean
  evidenceSha256: string | null
  recipientTimezone: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string | null
}

export interface RecordSmsConsent {
  /** A phone number in E.164 form, e.g. `+12025550100`. */
  phone: string
  /** An id that starts with `smspg_`. */
  programId: string
  type: 'express' | 'express_written'
  action: 'granted' | 'revoked'
  method:
    | 'web_form'
    | 'keyword'
    | 'paper'
    | 'verbal'
    | 'point_of_sale'
    | 'import'
    | 'api'
  /** ISO 8601 with an offset or `Z`. */
  capturedAt: string
  evidence?: SmsConsentEvidence | null
  /** An IANA time zone. */
  recipientTimezone?: string | null
  /** ISO 8601 with an offset or `Z`. */
  expiresAt?: string | null
}

export interface RecordedSmsConsent {
  id: string
  projectId: string
  phoneMasked: string
  recipientRef: string
  programId: string
  type: 'express' | 'express_written'
  action: 'granted' | 'revoked'
  method:
    | 'web_form'
    | 'keyword'
    | 'paper'
    | 'verbal'
    | 'point_of_sale'
    | 'import'
    | 'api'
  /** ISO 8601 in UTC, with milliseconds. */
  capturedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  recordedAt: string
  recordedByKeyId: string | null
  evidencePresent: boolean
  evidenceSha256: string | null
  recipientTimezone: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string | null
  /** A recipient who texted STOP stays suppressed until they text START. */
  suppressionStillActive?: boolean
}

export interface SmsConsentEvidence {
  disclosureText?: string | null
  disclosureVersion?: string | null
  sourceUrl?: string | null
  ipAddress?: string | null
  userAgent?: string | null
  formId?: string | null
  documentUrl?: string | null
  agentId?: string | null
  keywordMessageId?: string | null
  doubleOptInMessageId?: string | null
}

export interface SmsConsent {
  id: string
  projectId: string
  phoneMasked: string
  recipientRef: string
  programId: string
  type: 'express' | 'express_written'
  action: 'granted' | 'revoked'
  method:
    | 'web_form'
    | 'keyword'
    | 'paper'
    | 'verbal'
    | 'point_of_sale'
    | 'import'
    | 'api'
  /** ISO 8601 in UTC, with milliseconds. */
  capturedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  recordedAt: string
  recordedByKeyId: string | null
  evidencePresent: boolean
  evidenceSha256: string | null
  recipientTimezone: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string | null
  phone: string
  evidence: SmsConsentEvidence | null
}
