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

export interface AcceptedEmail {
  id: string
  projectId: string
  status: 'queued' | 'scheduled'
  from: string
  to: string[]
  subject: string
  /** ISO 8601 in UTC, with milliseconds. */
  sendAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface AcceptedSms {
  id: string
  projectId: string
  object: 'sms_message'
  mode: 'test' | 'live'
  direction: 'outbound' | 'inbound'
  status:
    | 'queued'
    | 'deferred'
    | 'submitting'
    | 'sent'
    | 'delivered'
    | 'undelivered'
    | 'failed'
    | 'expired'
    | 'unconfirmed'
    | 'received'
  category:
    | 'authentication'
    | 'transactional'
    | 'marketing'
    | 'conversational'
    | 'keyword_reply'
  toMasked: string
  country: string | null
  recipientRef: string
  senderId: string
  programId: string
  encoding: string
  units: number
  segments: number
  /** In millionths of the currency. */
  priceMicros: number
  currency: string
  /** ISO 8601 in UTC, with milliseconds. */
  deferredUntil: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface AddSmsSuppression {
  /** A phone number in E.164 form, e.g. `+12025550100`. */
  phone: string
  scope?: 'project' | 'program'
  /** An id that starts with `smspg_`. */
  programId?: string | null
  reason?: 'manual' | 'complaint' | 'legal' | 'invalid_number'
  note?: string | null
}

export interface AddSuppression {
  /** An email address. */
  email: string
  note?: string
}

/** Everything that a project knows of an address. */
export interface Address {
  email: string
  contacts: AddressContact[]
  tags: AddressTag[]
  suppression: AddressSuppression | null
  emails: AddressEmails
  /** Mail from the address, the newest 25. */
  received: AddressReceived[]
  /** Of automations, the newest 25. */
  runs: AddressRun[]
  /** Parts that are empty because the caller may not read them. */
  hidden: ('contacts' | 'tags' | 'suppression' | 'emails' | 'received' | 'runs')[]
}

export interface AddressConsent {
  source: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  at: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  recordedAt: string
}

export interface AddressContact {
  id: string
  audienceId: string
  audienceName: string
  firstName: string | null
  lastName: string | null
  subscribed: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  unsubscribedAt: string | null
  consent: AddressConsent | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface AddressEmail {
  id: string
  /** Of this recipient. */
  status:
    | 'scheduled'
    | 'queued'
    | 'deferred'
    | 'sending'
    | 'delivered'
    | 'bounced'
    | 'filteredspam'
    | 'quarantined'
    | 'suppressed'
    | 'failed'
    | 'cancelled'
  from: string
  subject: string
  contentHidden: boolean
  source: 'transactional' | 'broadcast' | 'automation'
  broadcastId: string | null
  explanation: Explanation | null
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface AddressEmails {
  /** The newest 25. */
  last: AddressEmail[]
  /** How many are in each state, of the newest 1000. */
  counts: Record<string, number>
}

export interface AddressReceived {
  id: string
  to: string
  subject: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  receivedAt: string
}

export interface AddressRun {
  id: string
  automationId: string
  automationName: string
  status: string
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  finishedAt: string | null
}

export interface AddressSuppression {
  id: string
  email: string
  reason: 'bounce' | 'spam' | 'manual'
  messageId: string | null
  note: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface AddressTag {
  id: string
  name: string
}

export interface ApiKey {
  id: string
  name: string
  fullAccess: boolean
  scopes: Scope[]
  contentAccess: ContentAccess
  projectId: string | null
  prefix: string
  last4: string
  /** The key or the person that made it; null for one of the command line. */
  createdBy: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  lastUsedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  revokedAt: string | null
}

export interface ApiKeyPage {
  data: ApiKey[]
  hasMore: boolean
  nextCursor: string | null
}

export interface Attachment {
  filename: string
  /** The bytes, in base64. */
  content: string
  /** By the name of the file if omitted. */
  contentType?: string
  /** What `src="cid:…"` in the html refers to. */
  contentId?: string
  /** `inline` if omitted and there is a contentId. */
  disposition?: 'attachment' | 'inline'
}

export interface Audience {
  id: string
  projectId: string
  name: string
  description: string | null
  counts: AudienceCounts
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface AudienceCounts {
  total: number
  subscribed: number
  unsubscribed: number
}

export interface AudiencePage {
  data: Audience[]
  hasMore: boolean
  nextCursor: string | null
}

export interface AudienceTrigger {
  type: 'audience'
  /** An id that starts with `aud_`. */
  audienceId: string
}

export interface AuditActor {
  type: 'key' | 'person' | 'operator' | 'recipient'
  /** Of a key or a person. */
  id: string | null
  name: string | null
}

export interface AuditEntry {
  id: string
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  actor: AuditActor
  action: string
  /** The id of what it was done to. */
  subject: string
  /** Its name today, or the name that it had. */
  subjectName: string | null
  projectId: string | null
  requestId: string | null
  details: Record<string, unknown>
  /** The same in words, to follow the name of the actor. */
  sentence: string
}

export interface AuditEntryPage {
  data: AuditEntry[]
  hasMore: boolean
  nextCursor: string | null
}

export interface Automation {
  id: string
  projectId: string
  name: string
  /** As it was given. */
  trigger: Record<string, unknown>
  sender: AutomationSender | null
  tracking: AutomationTracking
  enabled: boolean
  steps: Record<string, unknown>[]
  reentry: 'never' | 'always'
  version: number
  problem: AutomationProblem | null
  stats: AutomationStats
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  /** The twenty that started last. */
  recentRuns: RecentAutomationRun[]
}

export interface AutomationPage {
  data: AutomationSummary[]
  hasMore: boolean
  nextCursor: string | null
}

/** What it needs and does not have any more, whether it is enabled or not. */
export interface AutomationProblem {
  code: 'audience_deleted' | 'tag_deleted' | 'template_deleted' | 'domain_not_verified'
  /** What that means, and what to do. */
  message: string
}

export interface AutomationRun {
  id: string
  projectId: string
  /** The version of the automation that it started with, and finishes with. */
  version: number
  contactId: string
  /** Null once the contact is deleted. */
  email: string | null
  status: 'waiting' | 'completed' | 'stopped' | 'failed'
  /** The delay that it is in, the step that comes next, or the last one. */
  stepId: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  nextDueAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  finishedAt: string | null
  stopReason:
    | 'tag_removed'
    | 'left_audience'
    | 'unsubscribed'
    | 'suppressed'
    | 'automation_deleted'
    | 'contact_deleted'
    | 'error'
    | null
  /** Why the next step could not be done; it is tried again. */
  problem: string | null
  /** What was done, step by step. */
  results: AutomationStepResult[]
}

export interface AutomationRunPage {
  data: AutomationRun[]
  hasMore: boolean
  nextCursor: string | null
}

export interface AutomationSender {
  from: string
  replyTo: string | null
}

/** In whose name the mail is sent. Needed where there are email steps. */
export interface AutomationSenderInput {
  /** A mailbox: `ann@example.com` or `Ann <ann@example.com>`. */
  from: string
  /** A mailbox: `ann@example.com` or `Ann <ann@example.com>`. */
  replyTo?: string | null
}

export interface AutomationStats {
  started: number
  waiting: number
  completed: number
  stopped: number
  failed: number
  /** How many were sent, by all runs together. */
  emails: number
}

export type AutomationStep = EmailStep | DelayStep | ConditionStep | TagStep | ExitStep

export interface AutomationStepResult {
  stepId: string
  type: 'email' | 'delay' | 'condition' | 'tag' | 'exit'
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  /** `sent`: into the queue; the email tells what became of it. */
  result:
    | 'sent'
    | 'refused'
    | 'delayed'
    | 'then'
    | 'else'
    | 'applied'
    | 'removed'
    | 'unchanged'
    | 'skipped'
    | 'exited'
  /** Of a delay. */
  until: string | null
  detail: string | null
  emailId: string | null
}

export interface AutomationSummary {
  id: string
  projectId: string
  name: string
  /** As it was given. */
  trigger: Record<string, unknown>
  sender: AutomationSender | null
  tracking: AutomationTracking
  enabled: boolean
  steps: Record<string, unknown>[]
  reentry: 'never' | 'always'
  version: number
  problem: AutomationProblem | null
  stats: AutomationStats
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

export interface AutomationTracking {
  opens: boolean | null
  clicks: boolean | null
}

/** What is null or omitted is the sending domain's setting. */
export interface AutomationTrackingInput {
  opens?: boolean | null
  clicks?: boolean | null
}

export type AutomationTrigger = AudienceTrigger | TagTrigger

export interface BackupNoted {
  /** ISO 8601 in UTC, with milliseconds. */
  notedAt: string
}

export interface Batch {
  id: string
  accepted: number
  rejected: number
  data: BatchItem[]
}

export interface BatchItem {
  index: number
  id?: string
  status?: 'queued' | 'scheduled'
  error?: string
  code?: string
  [name: string]: unknown
}

export interface Broadcast {
  id: string
  projectId: string
  name: string
  audienceId: string
  from: string
  replyTo: string[]
  subject: string | null
  previewText: string | null
  templateId: string | null
  tracking: BroadcastTracking
  throttle: BroadcastThrottle
  status: 'draft' | 'scheduled' | 'sending' | 'paused' | 'sent' | 'cancelled'
  /** ISO 8601 in UTC, with milliseconds. */
  sendAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  completedAt: string | null
  /** Why it could not be sent when its time came; it is a draft again then. */
  problem: string | null
  stats: BroadcastStats
  html: string | null
  text: string | null
  variables: Record<string, unknown>
}

export interface BroadcastLink {
  url: string
  /** How many different people followed it. */
  people: number
  /** How often they did. */
  clicks: number
}

export interface BroadcastLinks {
  /** Those with the most people first. Programs that follow every link are not counted. */
  data: BroadcastLink[]
}

export interface BroadcastPage {
  data: BroadcastSummary[]
  hasMore: boolean
  nextCursor: string | null
}

export interface BroadcastRecipient {
  contactId: string
  /** Null where there is no email and the contact is gone. */
  email: string | null
  /**
   * `unsubscribed`, and `suppressed` without an `emailId`: they were in the audience when it started, and no email was
   * made for them.
   */
  status:
    | 'scheduled'
    | 'queued'
    | 'deferred'
    | 'sending'
    | 'delivered'
    | 'bounced'
    | 'filteredspam'
    | 'quarantined'
    | 'suppressed'
    | 'failed'
    | 'cancelled'
    | 'unsubscribed'
  emailId: string | null
  explanation: Explanation | null
  opens: number
  clicks: number
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

export interface BroadcastRecipientPage {
  data: BroadcastRecipient[]
  hasMore: boolean
  nextCursor: string | null
}

/** The numbers from `queued` to `cancelled` add up to `recipients` at every moment. */
export interface BroadcastStats {
  recipients: number
  /** Not tried yet. */
  queued: number
  delivered: number
  /** Put off by their servers, and tried again. */
  deferred: number
  bounced: number
  filteredspam: number
  quarantined: number
  /** Suppressed, unsubscribed or deleted before it was sent to them. */
  suppressed: number
  /** Not delivered for another reason. */
  failed: number
  /** Not sent, because the broadcast was cancelled or its project archived. */
  cancelled: number
  unsubscribed: number
  opens: number
  clicks: number
}

export interface BroadcastSummary {
  id: string
  projectId: string
  name: string
  audienceId: string
  from: string
  replyTo: string[]
  subject: string | null
  previewText: string | null
  templateId: string | null
  tracking: BroadcastTracking
  throttle: BroadcastThrottle
  status: 'draft' | 'scheduled' | 'sending' | 'paused' | 'sent' | 'cancelled'
  /** ISO 8601 in UTC, with milliseconds. */
  sendAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  completedAt: string | null
  /** Why it could not be sent when its time came; it is a draft again then. */
  problem: string | null
  stats: BroadcastStats
}

export interface BroadcastThrottle {
  perMinute: number | null
}

/** How many messages may leave in a minute, at most. */
export interface BroadcastThrottleInput {
  perMinute: number | null
}

/** Null leaves it to the sender's domain. */
export interface BroadcastTracking {
  opens: boolean | null
  clicks: boolean | null
}

export interface BroadcastTrackingInput {
  opens?: boolean | null
  clicks?: boolean | null
}

/** Afterwards, both branches go on with what follows. */
export interface ConditionStep {
  /** Unique among the steps; made where omitted. */
  id?: string
  type: 'condition'
  /**
   * `{field, operator, value}`, or several of them in `{and: […]}` or `{or: […]}`, up to five deep. Fields: `email`,
   * `firstName`, `lastName`, `properties.<name>` and `tags`, whose value is the id of a tag and whose operators are
   * `contains` and `notContains`. Operators: `equals`, `notEquals`, `contains`, `notContains`, `startsWith`,
   * `endsWith`, `greaterThan`, `greaterOrEqual`, `lessThan`, `lessOrEqual`, `exists`, `notExists`; `exists` and
   * `notExists` take no value. What is not known of a contact is equal to nothing, contains nothing, and is neither
   * greater nor less. Text is compared letter by letter; beside a number, text that is a number counts as one.
   */
  if: Record<string, unknown>
  then?: Record<string, unknown>[]
  else?: Record<string, unknown>[]
}

export interface Consent {
  source: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  at: string | null
  ip: string | null
  userAgent: string | null
  text: string | null
}

/** How the person asked for mail. All of it is kept. */
export interface ConsentInput {
  source?: string
  /** ISO 8601 with an offset or `Z`. */
  at?: string
  ip?: string
  userAgent?: string
  text?: string
}

export interface Contact {
  id: string
  projectId: string
  audienceId: string
  email: string
  firstName: string | null
  lastName: string | null
  subscribed: boolean
  properties: Record<string, unknown>
  /** The names of the person's tags. */
  tags: string[]
  consent: Consent | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  unsubscribedAt: string | null
}

export interface ContactImport {
  id: string
  projectId: string
  audienceId: string
  format: 'csv' | 'ndjson'
  /** What the caller said that columns hold. */
  map: Record<string, string> | null
  status: 'queued' | 'running' | 'completed' | 'failed'
  /** Why a failed one ended early. The rows before stay imported. */
  problem: string | null
  /** The size of the file. */
  bytes: number
  /** How much of it is done. */
  processedBytes: number
  rows: ContactImportRows
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  finishedAt: string | null
}

export interface ContactImportPage {
  data: ContactImport[]
  hasMore: boolean
  nextCursor: string | null
}

export interface ContactImportRows {
  processed: number
  /** New contacts. */
  created: number
  /** Contacts that were there and had something to change. */
  updated: number
  /** Rows that the report lists. */
  refused: number
}

export interface ContactPage {
  data: Contact[]
  hasMore: boolean
  nextCursor: string | null
}

export interface ContactTag {
  id: string
  projectId: string
  name: string
  /** How many people have it, each counted once. */
  contactCount: number
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface ContactTagApplied {
  tagId: string
  email: string
  applied: boolean
}

export interface ContactTagAppliedResult {
  email: string
  applied: boolean
}

export interface ContactTagAppliedToMany {
  tagId: string
  /** One for each of `emails`, in their order. */
  data: (ContactTagAppliedResult | ContactTagRefusal)[]
}

export interface ContactTagPage {
  data: ContactTag[]
  hasMore: boolean
  nextCursor: string | null
}

export interface ContactTagRefusal {
  email: string
  error: string
  code: string
}

export interface ContactTagRemoved {
  tagId: string
  email: string
  removed: boolean
}

export interface ContactTagRemovedResult {
  email: string
  removed: boolean
}

export interface ContactTagRemovedToMany {
  tagId: string
  /** One for each of `emails`, in their order. */
  data: (ContactTagRemovedResult | ContactTagRefusal)[]
}

/**
 * Of which emails the key sees subject, bodies, variables, headers, attachments and the targets of clicked links: all
 * of them, those that it sent itself, or none. It sees the status of all of them.
 */
export type ContentAccess = 'all' | 'own' | 'none'

export interface CreateApiKey {
  name: string
  scopes?: Scope[]
  fullAccess?: boolean
  contentAccess?: ContentAccess
  /** An id that starts with `prj_`. */
  projectId?: string | null
  /** ISO 8601 with an offset or `Z`. */
  expiresAt?: string | null
}

export interface CreateAudience {
  name: string
  description?: string | null
}

export interface CreateAutomation {
  name: string
  trigger: AutomationTrigger
  sender?: AutomationSenderInput
  tracking?: AutomationTrackingInput
  /** At most 100, those in branches included, and branches at most five deep. */
  steps: AutomationStep[]
  /** Whether somebody who has been through it can start again; at most ten times in an hour. `never` if omitted. */
  reentry?: 'never' | 'always'
  /** Needs a verified sender. While it is false nobody starts, and all wait. */
  enabled?: boolean
}

export interface CreateBroadcast {
  /** An id that starts with `aud_`. */
  audienceId: string
  /** A mailbox: `ann@example.com` or `Ann <ann@example.com>`. */
  from: string
  name?: string | null
  replyTo?: string | string[] | null
  /** The template's if omitted. */
  subject?: string | null
  /** What mail programs show beside the subject. */
  previewText?: string | null
  html?: string | null
  /** Made from the html if omitted. */
  text?: string | null
  /** An id that starts with `tpl_`, or an alias. */
  templateId?: string | null
  variables?: Record<string, unknown>
  tracking?: BroadcastTrackingInput | null
  throttle?: BroadcastThrottleInput | null
}

export interface CreateContactTag {
  /** Unique in the project; upper and lower case are the same. */
  name: string
}

export interface CreateDomain {
  /** A domain name in any script; it comes back in lower case and ASCII. */
  name: string
  tracking?: DomainTrackingChange
  /** Whether to sign with an Ed25519 key beside the RSA one. */
  ed25519?: boolean
}

export interface CreateInvitation {
  /** An email address. */
  email: string
  role?: 'owner' | 'admin' | 'developer' | 'marketer' | 'author' | 'viewer' | null
  /** All roles in single projects: those that are not named end. */
  projects?: ProjectRoleInput[]
}

export interface CreateProject {
  name: string
  quota?: QuotaChange
}

export interface CreateReceivingDomain {
  /** `managed` works at once, with a name of ours; `custom` is a name of your own. */
  type: 'managed' | 'custom'
  /** A domain name in any script; it comes back in lower case and ASCII. Only for a custom domain. */
  name?: string
}

export interface CreateSmsBusinessProfile {
  legalName?: string | null
  displayName?: string | null
  entityType?:
    | 'private_profit'
    | 'public_profit'
    | 'non_profit'
    | 'government'
    | 'sole_proprietor'
    | null
  registrationType?: string | null
  /** ISO 3166, two letters. */
  registrationCountry?: string | null
  address?: SmsBusinessAddress | null
  /** A web page, https. */
  website?: string | null
  vertical?: string | null
  contact?: SmsBusinessContact | null
  stockSymbol?: string | null
  exchange?: string | null
  /** Shown afterwards by its last two characters. */
  registrationNumber?: string | null
}

export interface CreateSmsProgram {
  name: string
  channel?: '10dlc' | 'toll_free' | 'short_code' | 'international' | null
  useCase?:
    | '2fa'
    | 'account_notification'
    | 'customer_care'
    | 'delivery_notification'
    | 'fraud_alert'
    | 'marketing'
    | 'mixed'
    | 'low_volume'
    | 'polling'
    | 'higher_education'
    | 'public_service'
    | 'security_alert'
    | 'charity'
    | 'emergency'
    | null
  subUseCases?: (
    | '2fa'
    | 'account_notification'
    | 'customer_care'
    | 'delivery_notification'
    | 'fraud_alert'
    | 'marketing'
    | 'mixed'
    | 'low_volume'
    | 'polling'
    | 'higher_education'
    | 'public_service'
    | 'security_alert'
    | 'charity'
    | 'emergency')[]
  allowedCategories?: ('authentication' | 'transactional' | 'marketing' | 'conversational')[]
  description?: string | null
  messageFlow?: string | null
  samples?: string[]
  optInMessage?: string | null
  optOutMessage?: string | null
  helpMessage?: string | null
  keywords?: SmsKeywords
  embeddedLink?: boolean
  embeddedPhone?: boolean
  ageGated?: boolean
  directLending?: boolean
  /** A web page, https. */
  privacyPolicyUrl?: string | null
  /** A web page, https. */
  termsUrl?: string | null
  expectedMonthlyVolume?: number | null
  quietHours?: SmsQuietHours | null
  /** An id that starts with `smsbp_`. */
  businessProfileId?: string | null
}

export interface CreateSmsSender {
  type: 'long_code' | 'toll_free' | 'short_code' | 'alphanumeric'
  /** E.164, a short code of 3 to 6 digits, or a name of up to 11 letters and digits. */
  address: string
  /** ISO 3166, two letters. */
  country: string
  twoWay?: boolean
  /** An id that starts with `smspg_`. */
  programId?: string | null
}

export interface CreateTemplate {
  name: string
  /** What a send can call it by; unique in the project. */
  alias?: string | null
  subject?: string
  html?: string
  text?: string
  variables?: TemplateVariableInput[]
}

export interface CreateWebhook {
  /** An https URL on the public internet, without credentials. */
  url: string
  enabled?: boolean
  /** The kinds of events to be told of. */
  events?: EventKind[]
  description?: string | null
}

export interface CreatedApiKey {
  id: string
  name: string
  fullAccess: boolean
  scopes: Scope[]
  contentAccess: ContentAccess
  projectId: string | null
  prefix: string
  last4: string
  /** The key or the person that made it; null for one of the command line. */
  createdBy: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  lastUsedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  revokedAt: string | null
  /** Shown here and never again. */
  secret: string
}

export interface CreatedWebhook {
  id: string
  projectId: string
  url: string
  enabled: boolean
  events: EventKind[]
  description: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** Why we disabled it; null if it was not us. */
  disabledReason: string | null
  /** What requests are signed with. Shown here and never again. */
  secret: string
}

export interface DelayStep {
  /** Unique among the steps; made where omitted. */
  id?: string
  type: 'delay'
  /** ISO 8601, in weeks or in days, hours, minutes and seconds: `P2W`, `P1DT12H`. At most 366 days. */
  duration?: string
  /** Instead of a duration, with a unit. */
  amount?: number
  unit?: 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks'
}

export interface DeletedAudience {
  id: string
  deleted: true
}

export interface DeletedAutomation {
  id: string
  deleted: true
}

export interface DeletedBroadcast {
  id: string
  deleted: true
}

export interface DeletedContact {
  id: string
  deleted: true
}

export interface DeletedContactTag {
  id: string
  deleted: true
}

export interface DeletedDomain {
  id: string
  deleted: true
}

export interface DeletedReceivingDomain {
  id: string
  deleted: true
}

export interface DeletedSuppression {
  id: string
  deleted: true
}

export interface DeletedTemplate {
  id: string
  deleted: true
}

export interface DeletedWebhook {
  id: string
  deleted: true
}

export interface DestinationHost {
  host: string | null
  address: string | null
  tls: string | null
  attempts: number
  accepted: number
  last: 'accepted' | 'refused' | 'declined' | 'lost' | null
  /** ISO 8601 in UTC, with milliseconds. */
  lastAt: string
  /** Why we do not go there, where we do not. */
  refused: string | null
}

export interface DestinationPace {
  /** Of all nodes, now. */
  connections: number
  /** How many there may be now. */
  limit: number
  /** Mails a minute at most; null without such a limit. */
  perMinute: number | null
}

export interface DestinationPause {
  by: Pauser
  /** ISO 8601 in UTC, with milliseconds. */
  since: string
  because: string | null
  /** For the whole installation. */
  everywhere: boolean
}

export interface DestinationReply {
  /** Null where no server answered. */
  code: number | null
  enhanced: string | null
  /** Null where it answered to mail of another project. */
  text: string | null
  /** How far the conversation had come. */
  stage: string | null
  host: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
}

export interface DestinationReplyGroup {
  code: number | null
  enhanced: string | null
  /** The last one of those that differ in numbers and addresses only. */
  text: string
  stage: string | null
  count: number
  /** ISO 8601 in UTC, with milliseconds. */
  lastAt: string
  explanation: Explanation
}

export interface Dialogue {
  /** At most 60. Content is left out, and so is what proves who we are. */
  lines: DialogueLine[]
  peer: DialoguePeer
  /** So many bytes of content were sent. */
  bytes: number
}

export interface DialogueLine {
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  from: 'us' | 'them'
  text: string
}

/** The server that we talked to. All null for the simulator. */
export interface DialoguePeer {
  host: string | null
  address: string | null
  /** The protocol, as in `TLSv1.3`; null without TLS. */
  tls: string | null
  /** Our own address. */
  source: string | null
}

export interface DkimKey {
  selector: string
  algorithm: 'rsa' | 'ed25519'
  /** `pending` until its record is found; a `retired` key signs no more, and its record is still needed. */
  state: 'pending' | 'active' | 'retired'
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  keepUntil: string | null
}

export interface DmarcAdvice {
  /** What the DNS says today; null without a record. */
  policy: 'none' | 'quarantine' | 'reject' | null
  /** The next step. It equals the policy as long as no reports have come; null after the last one. */
  next: 'none' | 'quarantine' | 'reject' | null
  /** Of the last 30 days, as everything here. */
  reports: number
  messages: number
  wouldLose: DmarcLoss
}

/** What the receivers did with the messages. */
export interface DmarcDispositions {
  none: number
  quarantine: number
  reject: number
}

export interface DmarcGroup {
  /** The address, the reporter or the day. `other` stands for all addresses that are not kept apart. */
  key: string
  /**
   * Whose address it is: one of this installation, of a well-known sender, or of somebody else. Null unless grouped by
   * source.
   */
  kind: 'ours' | 'known' | 'stranger' | null
  /** The sender or the host, where it is known; of a reporter its name. */
  name: string | null
  messages: number
  dkimAligned: number
  spfAligned: number
  dispositions: DmarcDispositions
}

/** What was neither signed nor sent from where the domain allows, and a strict policy acts on. */
export interface DmarcLoss {
  messages: number
  share: number
  /** The twenty with the most messages. */
  sources: DmarcLossSource[]
}

export interface DmarcLossSource {
  key: string
  /** Whose address it is: one of this installation, of a well-known sender, or of somebody else. */
  kind: 'ours' | 'known' | 'stranger'
  name: string | null
  messages: number
}

export interface DmarcPart {
  tag: string
  value: string
  /** Why receivers ignore this part. */
  problem: 'unknown' | 'malformed' | 'repeated' | 'misplaced' | null
}

export interface DmarcReports {
  /** By messages, the most first; days in their order. */
  data: DmarcGroup[]
  /** How many reports these numbers are from. */
  reports: number
  /** A day in UTC. */
  from: string
  /** A day in UTC. */
  to: string
}

export interface DnsRecord {
  purpose: 'dkim' | 'return-path-mx' | 'return-path-spf' | 'dmarc' | 'tracking'
  type: 'TXT' | 'MX' | 'CNAME'
  /** The full name. */
  name: string
  /** The name as most DNS panels want it: without the zone. */
  host: string
  value: string
  priority: number | null
  ttl: number
  /** Whether the domain can be verified without it. */
  required: boolean
  status: 'pending' | 'verified' | 'mismatch'
  /** What the DNS answered at the last check. */
  observed: string[]
  /** What to do about it. */
  hint: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  askedAt: string | null
  /** The DNS server that said so. */
  askedOf: string | null
  /** For how many more seconds that server may say the same, whatever is changed meanwhile. */
  ttlLeft: number | null
}

export interface Domain {
  id: string
  projectId: string
  name: string
  status: 'pending' | 'verified' | 'warning' | 'failed'
  /** The DNS records to create, and what is known of each. */
  records: DnsRecord[]
  tracking: DomainTracking
  dns: DomainDns
  /** The keys whose records should be in the DNS, oldest first. */
  dkim: DkimKey[]
  dmarc: DomainDmarc | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  verifiedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  lastCheckedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  nextCheckAt: string
}

export interface DomainDmarc {
  record: string
  /** What receivers act on; null when they ignore the record. */
  policy: 'none' | 'quarantine' | 'reject' | null
  parts: DmarcPart[]
}

export interface DomainDns {
  /** Who hosts the zone, by its name servers; null until they are known. */
  provider:
    | 'cloudflare'
    | 'route53'
    | 'hetzner'
    | 'ovh'
    | 'ionos'
    | 'godaddy'
    | 'namecheap'
    | 'gandi'
    | 'google'
    | 'azure'
    | 'digitalocean'
    | 'desec'
    | 'other'
    | null
  nameServers: string[]
}

export interface DomainPage {
  data: Domain[]
  hasMore: boolean
  nextCursor: string | null
}

export interface DomainTracking {
  opens: boolean
  clicks: boolean
  host: string | null
}

export interface DomainTrackingChange {
  opens?: boolean
  clicks?: boolean
  /** Where links in mail lead, a name below the domain such as `links.example.com`; null for ours. */
  host?: string | null
}

export interface DryRun {
  dryRun: true
  projectId: string
  status: 'queued' | 'scheduled'
  from: string
  to: string[]
  cc: string[]
  bcc: string[]
  subject: string
  html: string | null
  text: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  sendAt: string | null
  suppressed: string[]
}

export interface Email {
  id: string
  projectId: string
  status:
    | 'scheduled'
    | 'queued'
    | 'deferred'
    | 'sending'
    | 'delivered'
    | 'bounced'
    | 'filteredspam'
    | 'quarantined'
    | 'suppressed'
    | 'failed'
    | 'cancelled'
  from: string
  to: string[]
  subject: string
  /**
   * Whether subject, bodies, variables, headers, attachments and the targets of clicked links are left out: see
   * `contentAccess` of API keys.
   */
  contentHidden: boolean
  tags: Record<string, string>
  /** ISO 8601 in UTC, with milliseconds. */
  sendAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  batchId: string | null
  cc: string[]
  bcc: string[]
  replyTo: string[]
  html: string | null
  text: string | null
  templateId: string | null
  templateVersion: number | null
  variables: Record<string, unknown>
  headers: Record<string, string>
  metadata: Record<string, string>
  tracking: EmailTracking
  inReplyTo: string | null
  /** Recipients by status. */
  counts: Record<string, number>
  /** When the first recipient had it. */
  sentAt: string | null
  messageIdHeader: string
  recipients: Recipient[]
  events: EmailEvent[]
  attachments: EmailAttachment[]
  broadcastId: string | null
  automationRunId: string | null
  /** The email that this one repeats. */
  resentFrom: string | null
  sentBy: EmailSentBy | null
  /** ISO 8601 in UTC, with milliseconds. */
  contentPurgedAt: string | null
}

export interface EmailAttachment {
  id: string
  filename: string
  contentType: string
  size: number
  /** What `src="cid:…"` in the html refers to. */
  contentId: string | null
}

/**
 * Recipients, each at the time at which it happened. `deferred` has a recipient once, however often its mail was put
 * off.
 */
export interface EmailCounts {
  accepted: number
  delivered: number
  deferred: number
  bounced: number
  filteredspam: number
  quarantined: number
  suppressed: number
  failed: number
  opened: number
  clicked: number
  unsubscribed: number
}

export interface EmailEvent {
  id: string
  type: string
  recipient: string
  /** ISO 8601 in UTC, with milliseconds. */
  timestamp: string
  detail: string
  smtp: SmtpReply | null
  explanation: Explanation | null
  /** The id of the event again, if it is known what was said: read it as a dialogue. */
  dialogueId: string | null
}

export interface EmailLatency {
  /** Milliseconds from when it was to be sent; null if nothing was delivered. */
  p50: number | null
  /** Milliseconds from when it was to be sent; null if nothing was delivered. */
  p95: number | null
  /** Milliseconds from when it was to be sent; null if nothing was delivered. */
  p99: number | null
}

export interface EmailPage {
  data: EmailSummary[]
  hasMore: boolean
  nextCursor: string | null
  /** Emails down to this time were looked at; the next page goes on from there. Null when it was all. */
  searchedTo: string | null
}

export interface EmailPoint {
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  accepted: number
  delivered: number
  deferred: number
  bounced: number
  filteredspam: number
  quarantined: number
  suppressed: number
  failed: number
  opened: number
  clicked: number
  unsubscribed: number
}

/** Who sent it; null for mail of broadcasts and automations. */
export interface EmailSentBy {
  type: 'key' | 'person'
  /** An id that starts with `key_` or `per_`. */
  id: string
  name: string | null
}

export interface EmailSeries {
  /**
   * The id of a domain or template, a provider, a source, or a tag as `name:value`; null for mail that has none, and
   * without `groupBy`.
   */
  key: string | null
  totals: EmailCounts
  points: EmailPoint[]
  latency: EmailLatency
}

export interface EmailStatistics {
  /** ISO 8601 in UTC, with milliseconds. */
  from: string
  /** ISO 8601 in UTC, with milliseconds. */
  to: string
  step: 'minute' | 'hour' | 'day'
  /** ISO 8601 in UTC, with milliseconds. */
  asOf: string
  totals: EmailCounts
  latency: EmailLatency
  waiting: WaitingRecipients
  series: EmailSeries[]
}

export interface EmailStep {
  /** Unique among the steps; made where omitted. */
  id?: string
  type: 'email'
  /** The template's if omitted. */
  subject?: string
  html?: string
  /** Made from the html if omitted. */
  text?: string
  /** What mail programs show of it in lists. */
  previewText?: string
  /** An id that starts with `tpl_`, or an alias. Copied when the step is written. */
  templateId?: string
  variables?: Record<string, unknown>
}

export interface EmailSummary {
  id: string
  projectId: string
  status:
    | 'scheduled'
    | 'queued'
    | 'deferred'
    | 'sending'
    | 'delivered'
    | 'bounced'
    | 'filteredspam'
    | 'quarantined'
    | 'suppressed'
    | 'failed'
    | 'cancelled'
  from: string
  to: string[]
  subject: string
  /**
   * Whether subject, bodies, variables, headers, attachments and the targets of clicked links are left out: see
   * `contentAccess` of API keys.
   */
  contentHidden: boolean
  tags: Record<string, string>
  /** ISO 8601 in UTC, with milliseconds. */
  sendAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  batchId: string | null
}

export interface EmailTracking {
  opens: boolean
  clicks: boolean
}

export interface EmailTrackingInput {
  opens?: boolean
  clicks?: boolean
}

export interface EndedSessions {
  ended: number
}

export interface Refusal {
  /** A sentence for a person. */
  error: string
  code: ErrorCode
  requestId: string
  details?: Problem[]
  [name: string]: unknown
}

export type EventKind =
  | 'email.delivered'
  | 'email.bounced'
  | 'email.filteredspam'
  | 'email.suppressed'
  | 'email.quarantined'
  | 'email.unsubscribed'
  | 'email.received'
  | 'email.deferred'
  | 'email.failed'
  | 'email.opened'
  | 'email.clicked'
  | 'sms.sent'
  | 'sms.delivered'
  | 'sms.undelivered'
  | 'sms.failed'
  | 'sms.unconfirmed'
  | 'sms.received'
  | 'sms.optedout'
  | 'sms.optedin'
  | 'sms.walletlow'

export interface ExitStep {
  /** Unique among the steps; made where omitted. */
  id?: string
  type: 'exit'
}

export interface Explanation {
  /** Whose it is to mend: `us` is this installation, `unknown` says that the server gave no known reason. */
  cause: 'recipient' | 'receiver' | 'sender' | 'content' | 'us' | 'unknown'
  /** What happened, in a few words. */
  title: string
  /** What that means. */
  sentence: string
  /** What to do about it. */
  advice: string
  /** True where nothing gets better until a person does what `advice` says. */
  needsAction: boolean
}

/** The process is alive. */
export interface Health {
  status: 'ok'
  version: string
  uptimeSeconds: number
}

export interface HoldSending {
  /** Why, in words for colleagues. */
  because: string
}

export interface Installation {
  /** Of the node that answers. */
  version: string
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string | null
  /** When somebody last looked at the database. */
  asOf: string | null
  nodes: InstallationNode[]
  roles: InstallationRole[]
  database: InstallationDatabase | null
  disk: InstallationDisk
  smtp: InstallationSmtp
  tls: InstallationTls
  publicUrl: InstallationPublicUrl
  master: InstallationMaster
  retention: InstallationRetention
}

export interface InstallationAddress {
  address: string
  /** The name that the DNS gives for the address. */
  ptr: string | null
  /** Whether that is the name we greet with, and leads back to the address. */
  matches: boolean
}

export interface InstallationDatabase {
  version: string
  /** Connections of all programs. */
  connections: number
  /** How many there may be. */
  limit: number
  sizeBytes: number
}

/** Of the node with the smallest part of its disk free. */
export interface InstallationDisk {
  freeBytes: number | null
  totalBytes: number | null
}

export interface InstallationMaster {
  /** Whether a person has said that the master key is kept in a second place, or it is set from outside. */
  backedUpHint: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  notedAt: string | null
}

export interface InstallationNode {
  node: string
  version: string
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  seenAt: string
  freeBytes: number | null
  totalBytes: number | null
}

export interface InstallationPublicUrl {
  url: string
  https: boolean
}

/** In days. */
export interface InstallationRetention {
  bodies: number
  events: number
  webhookDeliveries: number
  received: number
}

export interface InstallationRole {
  node: string
  role: string
  up: boolean
  /** Since the node was started. */
  restarts: number
  /** ISO 8601 in UTC, with milliseconds. */
  heartbeatAt: string
}

export interface InstallationSmtp {
  hostname: string
  addresses: InstallationAddress[]
  /** Whether we reach the mail servers of others; `relay` where a smarthost takes all mail. */
  outgoing: 'blocked' | 'unknown' | 'open' | 'relay'
}

export interface InstallationTls {
  /** When the certificate of the receiving mail server ends. */
  expiresAt: string | null
}

export interface Invitation {
  id: string
  email: string
  role: 'owner' | 'admin' | 'developer' | 'marketer' | 'author' | 'viewer' | null
  projects: ProjectRole[]
  /** Whether the link was sent to the address. */
  mailed: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string
}

export interface InvitationPage {
  data: Invitation[]
  hasMore: boolean
  nextCursor: string | null
}

export interface LiveChange {
  topic: string
  /** Another one than before where something has changed, also over two streams. */
  version: string
  /** Of one thing. */
  status?: string
  /** Of `overview`: `accepted` in the last minute, and `waiting`; these end at 1000. */
  counts?: Record<string, number>
  /** Of `emails` and `inbox`, unless there is none. */
  newestId?: string
  /** Of `emails`: so many came since the last change. */
  more?: number
  /** The thing is there no longer. */
  deleted?: true
}

export interface LiveChangeEvent {
  event: 'change'
  data: LiveChange
}

export type LiveEvent = LiveHelloEvent | LiveChangeEvent

export interface LiveHello {
  /** The version of Posthouse that runs here. */
  version: string
  /** The time by which everything is dated: that of the database. */
  at: string
}

export interface LiveHelloEvent {
  event: 'hello'
  data: LiveHello
}

/** What the sender could prove. Null where it was not looked at. */
export interface MailAuthentication {
  /** `pass`, `fail`, `softfail`, `neutral`, `none`, `policy`, `temperror` or `permerror`. */
  spf: string | null
  /** `pass`, `fail`, `softfail`, `neutral`, `none`, `policy`, `temperror` or `permerror`. */
  dkim: string | null
  /** `pass`, `fail`, `softfail`, `neutral`, `none`, `policy`, `temperror` or `permerror`. */
  dmarc: string | null
  /** `pass`, `fail`, `softfail`, `neutral`, `none`, `policy`, `temperror` or `permerror`. */
  arc: string | null
}

export interface MailHeader {
  name: string
  value: string
}

export interface Mailbox {
  email: string
  name: string
}

export interface NewInvitation {
  id: string
  email: string
  role: 'owner' | 'admin' | 'developer' | 'marketer' | 'author' | 'viewer' | null
  projects: ProjectRole[]
  /** Whether the link was sent to the address. */
  mailed: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string
  /** Shown here and never again. */
  link: string
}

export interface Notice {
  kind:
    | 'sending_held'
    | 'domain_record_lost'
    | 'domain_unverified'
    | 'bounces_high'
    | 'complaints_high'
    | 'webhook_disabled'
    | 'webhook_failing'
    | 'broadcast_returned'
    | 'automation_failing'
    | 'quota_nearly_used'
    | 'key_expiring'
    | 'role_down'
    | 'role_restarting'
    | 'disk_low'
    | 'database_busy'
    | 'port_25_blocked'
    | 'host_name_wrong'
    | 'certificate_ending'
    | 'public_url_insecure'
    | 'master_key_not_backed_up'
    | 'operator_mail'
  severity: 'problem' | 'warning' | 'hint'
  /** ISO 8601 in UTC, with milliseconds. */
  since: string
  title: string
  /** What it means, and what to do about it. */
  sentence: string
  /** The page of the portal where something can be done about it. */
  link: string
  /** How many things it is about; 100 may be more. */
  count: number
}

export interface NoticeList {
  data: Notice[]
}

export interface OperatorMail {
  id: string
  recipient: string
  from: string | null
  subject: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  receivedAt: string
}

export interface OperatorMailList {
  data: OperatorMail[]
}

export interface OutstandingRecipient {
  contactId: string
  /** Null where the contact is gone. */
  email: string | null
  status: 'waiting' | 'queued' | 'sending' | 'deferred' | 'held'
  emailId: string | null
  attempts: number
  /** ISO 8601 in UTC, with milliseconds. */
  nextAttemptAt: string | null
}

export interface OutstandingRecipientPage {
  data: OutstandingRecipient[]
  hasMore: boolean
  nextCursor: string | null
}

export interface PauseDestination {
  /** Why, in words for colleagues. */
  because?: string
  /**
   * For the mail of the whole installation. Needs the workspace role owner or admin, or a full-access workspace key.
   */
  everywhere?: boolean
}

export interface Pauser {
  type: 'key' | 'person'
  /** Null for somebody of another workspace. */
  id: string | null
  name: string | null
}

export interface PersonSession {
  id: string
  /** Browser and system, as the browser names them. */
  device: string
  /** The address that the session was started from. */
  address: string
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  lastSeenAt: string
}

export interface PersonSessionPage {
  data: PersonSession[]
  hasMore: boolean
  nextCursor: string | null
}

export interface PreviewTemplate {
  variables?: Record<string, unknown>
}

export interface Problem {
  path: string
  message: string
}

export interface Project {
  id: string
  accountId: string
  name: string
  status: 'active' | 'paused' | 'archived'
  quota: Quota
  sms: ProjectSms
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  pausedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  archivedAt: string | null
}

export interface ProjectPage {
  data: Project[]
  hasMore: boolean
  nextCursor: string | null
}

export interface ProjectRole {
  projectId: string
  role: 'admin' | 'developer' | 'marketer' | 'author' | 'viewer'
}

export interface ProjectRoleInput {
  /** An id that starts with `prj_`. */
  projectId: string
  role: 'admin' | 'developer' | 'marketer' | 'author' | 'viewer'
}

export interface ProjectSms {
  invited: boolean
  live: boolean
}

export interface ProjectTrace {
  projectId: string
  /** ISO 8601 in UTC, with milliseconds. */
  until: string
}

export interface ProjectUsage {
  emailsPerDay: QuotaUse
  emailsPerMonth: QuotaUse
}

export interface Queue {
  /** ISO 8601 in UTC, with milliseconds. */
  asOf: string
  waiting: number
  /** ISO 8601 in UTC, with milliseconds. */
  oldestAt: string | null
  leavingPerSecond: number
  destinations: QueueCounts
  data: QueueDestination[]
  hasMore: boolean
  nextCursor: string | null
}

/** How many there are. */
export interface QueueCounts {
  all: number
  needsLook: number
}

export interface QueueDestination {
  /** As `recipients[].destination` of an email names it. */
  destination: string
  /** For people. */
  name: string
  /** Recipients of the project whose mail has not left and is not scheduled. */
  waiting: number
  /** ISO 8601 in UTC, with milliseconds. */
  oldestAt: string | null
  state: 'flows' | 'slowed' | 'suspended' | 'unreachable' | 'paused'
  needsLook: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  since: string | null
  pace: DestinationPace
  /** ISO 8601 in UTC, with milliseconds. */
  nextTryAt: string | null
  lastReply: DestinationReply | null
  explanation: Explanation | null
  paused: DestinationPause | null
}

export interface QueueDestinationDetail {
  /** ISO 8601 in UTC, with milliseconds. */
  asOf: string
  /** As `recipients[].destination` of an email names it. */
  destination: string
  /** For people. */
  name: string
  /** Recipients of the project whose mail has not left and is not scheduled. */
  waiting: number
  /** ISO 8601 in UTC, with milliseconds. */
  oldestAt: string | null
  state: 'flows' | 'slowed' | 'suspended' | 'unreachable' | 'paused'
  needsLook: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  since: string | null
  pace: DestinationPace
  /** ISO 8601 in UTC, with milliseconds. */
  nextTryAt: string | null
  lastReply: DestinationReply | null
  explanation: Explanation | null
  paused: DestinationPause | null
  /** What was answered to mail of the project in the last 24 hours, the most frequent first. */
  replies: DestinationReplyGroup[]
  /** Where mail of the project went, or was to go, in the last 24 hours. */
  hosts: DestinationHost[]
}

export interface Quota {
  /** Recipients; null is unlimited. */
  emailsPerDay: number | null
  /** Recipients; null is unlimited. */
  emailsPerMonth: number | null
}

export interface QuotaChange {
  /** Recipients; null is unlimited. */
  emailsPerDay?: number | null
  /** Recipients; null is unlimited. */
  emailsPerMonth?: number | null
}

export interface QuotaUse {
  /** Recipients so far. */
  used: number
  /** Recipients; null is unlimited. */
  limit: number | null
  /** ISO 8601 in UTC, with milliseconds. */
  resetsAt: string
}

export interface ReceivedAttachment {
  id: string
  projectId: string
  filename: string | null
  contentType: string
  size: number
  contentId: string | null
  disposition: 'attachment' | 'inline'
  sha256: string
}

export interface ReceivedAttachmentPage {
  data: ReceivedAttachment[]
  hasMore: boolean
  nextCursor: string | null
}

export interface ReceivedEmail {
  id: string
  projectId: string
  domainId: string
  from: Mailbox | null
  /** As the header says; who it was delivered to is in the envelope. */
  to: Mailbox[]
  subject: string | null
  messageIdHeader: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  receivedAt: string
  /** Of the raw message, in bytes, with our trace field. */
  size: number
  attachmentCount: number
  auth: MailAuthentication
  /** The score that rspamd gave; null where none is asked. */
  spam: number | null
  cc: Mailbox[]
  replyTo: Mailbox[]
  envelope: ReceivedEnvelope
  transport: ReceivedTransport
  /** Our trace field first. Decoded, in their order, none left out for being there twice. */
  headers: MailHeader[]
  html: string | null
  text: string | null
  /** The text without quoted history and signature. */
  strippedText: string | null
  inReplyTo: string | null
  references: string[]
}

export interface ReceivedEmailPage {
  data: ReceivedEmailSummary[]
  hasMore: boolean
  nextCursor: string | null
}

export interface ReceivedEmailSummary {
  id: string
  projectId: string
  domainId: string
  from: Mailbox | null
  /** As the header says; who it was delivered to is in the envelope. */
  to: Mailbox[]
  subject: string | null
  messageIdHeader: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  receivedAt: string
  /** Of the raw message, in bytes, with our trace field. */
  size: number
  attachmentCount: number
  auth: MailAuthentication
  /** The score that rspamd gave; null where none is asked. */
  spam: number | null
}

export interface ReceivedEnvelope {
  /** Null for the null sender of bounces. */
  from: string | null
  to: string
}

/** Null where the message came unencrypted. */
export interface ReceivedTls {
  version: string
  cipher: string
}

/** Who brought the message to us, and how. */
export interface ReceivedTransport {
  /** Of the client; behind a load balancer, of the client behind it. */
  remoteAddress: string
  /** What the client called itself. Nothing of it was checked. */
  helo: string
  tls: ReceivedTls | null
  /** ISO 8601 in UTC, with milliseconds. */
  receivedAt: string
}

export interface ReceivingDnsRecord {
  purpose: 'receiving-mx' | 'receiving-proof' | 'receiving-tls-reports'
  type: 'TXT' | 'MX' | 'CNAME'
  /** The full name. */
  name: string
  /** The name as most DNS panels want it: without the zone. */
  host: string
  value: string
  priority: number | null
  ttl: number
  /** Whether the domain can be verified without it. */
  required: boolean
  status: 'pending' | 'verified' | 'mismatch'
  /** What the DNS answered at the last check. */
  observed: string[]
  /** What to do about it. */
  hint: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  askedAt: string | null
  /** The DNS server that said so. */
  askedOf: string | null
  /** For how many more seconds that server may say the same, whatever is changed meanwhile. */
  ttlLeft: number | null
}

export interface ReceivingDomain {
  id: string
  projectId: string
  type: 'managed' | 'custom'
  name: string
  status: 'pending' | 'verified' | 'failed'
  /** The DNS records to create, and what is known of each; none for a managed domain. */
  records: ReceivingDnsRecord[]
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  verifiedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  lastCheckedAt: string | null
}

export interface ReceivingDomainPage {
  data: ReceivingDomain[]
  hasMore: boolean
  nextCursor: string | null
}

export interface RecentAutomationRun {
  id: string
  /** The version of the automation that it started with, and finishes with. */
  version: number
  contactId: string
  /** Null once the contact is deleted. */
  email: string | null
  status: 'waiting' | 'completed' | 'stopped' | 'failed'
  /** The delay that it is in, the step that comes next, or the last one. */
  stepId: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  nextDueAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  finishedAt: string | null
  stopReason:
    | 'tag_removed'
    | 'left_audience'
    | 'unsubscribed'
    | 'suppressed'
    | 'automation_deleted'
    | 'contact_deleted'
    | 'error'
    | null
  /** Why the next step could not be done; it is tried again. */
  problem: string | null
  /** What was done, step by step. */
  results: AutomationStepResult[]
}

export interface Recipient {
  email: string
  kind: 'to' | 'cc' | 'bcc'
  status:
    | 'scheduled'
    | 'queued'
    | 'deferred'
    | 'sending'
    | 'delivered'
    | 'bounced'
    | 'filteredspam'
    | 'quarantined'
    | 'suppressed'
    | 'failed'
    | 'cancelled'
  attempts: number
  /** ISO 8601 in UTC, with milliseconds. */
  nextAttemptAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  /** What the queue calls the servers that the mail goes to, or went to: a provider, or a domain. */
  destination: string
  explanation: Explanation | null
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
  /** Somebody who texted STOP stays suppressed until they text START. */
  suppressionStillActive?: boolean
}

export interface RecoveryLink {
  /** Shown here and never again. */
  link: string
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string
}

export interface RemovePerson {
  /** What becomes of the API keys that they made, and of those that these made; `keep` if omitted. */
  keys?: 'keep' | 'revoke'
}

export interface RemoveSuppression {
  /** An email address. */
  email?: string
  /** That the person asked for mail again; kept in the audit log. */
  confirmedOptIn?: boolean
  note?: string
}

export interface RemovedPerson {
  id: string
  deleted: true
  revokedKeys: number
}

export interface ReplacedWebhookSecret {
  /** ISO 8601 in UTC, with milliseconds. */
  since: string
  /** ISO 8601 in UTC, with milliseconds. */
  validUntil: string
}

export interface ReplayWebhookDeliveries {
  /** `failed` unless given: all that did not arrive. Pending ones go on by themselves. */
  status?: 'failed' | 'delivered' | 'any'
  /** ISO 8601 with an offset or `Z`. */
  createdAfter?: string
  /** ISO 8601 with an offset or `Z`. */
  createdBefore?: string
}

export interface RescheduleEmail {
  /** ISO 8601 with an offset or `Z`. */
  sendAt: string
}

export interface ResendEmail {
  /** Who gets it instead of all recipients that it had, in `to`, `cc` and `bcc`. */
  to?: string | string[]
}

export interface ResentEmail {
  id: string
  projectId: string
  status: 'queued' | 'scheduled'
  from: string
  to: string[]
  subject: string
  /** ISO 8601 in UTC, with milliseconds. */
  sendAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** The email that this one repeats. */
  resentFrom: string
}

export interface ResumeDestination {
  /** Why, in words for colleagues. */
  because?: string
  /**
   * For the mail of the whole installation. Needs the workspace role owner or admin, or a full-access workspace key.
   */
  everywhere?: boolean
}

export interface ResumeSending {
  /** Why, in words for colleagues. */
  because?: string
}

export interface RetriedDestination {
  recipients: number
}

export interface RevokedApiKey {
  id: string
  deleted: true
  /** With `family=true`: how many keys stopped working with this call. */
  revokedCount?: number
}

export interface ScheduleBroadcast {
  /** ISO 8601 with an offset or `Z`. */
  sendAt: string
}

export interface SearchHit {
  type:
    | 'address'
    | 'project'
    | 'key'
    | 'person'
    | 'domain'
    | 'email'
    | 'batch'
    | 'template'
    | 'suppression'
    | 'audience'
    | 'contact'
    | 'tag'
    | 'broadcast'
    | 'automation'
    | 'run'
    | 'webhook'
    | 'delivery'
    | 'receiving_domain'
    | 'received'
    | 'sms'
  /** The id of the thing; of an address, the address. */
  id: string
  projectId: string | null
  title: string
  subtitle: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  at: string | null
  /** Where the portal shows it; null where it has no page. */
  link: string | null
}

export interface SearchResult {
  data: SearchHit[]
}

export interface SeedTemplates {
  /** Whether starters that were edited are put back as they were. */
  reset?: boolean
}

/** The starters of the project, and how many of them are new. */
export interface SeededTemplates {
  /** How many were missing. */
  created: number
  /** How many were put back as they were. */
  restored: number
  /** All starters of the project. */
  data: Template[]
}

export interface SendBatch {
  emails: SendEmail[]
}

export interface SendBroadcast {
  /** Refused if it is another number of people who would get it now. */
  expectedRecipients?: number
}

export interface SendEmail {
  /** A mailbox: `ann@example.com` or `Ann <ann@example.com>`. */
  from: string
  /** At most 50 recipients in `to`, `cc` and `bcc` together. */
  to: string | string[]
  /** At most 50 recipients in `to`, `cc` and `bcc` together. */
  cc?: string | string[]
  /** At most 50 recipients in `to`, `cc` and `bcc` together. */
  bcc?: string | string[]
  replyTo?: string | string[]
  /** The template's if omitted. */
  subject?: string
  html?: string
  /** Made from the html if omitted. */
  text?: string
  /** An id that starts with `tpl_`, or an alias. */
  templateId?: string
  /**
   * What the template is filled in with. Without a `templateId`, subject, html and text are filled in themselves;
   * without `variables`, they are sent as they are.
   */
  variables?: Record<string, unknown>
  headers?: Record<string, string>
  attachments?: Attachment[]
  tags?: Record<string, string>
  metadata?: Record<string, string>
  tracking?: EmailTrackingInput
  /** The Message-ID of what this answers. */
  inReplyTo?: string
  /** ISO 8601 with an offset or `Z`. */
  sendAt?: string
}

export interface SendSms {
  /** A phone number in E.164 form, e.g. `+12025550100`. */
  to: string
  /** An id that starts with `smssn_`. */
  senderId?: string | null
  /** An id that starts with `smspg_`. */
  programId?: string | null
  category: 'authentication' | 'transactional' | 'marketing' | 'conversational'
  /** The text of an SMS. */
  body: string
  encoding?: 'auto' | 'gsm7' | 'ucs2'
  /** Writes typographic characters plainly where that makes the text GSM-7. */
  transliterate?: boolean
  maxSegments?: number
  maxPriceMicros?: number | null
  validitySeconds?: number | null
  onQuietHours?: 'defer' | 'reject'
  /** An id that starts with `smscn_`. */
  consentId?: string | null
  userInitiated?: SmsUserInitiated | null
  metadata?: Record<string, string> | null
  /** Says what would happen. Nothing is stored or sent. */
  dryRun?: boolean
}

export interface Sending {
  held: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  since: string | null
  because: string | null
  due: SendingDue
}

/** What would leave now, of the projects that the caller sees. */
export interface SendingDue {
  emails: number
  webhooks: number
  sms: number
}

/** A contact, by id or address, and when it would start; now if omitted. */
export interface SimulateAutomation {
  /** An id that starts with `con_`. */
  contactId?: string
  /** An email address. */
  email?: string
  /** ISO 8601 with an offset or `Z`. */
  at?: string
}

export interface Simulation {
  automationId: string
  version: number
  contactId: string
  email: string
  status: 'completed' | 'stopped' | 'failed'
  stopReason:
    | 'tag_removed'
    | 'left_audience'
    | 'unsubscribed'
    | 'suppressed'
    | 'automation_deleted'
    | 'contact_deleted'
    | 'error'
    | null
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  finishedAt: string
  timeline: SimulationStep[]
}

export interface SimulationStep {
  stepId: string
  type: 'email' | 'delay' | 'condition' | 'tag' | 'exit'
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  /** As in a run. */
  result: string
  /** ISO 8601 in UTC, with milliseconds. */
  until: string | null
  detail: string | null
  /** Of an email, filled in for this contact. */
  subject: string | null
}

export interface Sms {
  id: string
  projectId: string
  object: 'sms_message'
  mode: 'test' | 'live'
  direction: 'outbound' | 'inbound'
  status:
    | 'queued'
    | 'deferred'
    | 'submitting'
    | 'sent'
    | 'delivered'
    | 'undelivered'
    | 'failed'
    | 'expired'
    | 'unconfirmed'
    | 'received'
  category:
    | 'authentication'
    | 'transactional'
    | 'marketing'
    | 'conversational'
    | 'keyword_reply'
    | null
  keyword: 'STOP' | 'HELP' | 'START' | null
  programId: string | null
  senderId: string
  country: string | null
  toMasked: string
  fromMasked: string
  recipientRef: string
  encoding: string | null
  units: number
  segments: number
  /** In millionths of the currency. */
  priceMicros: number
  /** In millionths of the currency. */
  chargedMicros: number
  currency: string
  errorCode: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  deferredUntil: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  sentAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  finalAt: string | null
  to: string
  from: string
  body: string | null
  bodySent: string | null
  metadata: Record<string, string> | null
  /** ISO 8601 in UTC, with milliseconds. */
  bodyPurgedAt: string | null
  consentId: string | null
  consent: SmsMessageConsent | null
  parts: SmsPart[]
  events: SmsEvent[]
  ledger: SmsMessageEntry[]
}

export interface SmsBusinessAddress {
  line1: string
  line2?: string | null
  city: string
  region?: string | null
  postalCode: string
  /** ISO 3166, two letters. */
  country: string
}

export interface SmsBusinessContact {
  firstName: string
  lastName: string
  /** An email address. */
  email: string
  /** A phone number in E.164 form. */
  phone: string
}

export interface SmsBusinessProfile {
  id: string
  projectId: string
  legalName: string | null
  displayName: string | null
  entityType:
    | 'private_profit'
    | 'public_profit'
    | 'non_profit'
    | 'government'
    | 'sole_proprietor'
    | null
  registrationType: string | null
  /** ISO 3166, two letters. */
  registrationCountry: string | null
  address: SmsBusinessAddress | null
  /** A web page, https. */
  website: string | null
  vertical: string | null
  contact: SmsBusinessContact | null
  stockSymbol: string | null
  exchange: string | null
  registrationNumberLast2: string | null
  status:
    | 'draft'
    | 'submitted'
    | 'in_review'
    | 'approved'
    | 'rejected'
    | 'suspended'
    | 'expired'
  rejectionReasons: SmsRejection[]
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

export interface SmsBusinessProfilePage {
  data: SmsBusinessProfile[]
  hasMore: boolean
  nextCursor: string | null
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

export interface SmsDryRun {
  dryRun: true
  encoding: string
  units: number
  segments: number
  /** In millionths of the currency. */
  priceMicros: number
  currency: string
  wouldSend: boolean
  refusals: SmsRefusal[]
}

export interface SmsEvent {
  type: string
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  status: string | null
  errorCode: string | null
  detail: string
}

/** Of events of SMS: what is known of the message, never its text. */
export interface SmsEventDetail {
  projectId: string
  mode: 'test' | 'live'
  [name: string]: unknown
}

export interface SmsKeywords {
  optIn?: string[]
  optOut?: string[]
  help?: string[]
}

export interface SmsLedgerEntry {
  id: string
  projectId: string
  seq: number
  type:
    | 'top_up'
    | 'top_up_reversal'
    | 'reservation'
    | 'charge'
    | 'release'
    | 'refund'
    | 'adjustment'
  messageId: string | null
  topUpId: string | null
  reversesEntryId: string | null
  /** In millionths of the currency. */
  availableDeltaMicros: number
  /** In millionths of the currency. */
  reservedDeltaMicros: number
  /** In millionths of the currency. */
  availableAfterMicros: number
  /** In millionths of the currency. */
  reservedAfterMicros: number
  postings: SmsPosting[]
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface SmsLedgerEntryPage {
  data: SmsLedgerEntry[]
  hasMore: boolean
  nextCursor: string | null
}

export interface SmsMessageConsent {
  type: string
  /** ISO 8601 in UTC, with milliseconds. */
  grantedAt: string | null
}

export interface SmsMessageEntry {
  entryId: string
  type: string
  /** In millionths of the currency. */
  amountMicros: number
}

export interface SmsPage {
  data: SmsSummary[]
  hasMore: boolean
  nextCursor: string | null
}

export interface SmsPart {
  seq: number
  units: number
  status: string
  providerMessageId: string | null
  errorCode: string | null
  providerErrorCode: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  submittedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  finalAt: string | null
}

export interface SmsPeriod {
  /** The month, e.g. `2026-11`. */
  id: string
  projectId: string
  status: 'open' | 'closed'
  /** ISO 8601 in UTC, with milliseconds. */
  startsAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  endsAt: string
  /** In millionths of the currency. */
  openingMicros: number
  /** In millionths of the currency. */
  topUpsMicros: number
  /** In millionths of the currency. */
  topUpReversalsMicros: number
  /** In millionths of the currency. */
  chargesMicros: number
  /** In millionths of the currency. */
  refundsMicros: number
  /** In millionths of the currency. */
  adjustmentsMicros: number
  /** In millionths of the currency. */
  closingMicros: number | null
  segmentsCharged: number
}

export interface SmsPeriodPage {
  data: SmsPeriod[]
  hasMore: boolean
  nextCursor: string | null
}

export interface SmsPosting {
  account: string
  /** In millionths of the currency. */
  debitMicros?: number
  /** In millionths of the currency. */
  creditMicros?: number
}

export interface SmsProgram {
  id: string
  projectId: string
  businessProfileId: string | null
  builtIn: boolean
  name: string
  channel: '10dlc' | 'toll_free' | 'short_code' | 'international' | null
  useCase:
    | '2fa'
    | 'account_notification'
    | 'customer_care'
    | 'delivery_notification'
    | 'fraud_alert'
    | 'marketing'
    | 'mixed'
    | 'low_volume'
    | 'polling'
    | 'higher_education'
    | 'public_service'
    | 'security_alert'
    | 'charity'
    | 'emergency'
    | null
  subUseCases: (
    | '2fa'
    | 'account_notification'
    | 'customer_care'
    | 'delivery_notification'
    | 'fraud_alert'
    | 'marketing'
    | 'mixed'
    | 'low_volume'
    | 'polling'
    | 'higher_education'
    | 'public_service'
    | 'security_alert'
    | 'charity'
    | 'emergency')[]
  allowedCategories: ('authentication' | 'transactional' | 'marketing' | 'conversational')[]
  description: string | null
  messageFlow: string | null
  samples: string[]
  optInMessage: string | null
  optOutMessage: string | null
  helpMessage: string | null
  keywords: SmsKeywords
  embeddedLink: boolean
  embeddedPhone: boolean
  ageGated: boolean
  directLending: boolean
  /** A web page, https. */
  privacyPolicyUrl: string | null
  /** A web page, https. */
  termsUrl: string | null
  expectedMonthlyVolume: number | null
  quietHours: SmsQuietHours | null
  status:
    | 'draft'
    | 'submitted'
    | 'in_review'
    | 'approved'
    | 'rejected'
    | 'suspended'
    | 'expired'
  rejectionReasons: SmsRejection[]
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

export interface SmsProgramPage {
  data: SmsProgram[]
  hasMore: boolean
  nextCursor: string | null
}

export interface SmsQuietHours {
  enabled: boolean
  preset?: 'federal' | 'strict' | 'custom'
  /** A time of day. */
  start?: string
  /** A time of day. */
  end?: string
}

export interface SmsRefusal {
  code: string
  error: string
}

export interface SmsRejection {
  field: string
  code: string
  message: string
}

export interface SmsSender {
  id: string
  projectId: string
  type: 'simulator' | 'long_code' | 'toll_free' | 'short_code' | 'alphanumeric'
  address: string
  country: string
  twoWay: boolean
  programId: string | null
  builtIn: boolean
  status:
    | 'draft'
    | 'submitted'
    | 'in_review'
    | 'approved'
    | 'rejected'
    | 'suspended'
    | 'expired'
    | 'active'
  rejectionReasons: SmsRejection[]
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  throughputPerSecond: number | null
  dailyCap: number | null
}

export interface SmsSenderPage {
  data: SmsSender[]
  hasMore: boolean
  nextCursor: string | null
}

export interface SmsSummary {
  id: string
  projectId: string
  object: 'sms_message'
  mode: 'test' | 'live'
  direction: 'outbound' | 'inbound'
  status:
    | 'queued'
    | 'deferred'
    | 'submitting'
    | 'sent'
    | 'delivered'
    | 'undelivered'
    | 'failed'
    | 'expired'
    | 'unconfirmed'
    | 'received'
  category:
    | 'authentication'
    | 'transactional'
    | 'marketing'
    | 'conversational'
    | 'keyword_reply'
    | null
  keyword: 'STOP' | 'HELP' | 'START' | null
  programId: string | null
  senderId: string
  country: string | null
  toMasked: string
  fromMasked: string
  recipientRef: string
  encoding: string | null
  units: number
  segments: number
  /** In millionths of the currency. */
  priceMicros: number
  /** In millionths of the currency. */
  chargedMicros: number
  currency: string
  errorCode: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  deferredUntil: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  sentAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  finalAt: string | null
}

export interface SmsSuppression {
  id: string
  projectId: string
  toMasked: string
  recipientRef: string
  scope: 'project' | 'program'
  programId: string | null
  origin: 'keyword' | 'inferred' | 'carrier' | 'manual'
  reason: 'manual' | 'complaint' | 'legal' | 'invalid_number' | 'opt_out'
  note: string | null
  status: 'active' | 'lifted'
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  liftedAt: string | null
  liftedBy: string | null
}

export interface SmsSuppressionPage {
  data: SmsSuppression[]
  hasMore: boolean
  nextCursor: string | null
}

export interface SmsTopUp {
  id: string
  projectId: string
  /** In millionths of the currency. */
  amountMicros: number
  currency: string
  status: 'pending' | 'settled' | 'failed' | 'reversed'
  method: string
  referenceMasked: string
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  settledAt: string | null
  ledgerEntryId: string | null
}

export interface SmsTopUpPage {
  data: SmsTopUp[]
  hasMore: boolean
  nextCursor: string | null
}

export interface SmsUsage {
  /** ISO 8601 in UTC, with milliseconds. */
  from: string
  /** ISO 8601 in UTC, with milliseconds. */
  to: string
  mode: 'test' | 'live'
  currency: string
  totals: SmsUsageCounts
  buckets: SmsUsageBucket[]
  /** ISO 8601 in UTC, with milliseconds. */
  asOf: string
}

export interface SmsUsageBucket {
  key: SmsUsageKey
  outbound: number
  inbound: number
  segments: number
  delivered: number
  undelivered: number
  failed: number
  expired: number
  unconfirmed: number
  pending: number
  chargedMicros: number
  refundedMicros: number
  /** Of those that the carrier reported on; null if there are none. */
  deliveryRate: number | null
}

export interface SmsUsageCounts {
  outbound: number
  inbound: number
  segments: number
  delivered: number
  undelivered: number
  failed: number
  expired: number
  unconfirmed: number
  pending: number
  chargedMicros: number
  refundedMicros: number
  /** Of those that the carrier reported on; null if there are none. */
  deliveryRate: number | null
}

export interface SmsUsageKey {
  day?: string
  month?: string
  country?: string | null
  category?: string | null
  sender?: string | null
  program?: string | null
  status?: string | null
}

export interface SmsUserInitiated {
  /** ISO 8601 with an offset or `Z`. */
  requestedAt: string
  /** An IP address. */
  ipAddress: string
}

export interface SmsWallet {
  object: 'sms_wallet'
  mode: 'test' | 'live'
  currency: string
  /** In millionths of the currency. */
  availableMicros: number
  /** In millionths of the currency. */
  reservedMicros: number
  /** In millionths of the currency. */
  totalMicros: number
  status: 'active' | 'low' | 'empty' | 'frozen'
  /** In millionths of the currency. */
  lowBalanceThresholdMicros: number
  /** In millionths of the currency. */
  dailySpendCapMicros: number | null
  /** In millionths of the currency. */
  spentTodayMicros: number
  /** ISO 8601 in UTC, with milliseconds. */
  asOf: string
  ledgerSeq: number
}

export interface SmtpReply {
  code: number | null
  enhanced: string | null
  host: string | null
  tls: string | null
}

export interface Suppression {
  id: string
  projectId: string
  email: string
  reason: 'bounce' | 'spam' | 'manual'
  messageId: string | null
  note: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface SuppressionPage {
  data: Suppression[]
  hasMore: boolean
  nextCursor: string | null
}

export interface TagContacts {
  /** An email address. */
  email?: string
  /** Instead of `email`: many at once, each with a result of its own. */
  emails?: string[]
}

export interface TagStep {
  /** Unique among the steps; made where omitted. */
  id?: string
  type: 'tag'
  /** An id that starts with `tag_`. */
  tagId: string
  action: 'apply' | 'remove'
}

export interface TagTrigger {
  type: 'tag'
  /** An id that starts with `tag_`. */
  tagId: string
}

export interface Template {
  id: string
  projectId: string
  name: string
  alias: string | null
  subject: string
  html: string
  text: string
  variables: TemplateVariable[]
  /** The starter that it was made from. */
  starter: string | null
  version: number
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

export interface TemplatePage {
  data: Template[]
  hasMore: boolean
  nextCursor: string | null
}

export interface TemplatePreview {
  subject: string
  html: string
  text: string
}

export interface TemplateVariable {
  name: string
  required: boolean
  fallback: string | null
}

export interface TemplateVariableInput {
  /** As the template reads it: `firstName`, `order.total`. */
  name: string
  /** Whether a send without it is refused. */
  required?: boolean
  /** What stands in for it when a send leaves it out. */
  fallback?: string | null
}

export interface TestBroadcast {
  to: string | string[]
}

export interface TestWebhook {
  type?: EventKind
}

export interface TlsFailure {
  type: string
  /** The receiving host, where the reporter names it. */
  host: string | null
  sessions: number
}

export interface TlsReportGroup {
  /** A day in UTC. */
  day: string
  reporter: string
  /** `sts`, `tlsa` or `no-policy-found`. */
  policy: string
  /** Sessions that were encrypted as the policy wants. */
  successful: number
  failed: number
  failures: TlsFailure[]
}

export interface TlsReports {
  /** The newest day first; at most 1,000. */
  data: TlsReportGroup[]
  /** How many reports came for these days. */
  reports: number
  /** A day in UTC. */
  from: string
  /** A day in UTC. */
  to: string
}

export interface TraceProject {
  minutes: number
}

export interface UpdateAudience {
  name?: string
  description?: string | null
}

/** Another trigger, sender, tracking or list of steps makes a new version; people who are inside finish theirs. */
export interface UpdateAutomation {
  name?: string
  trigger?: AutomationTrigger
  sender?: AutomationSenderInput
  tracking?: AutomationTrackingInput
  /** At most 100, those in branches included, and branches at most five deep. */
  steps?: AutomationStep[]
  /** Whether somebody who has been through it can start again; at most ten times in an hour. `never` if omitted. */
  reentry?: 'never' | 'always'
  /** Needs a verified sender. While it is false nobody starts, and all wait. */
  enabled?: boolean
}

export interface UpdateBroadcast {
  /** An id that starts with `aud_`. */
  audienceId?: string
  /** A mailbox: `ann@example.com` or `Ann <ann@example.com>`. */
  from?: string
  name?: string | null
  replyTo?: string | string[] | null
  /** The template's if omitted. */
  subject?: string | null
  /** What mail programs show beside the subject. */
  previewText?: string | null
  html?: string | null
  /** Made from the html if omitted. */
  text?: string | null
  /** An id that starts with `tpl_`, or an alias. */
  templateId?: string | null
  variables?: Record<string, unknown>
  tracking?: BroadcastTrackingInput | null
  throttle?: BroadcastThrottleInput | null
}

export interface UpdateContact {
  firstName?: string | null
  lastName?: string | null
  /**
   * What else is known of the person, for templates. Those that are named are set, null removes one, all others stay.
   * At most 100 with names of up to 100 characters, and 64 KiB as JSON.
   */
  properties?:
  | Record<string, string | number | boolean | null | (string | number | boolean | null)[]>
  consent?: ConsentInput
  subscribed?: boolean
}

export interface UpdateContactTag {
  /** Unique in the project; upper and lower case are the same. */
  name?: string
}

export interface UpdateDomain {
  tracking: DomainTrackingChange
}

export interface UpdatePerson {
  role?: 'owner' | 'admin' | 'developer' | 'marketer' | 'author' | 'viewer' | null
  /** All roles in single projects: those that are not named end. */
  projects?: ProjectRoleInput[]
  disabled?: boolean
}

export interface UpdateProject {
  name?: string
  /** `paused` holds all sending until `active`. */
  status?: 'active' | 'paused'
  quota?: QuotaChange
}

export interface UpdateSmsBusinessProfile {
  legalName?: string | null
  displayName?: string | null
  entityType?:
    | 'private_profit'
    | 'public_profit'
    | 'non_profit'
    | 'government'
    | 'sole_proprietor'
    | null
  registrationType?: string | null
  /** ISO 3166, two letters. */
  registrationCountry?: string | null
  address?: SmsBusinessAddress | null
  /** A web page, https. */
  website?: string | null
  vertical?: string | null
  contact?: SmsBusinessContact | null
  stockSymbol?: string | null
  exchange?: string | null
  /** Shown afterwards by its last two characters. */
  registrationNumber?: string | null
  /** `submitted` or `draft`. */
  status?:
    | 'draft'
    | 'submitted'
    | 'in_review'
    | 'approved'
    | 'rejected'
    | 'suspended'
    | 'expired'
    | 'active'
    | 'live'
}

export interface UpdateSmsProgram {
  name?: string
  channel?: '10dlc' | 'toll_free' | 'short_code' | 'international' | null
  useCase?:
    | '2fa'
    | 'account_notification'
    | 'customer_care'
    | 'delivery_notification'
    | 'fraud_alert'
    | 'marketing'
    | 'mixed'
    | 'low_volume'
    | 'polling'
    | 'higher_education'
    | 'public_service'
    | 'security_alert'
    | 'charity'
    | 'emergency'
    | null
  subUseCases?: (
    | '2fa'
    | 'account_notification'
    | 'customer_care'
    | 'delivery_notification'
    | 'fraud_alert'
    | 'marketing'
    | 'mixed'
    | 'low_volume'
    | 'polling'
    | 'higher_education'
    | 'public_service'
    | 'security_alert'
    | 'charity'
    | 'emergency')[]
  allowedCategories?: ('authentication' | 'transactional' | 'marketing' | 'conversational')[]
  description?: string | null
  messageFlow?: string | null
  samples?: string[]
  optInMessage?: string | null
  optOutMessage?: string | null
  helpMessage?: string | null
  keywords?: SmsKeywords
  embeddedLink?: boolean
  embeddedPhone?: boolean
  ageGated?: boolean
  directLending?: boolean
  /** A web page, https. */
  privacyPolicyUrl?: string | null
  /** A web page, https. */
  termsUrl?: string | null
  expectedMonthlyVolume?: number | null
  quietHours?: SmsQuietHours | null
  /** An id that starts with `smsbp_`. */
  businessProfileId?: string | null
  /** `submitted` or `draft`. */
  status?:
    | 'draft'
    | 'submitted'
    | 'in_review'
    | 'approved'
    | 'rejected'
    | 'suspended'
    | 'expired'
    | 'active'
    | 'live'
}

export interface UpdateSmsSender {
  /** E.164, a short code of 3 to 6 digits, or a name of up to 11 letters and digits. */
  address?: string
  /** ISO 3166, two letters. */
  country?: string
  twoWay?: boolean
  /** An id that starts with `smspg_`. */
  programId?: string | null
  /** `submitted` or `draft`. */
  status?:
    | 'draft'
    | 'submitted'
    | 'in_review'
    | 'approved'
    | 'rejected'
    | 'suspended'
    | 'expired'
    | 'active'
    | 'live'
}

export interface UpdateTemplate {
  name?: string
  /** What a send can call it by; unique in the project. */
  alias?: string | null
  subject?: string
  html?: string
  text?: string
  variables?: TemplateVariableInput[]
}

export interface UpdateWebhook {
  /** An https URL on the public internet, without credentials. */
  url?: string
  enabled?: boolean
  /** The kinds of events to be told of. */
  events?: EventKind[]
  description?: string | null
}

export interface UpdateWorkspace {
  name?: string
  sessionDays?: number | null
  sessionIdleHours?: number | null
  secondFactor?: 'optional' | 'required'
}

export interface UpsertContact {
  /** An email address. */
  email: string
  firstName?: string | null
  lastName?: string | null
  /**
   * What else is known of the person, for templates. Those that are named are set, null removes one, all others stay.
   * At most 100 with names of up to 100 characters, and 64 KiB as JSON.
   */
  properties?:
  | Record<string, string | number | boolean | null | (string | number | boolean | null)[]>
  consent?: ConsentInput
  subscribed?: boolean
  /** That the person asked for mail; true if omitted. */
  optedIn?: boolean
}

export interface WaitingRecipients {
  /** What the project has to deliver now; scheduled mail is not part of it. */
  recipients: number
  /** True where there are too many to count: then there are more. */
  isMore: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  oldestAt: string | null
}

export interface Webhook {
  id: string
  projectId: string
  url: string
  enabled: boolean
  events: EventKind[]
  description: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** Why we disabled it; null if it was not us. */
  disabledReason: string | null
}

export interface WebhookAttempt {
  number: number
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  /** The HTTP status; null if there was no answer. */
  status: number | null
  durationMs: number
  /** What went wrong; null if it was acknowledged. */
  error: string | null
  /** The beginning of the answer. */
  answer: string | null
}

export interface WebhookCounts {
  delivered: number
  failed: number
  attempts: number
  /** Within so many milliseconds 95 of 100 attempts were over. */
  p95Ms: number | null
}

export interface WebhookDelivery {
  id: string
  projectId: string
  eventId: string
  type: string
  status: 'pending' | 'delivered' | 'failed' | 'dropped'
  payload: WebhookEvent
  attemptCount: number
  /** The newest last; of very many the first are left out. */
  attempts: WebhookAttempt[]
  /** ISO 8601 in UTC, with milliseconds. */
  nextAttemptAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  endedAt: string | null
}

export interface WebhookDeliveryDetail {
  id: string
  projectId: string
  eventId: string
  type: string
  status: 'pending' | 'delivered' | 'failed' | 'dropped'
  payload: WebhookEvent
  attemptCount: number
  /** The newest last; of very many the first are left out. */
  attempts: WebhookAttempt[]
  /** ISO 8601 in UTC, with milliseconds. */
  nextAttemptAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  endedAt: string | null
  /** The headers of the last attempt, null before the first. Signatures are not kept: they are null. */
  requestHeaders: Record<string, string | null> | null
}

export interface WebhookDeliveryPage {
  data: WebhookDelivery[]
  hasMore: boolean
  nextCursor: string | null
}

export interface WebhookEvent {
  type: string
  /** What it is about; with `type` it tells one event from another. */
  messageId: string
  recipient: string
  /** ISO 8601 in UTC, with milliseconds. */
  timestamp: string
  detail: string
  accountId: string
  sms?: SmsEventDetail
}

export interface WebhookHealth {
  /** ISO 8601 in UTC, with milliseconds. */
  lastDeliveredAt: string | null
  /** When the present series of failures began; null while there is none. */
  failingSince: string | null
  /** Deliveries that are to be sent; 10000 for that many or more. */
  pending: number
  /** The part of the attempts of the last 24 hours that were acknowledged, from 0 to 1. */
  successRate24h: number | null
  /** Of 20 attempts of the last 24 hours, 19 took no longer than this. */
  p95Ms: number | null
}

export interface WebhookPage {
  data: Webhook[]
  hasMore: boolean
  nextCursor: string | null
}

export interface WebhookPoint {
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  delivered: number
  failed: number
  attempts: number
  /** Within so many milliseconds 95 of 100 attempts were over. */
  p95Ms: number | null
}

export interface WebhookReplay {
  id: string
  projectId: string
  /** How many are going to be sent again. */
  deliveries: number
}

export interface WebhookSecret {
  /** What requests are signed with. */
  secret: string
  /** ISO 8601 in UTC, with milliseconds. */
  since: string
  /** Replaced secrets that still sign `webhook-signature` for a while. */
  previous: ReplacedWebhookSecret[]
}

export interface WebhookSeries {
  key: string | null
  points: WebhookPoint[]
}

export interface WebhookStatistics {
  /** ISO 8601 in UTC, with milliseconds. */
  from: string
  /** ISO 8601 in UTC, with milliseconds. */
  to: string
  step: 'minute' | 'hour' | 'day'
  /** ISO 8601 in UTC, with milliseconds. */
  asOf: string
  totals: WebhookCounts
  series: WebhookSeries[]
}

export interface WebhookWithHealth {
  id: string
  projectId: string
  url: string
  enabled: boolean
  events: EventKind[]
  description: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** Why we disabled it; null if it was not us. */
  disabledReason: string | null
  health: WebhookHealth
}

export interface WithdrawnInvitation {
  id: string
  deleted: true
}

export interface Workspace {
  id: string
  name: string
  /** A person stays signed in for at most so many days. */
  sessionDays: number
  /** A person is signed out after so many hours without a request. */
  sessionIdleHours: number
  /** With `required`, a person without a passkey or an authenticator can do nothing but add one. */
  secondFactor: 'optional' | 'required'
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface WorkspacePerson {
  id: string
  name: string
  email: string
  status: 'active' | 'disabled'
  role: 'owner' | 'admin' | 'developer' | 'marketer' | 'author' | 'viewer' | null
  projects: ProjectRole[]
  /** Whether they have a passkey or codes of an authenticator. */
  secondFactor: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  lastSeenAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** The live API keys that they made. */
  keys: string[]
}

export interface WorkspacePersonPage {
  data: WorkspacePersonSummary[]
  hasMore: boolean
  nextCursor: string | null
}

export interface WorkspacePersonSummary {
  id: string
  name: string
  email: string
  status: 'active' | 'disabled'
  role: 'owner' | 'admin' | 'developer' | 'marketer' | 'author' | 'viewer' | null
  projects: ProjectRole[]
  /** Whether they have a passkey or codes of an authenticator. */
  secondFactor: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  lastSeenAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

/** Every operation of the API by its method and path. */
export interface Operations {
  /** Whether this process is alive. Needs no key and does not ask the database. */
  'GET /health': {
    params: undefined
    query: undefined
    body: undefined
    reply: Health
    scope: null
    context: 'none'
    reads: true
  }
  /** List the projects that the key can see. */
  'GET /projects': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      status?: 'active' | 'paused' | 'archived'
    }
    body: undefined
    reply: ProjectPage
    scope: 'projects:read'
    context: 'workspace'
    reads: true
  }
  /** Create a project. */
  'POST /projects': {
    params: undefined
    query: undefined
    body: CreateProject
    reply: Project
    scope: 'projects:write'
    context: 'workspace'
  }
  /** Read one project. */
  'GET /projects/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Project
    scope: 'projects:read'
    context: 'workspace'
    reads: true
  }
  /** Read how much of its quotas a project has used, today and this month. Days and months begin in UTC. */
  'GET /projects/:id/usage': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: ProjectUsage
    scope: 'projects:read'
    context: 'workspace'
    reads: true
  }
  /**
   * Rename, pause or resume a project, or change its quotas. A key that is bound to the project can only rename it.
   */
  'PATCH /projects/:id': {
    params: { id: string }
    query: undefined
    body: UpdateProject
    reply: Project
    scope: 'projects:write'
    context: 'workspace'
  }
  /** Keep what is said in SMTP also of mail that is taken, for up to an hour. */
  'POST /projects/:id/trace': {
    params: { id: string }
    query: undefined
    body: TraceProject
    reply: ProjectTrace
    scope: 'projects:write'
    context: 'workspace'
  }
  /**
   * Archive a project: it stays readable, nothing in it can be written, its scheduled mail is cancelled. Needs a
   * workspace key.
   */
  'DELETE /projects/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Project
    scope: 'projects:write'
    context: 'workspace'
    needsConfirmation: true
  }
  /** Make an archived project active again, for 30 days after it was archived. Needs a workspace key. */
  'POST /projects/:id/restore': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Project
    scope: 'projects:write'
    context: 'workspace'
  }
  /** List the people of the workspace. */
  'GET /people': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** A part of the name or of the address. */
      q?: string
      /** Who has this role, in the workspace or in a project. */
      role?: 'owner' | 'admin' | 'developer' | 'marketer' | 'author' | 'viewer'
      /** An id that starts with `prj_`. */
      projectId?: string
    }
    body: undefined
    reply: WorkspacePersonPage
    scope: 'people:write'
    context: 'workspace'
    reads: true
  }
  /** List the open invitations. Their links are never shown again. */
  'GET /people/invitations': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    body: undefined
    reply: InvitationPage
    scope: 'people:write'
    context: 'workspace'
    reads: true
  }
  /**
   * Invite a person, with a role that is no wider than that of the caller. Only this answer holds the link, which is
   * good for seven days.
   */
  'POST /people/invitations': {
    params: undefined
    query: undefined
    body: CreateInvitation
    reply: NewInvitation
    scope: 'people:write'
    context: 'workspace'
    needsConfirmation: true
  }
  /** Make a new link, good for another seven days. The one before stops working. */
  'POST /people/invitations/:id/renew': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: NewInvitation
    scope: 'people:write'
    context: 'workspace'
    needsConfirmation: true
  }
  /** Withdraw an invitation: its link stops working. */
  'DELETE /people/invitations/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: WithdrawnInvitation
    scope: 'people:write'
    context: 'workspace'
  }
  /** Read one person, with the API keys that they made. */
  'GET /people/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: WorkspacePerson
    scope: 'people:write'
    context: 'workspace'
    reads: true
  }
  /**
   * Change what a person may do, or disable the person, who is then signed out everywhere. The last owner who can sign
   * in stays one.
   */
  'PATCH /people/:id': {
    params: { id: string }
    query: undefined
    body: UpdatePerson
    reply: WorkspacePerson
    scope: 'people:write'
    context: 'workspace'
    needsConfirmation: true
  }
  /** Remove a person, who is then signed out everywhere. API keys that the person made are kept or revoked. */
  'DELETE /people/:id': {
    params: { id: string }
    query: {
      /** What becomes of the API keys that they made, and of those that these made; `keep` if omitted. */
      keys?: 'keep' | 'revoke'
    }
    body: RemovePerson | undefined
    reply: RemovedPerson
    scope: 'people:write'
    context: 'workspace'
    needsConfirmation: true
  }
  /** List where a person is signed in. */
  'GET /people/:id/sessions': {
    params: { id: string }
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    body: undefined
    reply: PersonSessionPage
    scope: 'people:write'
    context: 'workspace'
    reads: true
  }
  /** Sign a person out everywhere. */
  'DELETE /people/:id/sessions': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: EndedSessions
    scope: 'people:write'
    context: 'workspace'
    needsConfirmation: true
  }
  /**
   * Make a link by which a person who cannot sign in chooses a new password or passkey, for owners. It is good once,
   * for an hour, and takes the place of the one before; codes of an authenticator are still asked for.
   */
  'POST /people/:id/recovery': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: RecoveryLink
    scope: 'people:write'
    context: 'workspace'
    isForPersons: true
    needsConfirmation: true
  }
  /** Read the workspace. */
  'GET /workspace': {
    params: undefined
    query: undefined
    body: undefined
    reply: Workspace
    scope: 'projects:read'
    context: 'workspace'
    reads: true
  }
  /** Rename the workspace, or change how careful its people have to be. Null gives a limit back to the operator. */
  'PATCH /workspace': {
    params: undefined
    query: undefined
    body: UpdateWorkspace
    reply: Workspace
    scope: 'people:write'
    context: 'workspace'
    needsConfirmation: true
  }
  /** List the API keys. Secrets are never shown again. */
  'GET /api-keys': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** Whether to list the revoked keys instead. */
      revoked?: boolean
    }
    body: undefined
    reply: ApiKeyPage
    scope: 'api-keys:write'
    context: 'workspace'
    reads: true
  }
  /** Create a key that can do at most what this one can. The answer holds its secret, this once. */
  'POST /api-keys': {
    params: undefined
    query: undefined
    body: CreateApiKey
    reply: CreatedApiKey
    scope: 'api-keys:write'
    context: 'workspace'
    needsConfirmation: true
  }
  /** Read one key. */
  'GET /api-keys/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: ApiKey
    scope: 'api-keys:write'
    context: 'workspace'
    reads: true
  }
  /** Revoke a key that is no broader than this one. It stops working before this is answered. */
  'DELETE /api-keys/:id': {
    params: { id: string }
    query: {
      /** Also revoke the keys that it made, and those that they made. */
      family?: boolean
    }
    body: undefined
    reply: RevokedApiKey
    scope: 'api-keys:write'
    context: 'workspace'
    needsConfirmation: true
  }
  /** List the project's sending domains. */
  'GET /domains': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** A domain name in any script; it comes back in lower case and ASCII. */
      name?: string
      status?: 'pending' | 'verified' | 'warning' | 'failed'
    }
    body: undefined
    reply: DomainPage
    scope: 'domains:read'
    context: 'project'
    reads: true
  }
  /** Add a sending domain. The answer lists the DNS records to create. */
  'POST /domains': {
    params: undefined
    query: undefined
    body: CreateDomain
    reply: Domain
    scope: 'domains:write'
    context: 'project'
  }
  /** Read one sending domain, with what the last check saw. */
  'GET /domains/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Domain
    scope: 'domains:read'
    context: 'project'
    reads: true
  }
  /** Download the records that are missing as lines of a zone file. */
  'GET /domains/:id/zone': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Blob
    downloads: 'text/plain'
    scope: 'domains:read'
    context: 'project'
    reads: true
  }
  /** Change whether opens and clicks are tracked, and on which host. */
  'PATCH /domains/:id': {
    params: { id: string }
    query: undefined
    body: UpdateDomain
    reply: Domain
    scope: 'domains:write'
    context: 'project'
  }
  /** Remove a sending domain. Mail that was accepted before is still delivered. */
  'DELETE /domains/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: DeletedDomain
    scope: 'domains:write'
    context: 'project'
  }
  /** Look at the DNS now and answer what was found. */
  'POST /domains/:id/verify': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Domain
    scope: 'domains:write'
    context: 'project'
  }
  /** Make a new DKIM key. The old one signs until the new record is found. */
  'POST /domains/:id/rotate-dkim': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Domain
    scope: 'domains:write'
    context: 'project'
  }
  /** Read what receivers reported about mail in the name of the domain, as sums; of the last 30 days if omitted. */
  'GET /domains/:id/dmarc': {
    params: { id: string }
    query: {
      /** A day in UTC, or a time (ISO 8601 with an offset) for the day that it is in. */
      from?: string
      /** A day in UTC, or a time (ISO 8601 with an offset) for the day that it is in. */
      to?: string
      /** `source` if omitted. */
      groupBy?: 'source' | 'reporter' | 'day'
    }
    body: undefined
    reply: DmarcReports
    scope: 'domains:read'
    context: 'project'
    reads: true
  }
  /** Read the next step for the DMARC policy, and what a strict one would have cost in the last 30 days. */
  'GET /domains/:id/dmarc/advice': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: DmarcAdvice
    scope: 'domains:read'
    context: 'project'
    reads: true
  }
  /** Read what other servers reported about encrypted delivery to the domain. */
  'GET /domains/:id/tls-reports': {
    params: { id: string }
    query: {
      /** A day in UTC, or a time (ISO 8601 with an offset) for the day that it is in. */
      from?: string
      /** A day in UTC, or a time (ISO 8601 with an offset) for the day that it is in. */
      to?: string
    }
    body: undefined
    reply: TlsReports
    scope: 'domains:read'
    context: 'project'
    reads: true
  }
  /** Queue one email, for now or for `sendAt`. */
  'POST /email/send': {
    params: undefined
    query: {
      /** Checks and renders everything, and stores nothing. */
      dryRun?: boolean
    }
    body: SendEmail
    reply: DryRun | AcceptedEmail
    scope: 'email:send'
    context: 'sender'
    leaves: true
  }
  /** Queue up to 100 emails. Those that policy refuses are named in the answer, the others are queued. */
  'POST /email/batch': {
    params: undefined
    query: undefined
    body: SendBatch | SendEmail[]
    reply: Batch
    scope: 'email:send'
    context: 'sender'
    leaves: true
  }
  /**
   * List emails, newest first. Where filters let few emails through, a page may be short or empty although `hasMore` is
   * true: go on with `nextCursor`.
   */
  'GET /emails': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      status?:
        | 'scheduled'
        | 'queued'
        | 'deferred'
        | 'sending'
        | 'delivered'
        | 'bounced'
        | 'filteredspam'
        | 'quarantined'
        | 'suppressed'
        | 'failed'
        | 'cancelled'
      /** An email address. */
      to?: string
      /** An email address. */
      from?: string
      /** A tag as `name:value`. */
      tag?: string
      /** An id that starts with `bat_`. */
      batchId?: string
      /** An id that starts with `dom_`. */
      domainId?: string
      /** An id that starts with `tpl_`. */
      templateId?: string
      /** An id that starts with `brd_`. */
      broadcastId?: string
      /** An id that starts with `aut_`. */
      automationId?: string
      source?: 'transactional' | 'broadcast' | 'automation'
      /**
       * Words that the subject has, all of them, in any order and case. Of broadcasts and automations the subject is
       * searched as it was written.
       */
      q?: string
      /** ISO 8601 with an offset or `Z`. */
      createdAfter?: string
      /** ISO 8601 with an offset or `Z`. */
      createdBefore?: string
    }
    body: undefined
    reply: EmailPage
    scope: 'email:send'
    context: 'sender'
    reads: true
  }
  /** Read an email: its status, what it says, and what happened to each recipient. */
  'GET /emails/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Email
    scope: 'email:send'
    context: 'sender'
    reads: true
  }
  /** Read what was said in SMTP in the attempt that an event of an email tells of. */
  'GET /emails/:id/dialogues/:eventId': {
    params: { id: string; eventId: string }
    query: undefined
    body: undefined
    reply: Dialogue
    scope: 'email:send'
    context: 'sender'
    reads: true
  }
  /**
   * Download the message as it left, or will leave, for one recipient: the first, unless the id or `recipient` names
   * another.
   */
  'GET /emails/:id/raw': {
    params: { id: string }
    query: {
      /** An email address. */
      recipient?: string
    }
    body: undefined
    reply: Blob
    downloads: 'message/rfc822'
    scope: 'email:send'
    context: 'sender'
    reads: true
    isSensitive: true
  }
  /** Download an attachment of an email. */
  'GET /emails/:id/attachments/:attachmentId': {
    params: { id: string; attachmentId: string }
    query: undefined
    body: undefined
    reply: Blob
    downloads: '*/*'
    scope: 'email:send'
    context: 'sender'
    reads: true
  }
  /**
   * Send the same content once more, to the same recipients or to others. Not for mail of broadcasts and automations.
   */
  'POST /emails/:id/resend': {
    params: { id: string }
    query: undefined
    body: ResendEmail | undefined
    reply: ResentEmail
    scope: 'email:send'
    context: 'sender'
    leaves: true
  }
  /** Try recipients that wait for another attempt now. */
  'POST /emails/:id/retry': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Email
    scope: 'email:send'
    context: 'sender'
    leaves: true
  }
  /** Cancel a scheduled email. */
  'POST /emails/:id/cancel': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Email
    scope: 'email:send'
    context: 'sender'
  }
  /** Move a scheduled email to another time. */
  'POST /emails/:id/reschedule': {
    params: { id: string }
    query: undefined
    body: RescheduleEmail
    reply: Email
    scope: 'email:send'
    context: 'sender'
  }
  /** List SMS, without numbers and texts. */
  'GET /sms/messages': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      status?:
        | 'queued'
        | 'deferred'
        | 'submitting'
        | 'sent'
        | 'delivered'
        | 'undelivered'
        | 'failed'
        | 'expired'
        | 'unconfirmed'
        | 'received'
      direction?: 'outbound' | 'inbound'
      category?:
        | 'authentication'
        | 'transactional'
        | 'marketing'
        | 'conversational'
        | 'keyword_reply'
      /** An id that starts with `smspg_`. */
      programId?: string
      /** An id that starts with `smssn_`. */
      senderId?: string
      recipientRef?: string
      /** A phone number in E.164 form, e.g. `+12025550100`. */
      recipient?: string
      /** ISO 8601 with an offset or `Z`. */
      createdAfter?: string
      /** ISO 8601 with an offset or `Z`. */
      createdBefore?: string
    }
    body: undefined
    reply: SmsPage
    scope: 'sms:read'
    context: 'project'
    reads: true
  }
  /** Send one SMS, or with `dryRun` hear what would become of it. */
  'POST /sms/messages': {
    params: undefined
    query: undefined
    body: SendSms
    reply: SmsDryRun | AcceptedSms
    scope: 'sms:send'
    context: 'project'
    leaves: true
  }
  /** Read one SMS with its number, text, parts and history. Who does so is remembered. */
  'GET /sms/messages/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Sms
    scope: 'sms:read'
    context: 'project'
    reads: true
    isSensitive: true
  }
  /** Count SMS and what they cost: messages by when they were made, money by when it moved. */
  'GET /sms/usage': {
    params: undefined
    query: {
      /** ISO 8601 with an offset or `Z`. */
      from?: string
      /** ISO 8601 with an offset or `Z`. */
      to?: string
      /** One or two of day, month, country, category, sender, program, status, with a comma between. */
      groupBy?: string
      mode?: 'test' | 'live'
    }
    body: undefined
    reply: SmsUsage
    scope: 'sms:read'
    context: 'project'
    reads: true
  }
  /** Read what is in the wallet. */
  'GET /sms/wallet': {
    params: undefined
    query: {
      /** Which wallet; the live one if the project sends live, else the test one. */
      mode?: 'test' | 'live'
    }
    body: undefined
    reply: SmsWallet
    scope: 'sms:billing:read'
    context: 'project'
    reads: true
  }
  /** Read what is in the wallet. */
  'GET /sms/wallet/balance': {
    params: undefined
    query: {
      /** Which wallet; the live one if the project sends live, else the test one. */
      mode?: 'test' | 'live'
    }
    body: undefined
    reply: SmsWallet
    scope: 'sms:billing:read'
    context: 'project'
    reads: true
  }
  /** Read what is in the wallet. */
  'GET /sms/wallet/state': {
    params: undefined
    query: {
      /** Which wallet; the live one if the project sends live, else the test one. */
      mode?: 'test' | 'live'
    }
    body: undefined
    reply: SmsWallet
    scope: 'sms:billing:read'
    context: 'project'
    reads: true
  }
  /** List the movements of money, newest first. */
  'GET /sms/wallet/ledger': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** Which wallet; the live one if the project sends live, else the test one. */
      mode?: 'test' | 'live'
      type?:
        | 'top_up'
        | 'top_up_reversal'
        | 'reservation'
        | 'charge'
        | 'release'
        | 'refund'
        | 'adjustment'
      /** An id that starts with `sms_`. */
      messageId?: string
      /** An id that starts with `smtu_`. */
      topUpId?: string
      /** ISO 8601 with an offset or `Z`. */
      createdAfter?: string
      /** ISO 8601 with an offset or `Z`. */
      createdBefore?: string
    }
    body: undefined
    reply: SmsLedgerEntryPage
    scope: 'sms:billing:read'
    context: 'project'
    reads: true
  }
  /** Read one movement. */
  'GET /sms/wallet/ledger/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: SmsLedgerEntry
    scope: 'sms:billing:read'
    context: 'project'
    reads: true
  }
  /** List the months of the wallet. */
  'GET /sms/wallet/periods': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** Which wallet; the live one if the project sends live, else the test one. */
      mode?: 'test' | 'live'
    }
    body: undefined
    reply: SmsPeriodPage
    scope: 'sms:billing:read'
    context: 'project'
    reads: true
  }
  /** Read one month. */
  'GET /sms/wallet/periods/:id': {
    params: { id: string }
    query: {
      /** Which wallet; the live one if the project sends live, else the test one. */
      mode?: 'test' | 'live'
    }
    body: undefined
    reply: SmsPeriod
    scope: 'sms:billing:read'
    context: 'project'
    reads: true
  }
  /** List what was paid in. */
  'GET /sms/wallet/top-ups': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** Which wallet; the live one if the project sends live, else the test one. */
      mode?: 'test' | 'live'
    }
    body: undefined
    reply: SmsTopUpPage
    scope: 'sms:billing:read'
    context: 'project'
    reads: true
  }
  /** Read one top-up. */
  'GET /sms/wallet/top-ups/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: SmsTopUp
    scope: 'sms:billing:read'
    context: 'project'
    reads: true
  }
  /** List the businesses that send. */
  'GET /sms/business-profiles': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      status?:
        | 'draft'
        | 'submitted'
        | 'in_review'
        | 'approved'
        | 'rejected'
        | 'suspended'
        | 'expired'
    }
    body: undefined
    reply: SmsBusinessProfilePage
    scope: 'sms:manage'
    context: 'project'
    reads: true
  }
  /** Draft a business profile. */
  'POST /sms/business-profiles': {
    params: undefined
    query: undefined
    body: CreateSmsBusinessProfile
    reply: SmsBusinessProfile
    scope: 'sms:manage'
    context: 'project'
  }
  /** Read one business profile. */
  'GET /sms/business-profiles/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: SmsBusinessProfile
    scope: 'sms:manage'
    context: 'project'
    reads: true
  }
  /** Edit a draft, submit it, or take it back. */
  'PATCH /sms/business-profiles/:id': {
    params: { id: string }
    query: undefined
    body: UpdateSmsBusinessProfile
    reply: SmsBusinessProfile
    scope: 'sms:manage'
    context: 'project'
  }
  /** List the programs: what is sent, to whom, and how they agreed. */
  'GET /sms/programs': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      status?:
        | 'draft'
        | 'submitted'
        | 'in_review'
        | 'approved'
        | 'rejected'
        | 'suspended'
        | 'expired'
    }
    body: undefined
    reply: SmsProgramPage
    scope: 'sms:manage'
    context: 'project'
    reads: true
  }
  /** Draft a program. */
  'POST /sms/programs': {
    params: undefined
    query: undefined
    body: CreateSmsProgram
    reply: SmsProgram
    scope: 'sms:manage'
    context: 'project'
  }
  /** Read one program. */
  'GET /sms/programs/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: SmsProgram
    scope: 'sms:manage'
    context: 'project'
    reads: true
  }
  /** Edit a draft, submit it, or take it back. */
  'PATCH /sms/programs/:id': {
    params: { id: string }
    query: undefined
    body: UpdateSmsProgram
    reply: SmsProgram
    scope: 'sms:manage'
    context: 'project'
  }
  /** List the numbers and names that SMS come from. */
  'GET /sms/senders': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      status?:
        | 'draft'
        | 'submitted'
        | 'in_review'
        | 'approved'
        | 'rejected'
        | 'suspended'
        | 'expired'
        | 'active'
    }
    body: undefined
    reply: SmsSenderPage
    scope: 'sms:manage'
    context: 'project'
    reads: true
  }
  /** Draft a sender. The operator activates it. */
  'POST /sms/senders': {
    params: undefined
    query: undefined
    body: CreateSmsSender
    reply: SmsSender
    scope: 'sms:manage'
    context: 'project'
  }
  /** Read one sender. */
  'GET /sms/senders/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: SmsSender
    scope: 'sms:manage'
    context: 'project'
    reads: true
  }
  /** Edit a draft, submit it, or take it back. */
  'PATCH /sms/senders/:id': {
    params: { id: string }
    query: undefined
    body: UpdateSmsSender
    reply: SmsSender
    scope: 'sms:manage'
    context: 'project'
  }
  /** List who agreed to be texted, and who took it back. */
  'GET /sms/consents': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** A phone number in E.164 form, e.g. `+12025550100`. */
      phone?: string
      /** An id that starts with `smspg_`. */
      programId?: string
      action?: 'granted' | 'revoked'
    }
    body: undefined
    reply: SmsConsentPage
    scope: 'sms:manage'
    context: 'project'
    reads: true
  }
  /** Record a consent, or that it was taken back. Records are never changed. */
  'POST /sms/consents': {
    params: undefined
    query: undefined
    body: RecordSmsConsent
    reply: RecordedSmsConsent
    scope: 'sms:manage'
    context: 'project'
  }
  /** Read one record with its evidence. Who does so is remembered. */
  'GET /sms/consents/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: SmsConsent
    scope: 'sms:manage'
    context: 'project'
    reads: true
    isSensitive: true
  }
  /** List the numbers that must not be texted, and why. */
  'GET /sms/suppressions': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** A phone number in E.164 form, e.g. `+12025550100`. */
      phone?: string
      status?: 'active' | 'lifted'
      /** An id that starts with `smspg_`. */
      programId?: string
    }
    body: undefined
    reply: SmsSuppressionPage
    scope: 'sms:manage'
    context: 'project'
    reads: true
  }
  /** Put a number on the list. */
  'POST /sms/suppressions': {
    params: undefined
    query: undefined
    body: AddSmsSuppression
    reply: SmsSuppression
    scope: 'sms:manage'
    context: 'project'
  }
  /** Read one entry. */
  'GET /sms/suppressions/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: SmsSuppression
    scope: 'sms:manage'
    context: 'project'
    reads: true
  }
  /** List the project's templates. */
  'GET /templates': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      alias?: string
    }
    body: undefined
    reply: TemplatePage
    scope: 'templates:write'
    context: 'project'
    reads: true
  }
  /** Create a template. Its parts are written in a subset of Liquid. */
  'POST /templates': {
    params: undefined
    query: undefined
    body: CreateTemplate
    reply: Template
    scope: 'templates:write'
    context: 'project'
  }
  /** Read one template. */
  'GET /templates/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Template
    scope: 'templates:write'
    context: 'project'
    reads: true
  }
  /** Change a template. Every change is a new version. */
  'PATCH /templates/:id': {
    params: { id: string }
    query: undefined
    body: UpdateTemplate
    reply: Template
    scope: 'templates:write'
    context: 'project'
  }
  /** Delete a template. Mail that was made from it stays as it is. */
  'DELETE /templates/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: DeletedTemplate
    scope: 'templates:write'
    context: 'project'
  }
  /** Make the starter templates that are missing. */
  'POST /templates/starters': {
    params: undefined
    query: SeedTemplates
    body: undefined
    reply: SeededTemplates
    scope: 'templates:write'
    context: 'project'
  }
  /** Show what a message made from this template would say. */
  'POST /templates/:id/preview': {
    params: { id: string }
    query: undefined
    body: PreviewTemplate
    reply: TemplatePreview
    scope: 'templates:write'
    context: 'project'
    reads: true
  }
  /** List the project's audiences. */
  'GET /audiences': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    body: undefined
    reply: AudiencePage
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Create an audience. */
  'POST /audiences': {
    params: undefined
    query: undefined
    body: CreateAudience
    reply: Audience
    scope: 'audiences:write'
    context: 'project'
  }
  /** Read one audience, with how many contacts it has. */
  'GET /audiences/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Audience
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Rename or describe an audience. */
  'PATCH /audiences/:id': {
    params: { id: string }
    query: undefined
    body: UpdateAudience
    reply: Audience
    scope: 'audiences:write'
    context: 'project'
  }
  /** Delete an audience and all of its contacts. Refused while a broadcast to it is scheduled or being sent. */
  'DELETE /audiences/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: DeletedAudience
    scope: 'audiences:write'
    context: 'project'
    needsConfirmation: true
  }
  /** List the contacts of an audience. */
  'GET /audiences/:id/contacts': {
    params: { id: string }
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      subscribed?: boolean
      /** A tag's name or id. */
      tag?: string
      /** An email address. */
      email?: string
      /** The beginning of an address, of a first name and what follows it, or of a last name. */
      q?: string
    }
    body: undefined
    reply: ContactPage
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Add an opted-in contact, or update the one with this address. Whoever unsubscribed stays so. */
  'POST /audiences/:id/contacts': {
    params: { id: string }
    query: undefined
    body: UpsertContact
    reply: Contact
    scope: 'audiences:write'
    context: 'project'
  }
  /**
   * Import a file of up to 1,000,000 rows. CSV has a header with an email column; columns named like fields of a
   * contact (also tags, optedIn, consentSource, consentAt) are those, all others become properties; `map` says
   * otherwise. NDJSON has a contact in each line.
   */
  'POST /audiences/:id/contacts/import': {
    params: { id: string }
    query: {
      /**
       * What columns of a CSV file hold, as `map[Title of the column]=field`: `email`, `firstName`, `lastName`, `tags`,
       * `optedIn`, `subscribed`, `consentSource`, `consentAt`, `consentIp`, `consentUserAgent`, `consentText`,
       * `properties.name` for a property of that name, `properties` for several as JSON, or `skip`. Titles are written
       * as in the file. Columns that are not named here mean what their titles say.
       */
      map?: Record<string, string>
    }
    body: Blob | string | Uint8Array<ArrayBuffer>
    reply: ContactImport
    uploads: 'text/csv' | 'application/x-ndjson'
    scope: 'audiences:write'
    context: 'project'
  }
  /** List the imports of the last 30 days. */
  'GET /audiences/:id/contacts/imports': {
    params: { id: string }
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    body: undefined
    reply: ContactImportPage
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Read how far an import is. */
  'GET /audiences/:id/contacts/imports/:importId': {
    params: { id: string; importId: string }
    query: undefined
    body: undefined
    reply: ContactImport
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Download the rows that were refused, and why. The first row below the header is row 1. */
  'GET /audiences/:id/contacts/imports/:importId/errors': {
    params: { id: string; importId: string }
    query: undefined
    body: undefined
    reply: Blob
    downloads: 'text/csv'
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Download all contacts of an audience. */
  'GET /audiences/:id/contacts/export': {
    params: { id: string }
    query: {
      /** csv if omitted. */
      format?: 'csv' | 'ndjson'
    }
    body: undefined
    reply: Blob
    downloads: 'text/csv' | 'application/x-ndjson'
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Read one contact, by its id or its address. */
  'GET /audiences/:id/contacts/:contactId': {
    params: { id: string; contactId: string }
    query: undefined
    body: undefined
    reply: Contact
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Change a contact, unsubscribe it, or subscribe it again. */
  'PATCH /audiences/:id/contacts/:contactId': {
    params: { id: string; contactId: string }
    query: undefined
    body: UpdateContact
    reply: Contact
    scope: 'audiences:write'
    context: 'project'
  }
  /** Remove a contact and all that is known of it in this audience. A suppression of the address stays. */
  'DELETE /audiences/:id/contacts/:contactId': {
    params: { id: string; contactId: string }
    query: undefined
    body: undefined
    reply: DeletedContact
    scope: 'audiences:write'
    context: 'project'
  }
  /** List the project's tags. */
  'GET /contact-tags': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    body: undefined
    reply: ContactTagPage
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Create a tag. */
  'POST /contact-tags': {
    params: undefined
    query: undefined
    body: CreateContactTag
    reply: ContactTag
    scope: 'audiences:write'
    context: 'project'
  }
  /** Read one tag. */
  'GET /contact-tags/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: ContactTag
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Rename a tag. */
  'PATCH /contact-tags/:id': {
    params: { id: string }
    query: undefined
    body: UpdateContactTag
    reply: ContactTag
    scope: 'audiences:write'
    context: 'project'
  }
  /** Delete a tag, and take it from everybody who has it. */
  'DELETE /contact-tags/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: DeletedContactTag
    scope: 'audiences:write'
    context: 'project'
  }
  /** Apply a tag to a person, or to up to 1,000. It shows on their contact in every audience. */
  'POST /contact-tags/:id/contacts': {
    params: { id: string }
    query: undefined
    body: TagContacts
    reply: ContactTagApplied | ContactTagAppliedToMany
    scope: 'audiences:write'
    context: 'project'
  }
  /** Remove a tag from a person, or from up to 1,000. The person's next due automation step stops. */
  'DELETE /contact-tags/:id/contacts': {
    params: { id: string }
    query: {
      /** An email address. */
      email?: string
    }
    body: TagContacts | undefined
    reply: ContactTagRemoved | ContactTagRemovedToMany
    scope: 'audiences:write'
    context: 'project'
  }
  /** List the project's broadcasts, newest first, without what they say. */
  'GET /broadcasts': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      status?: 'draft' | 'scheduled' | 'sending' | 'paused' | 'sent' | 'cancelled'
      /** An id that starts with `aud_`. */
      audienceId?: string
    }
    body: undefined
    reply: BroadcastPage
    scope: 'broadcasts:write'
    context: 'project'
    reads: true
  }
  /** Create a draft for an audience. Subject, html, text and preview are templates. */
  'POST /broadcasts': {
    params: undefined
    query: undefined
    body: CreateBroadcast
    reply: Broadcast
    scope: 'broadcasts:write'
    context: 'project'
  }
  /** Read a broadcast, with what became of its recipients. */
  'GET /broadcasts/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Broadcast
    scope: 'broadcasts:write'
    context: 'project'
    reads: true
  }
  /** Change a draft. */
  'PATCH /broadcasts/:id': {
    params: { id: string }
    query: undefined
    body: UpdateBroadcast
    reply: Broadcast
    scope: 'broadcasts:write'
    context: 'project'
  }
  /** Delete a draft or scheduled broadcast. */
  'DELETE /broadcasts/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: DeletedBroadcast
    scope: 'broadcasts:write'
    context: 'project'
  }
  /** Send a draft to those who are subscribed to its audience and not suppressed, now. */
  'POST /broadcasts/:id/send': {
    params: { id: string }
    query: undefined
    body: SendBroadcast | undefined
    reply: Broadcast
    scope: 'broadcasts:write'
    context: 'project'
    leaves: true
  }
  /** Schedule a draft, or move a scheduled broadcast to another time. */
  'POST /broadcasts/:id/schedule': {
    params: { id: string }
    query: undefined
    body: ScheduleBroadcast
    reply: Broadcast
    scope: 'broadcasts:write'
    context: 'project'
    leaves: true
  }
  /**
   * Cancel a scheduled broadcast: it is a draft again. Or end one that is being sent or paused: nobody further gets it.
   */
  'POST /broadcasts/:id/cancel': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Broadcast
    scope: 'broadcasts:write'
    context: 'project'
  }
  /** Let no further message of a broadcast leave. */
  'POST /broadcasts/:id/pause': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Broadcast
    scope: 'broadcasts:write'
    context: 'project'
  }
  /** Go on with a paused broadcast. */
  'POST /broadcasts/:id/resume': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Broadcast
    scope: 'broadcasts:write'
    context: 'project'
    leaves: true
  }
  /** Send what the broadcast says as an ordinary email, filled in for the first recipient. */
  'POST /broadcasts/:id/test': {
    params: { id: string }
    query: undefined
    body: TestBroadcast
    reply: AcceptedEmail
    scope: 'broadcasts:write'
    context: 'project'
    leaves: true
  }
  /** List every recipient that has not come to an end yet, and where it is. */
  'GET /broadcasts/:id/reconciliation': {
    params: { id: string }
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    body: undefined
    reply: OutstandingRecipientPage
    scope: 'broadcasts:write'
    context: 'project'
    reads: true
  }
  /**
   * List everybody who was in the audience when the broadcast started: those who got it and those who did not. Where a
   * filter lets few through, a page may be short or empty although `hasMore` is true: go on with `nextCursor`.
   */
  'GET /broadcasts/:id/recipients': {
    params: { id: string }
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      status?:
        | 'scheduled'
        | 'queued'
        | 'deferred'
        | 'sending'
        | 'delivered'
        | 'bounced'
        | 'filteredspam'
        | 'quarantined'
        | 'suppressed'
        | 'failed'
        | 'cancelled'
        | 'unsubscribed'
      /** An email address. */
      email?: string
    }
    body: undefined
    reply: BroadcastRecipientPage
    scope: 'broadcasts:write'
    context: 'project'
    reads: true
  }
  /** Download the recipients of a broadcast, with the filters of the list. The download is recorded in the log. */
  'GET /broadcasts/:id/recipients/export': {
    params: { id: string }
    query: {
      status?:
        | 'scheduled'
        | 'queued'
        | 'deferred'
        | 'sending'
        | 'delivered'
        | 'bounced'
        | 'filteredspam'
        | 'quarantined'
        | 'suppressed'
        | 'failed'
        | 'cancelled'
        | 'unsubscribed'
      /** An email address. */
      email?: string
      /** csv if omitted. */
      format?: 'csv' | 'ndjson'
    }
    body: undefined
    reply: Blob
    downloads: 'text/csv' | 'application/x-ndjson'
    scope: 'broadcasts:write'
    context: 'project'
    reads: true
  }
  /** List the links of a broadcast that people followed. */
  'GET /broadcasts/:id/links': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: BroadcastLinks
    scope: 'broadcasts:write'
    context: 'project'
    reads: true
  }
  /** List the project's automations. */
  'GET /automations': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      enabled?: boolean
    }
    body: undefined
    reply: AutomationPage
    scope: 'automations:write'
    context: 'project'
    reads: true
  }
  /** Create an automation. It is disabled unless the request says otherwise. */
  'POST /automations': {
    params: undefined
    query: undefined
    body: CreateAutomation
    reply: Automation
    scope: 'automations:write'
    context: 'project'
    leaves: true
  }
  /** Read one automation, with its recent runs. */
  'GET /automations/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Automation
    scope: 'automations:write'
    context: 'project'
    reads: true
  }
  /** Change an automation, or enable or disable it. People who are inside finish the version they started. */
  'PATCH /automations/:id': {
    params: { id: string }
    query: undefined
    body: UpdateAutomation
    reply: Automation
    scope: 'automations:write'
    context: 'project'
    leaves: true
  }
  /** Delete an automation. Its runs stop, and what they have sent and is still in the queue is cancelled. */
  'DELETE /automations/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: DeletedAutomation
    scope: 'automations:write'
    context: 'project'
  }
  /** List the runs of an automation, with what each step did. */
  'GET /automations/:id/runs': {
    params: { id: string }
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      status?: 'waiting' | 'completed' | 'stopped' | 'failed'
      /** An email address. */
      email?: string
    }
    body: undefined
    reply: AutomationRunPage
    scope: 'automations:write'
    context: 'project'
    reads: true
  }
  /** Tell what would happen to a contact, and when, if it started now. Nothing is sent and nothing is stored. */
  'POST /automations/:id/simulate': {
    params: { id: string }
    query: undefined
    body: SimulateAutomation
    reply: Simulation
    scope: 'automations:write'
    context: 'project'
    reads: true
  }
  /** List the addresses that the project does not mail, and why. */
  'GET /suppressions': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** An email address. */
      email?: string
      reason?: 'bounce' | 'spam' | 'manual'
      /** ISO 8601 with an offset or `Z`. */
      createdAfter?: string
    }
    body: undefined
    reply: SuppressionPage
    scope: 'suppressions:write'
    context: 'project'
    reads: true
  }
  /** Put an address on the list. */
  'POST /suppressions': {
    params: undefined
    query: undefined
    body: AddSuppression
    reply: Suppression
    scope: 'suppressions:write'
    context: 'project'
  }
  /** Take an address off the list, after the person asked for mail again. */
  'DELETE /suppressions': {
    params: undefined
    query: {
      /** An email address. */
      email?: string
    }
    body: RemoveSuppression | undefined
    reply: DeletedSuppression
    scope: 'suppressions:write'
    context: 'project'
    needsConfirmation: true
  }
  /** List the project's receiving domains. */
  'GET /receiving/domains': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** A domain name in any script; it comes back in lower case and ASCII. Only for a custom domain. */
      name?: string
      status?: 'pending' | 'verified' | 'failed'
    }
    body: undefined
    reply: ReceivingDomainPage
    scope: 'receiving:write'
    context: 'project'
    reads: true
  }
  /** Add a receiving domain: a managed one that works at once, or one of your own with DNS records to create. */
  'POST /receiving/domains': {
    params: undefined
    query: undefined
    body: CreateReceivingDomain
    reply: ReceivingDomain
    scope: 'receiving:write'
    context: 'project'
  }
  /** Read one receiving domain, with what the last check saw. */
  'GET /receiving/domains/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: ReceivingDomain
    scope: 'receiving:write'
    context: 'project'
    reads: true
  }
  /** Look at the DNS now and answer what was found. */
  'POST /receiving/domains/:id/verify': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: ReceivingDomain
    scope: 'receiving:write'
    context: 'project'
  }
  /** Read what other servers reported about encrypted delivery to the domain. */
  'GET /receiving/domains/:id/tls-reports': {
    params: { id: string }
    query: {
      /** A day in UTC, or a time (ISO 8601 with an offset) for the day that it is in. */
      from?: string
      /** A day in UTC, or a time (ISO 8601 with an offset) for the day that it is in. */
      to?: string
    }
    body: undefined
    reply: TlsReports
    scope: 'receiving:read'
    context: 'project'
    reads: true
  }
  /** Remove a receiving domain. What came in before stays readable. */
  'DELETE /receiving/domains/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: DeletedReceivingDomain
    scope: 'receiving:write'
    context: 'project'
  }
  /** List received emails; `to` is who it was delivered to, `from` who the message says wrote it. */
  'GET /receiving/emails': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** An email address. */
      to?: string
      /** An email address. */
      from?: string
      /** An id that starts with `rdm_`. */
      domainId?: string
      /** ISO 8601 with an offset or `Z`. */
      receivedAfter?: string
    }
    body: undefined
    reply: ReceivedEmailPage
    scope: 'receiving:read'
    context: 'project'
    reads: true
  }
  /** Read one received email: its body, its headers, and what its sender could prove. */
  'GET /receiving/emails/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: ReceivedEmail
    scope: 'receiving:read'
    context: 'project'
    reads: true
  }
  /** Download the message: our trace field, then to the byte what came in. */
  'GET /receiving/emails/:id/raw': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Blob
    downloads: 'message/rfc822'
    scope: 'receiving:read'
    context: 'project'
    reads: true
  }
  /** List the attachments of a received email, in the order in which it has them. */
  'GET /receiving/emails/:id/attachments': {
    params: { id: string }
    query: {
      /** Rows per page; 100 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    body: undefined
    reply: ReceivedAttachmentPage
    scope: 'receiving:read'
    context: 'project'
    reads: true
  }
  /** Download an attachment. */
  'GET /receiving/emails/:id/attachments/:attachmentId': {
    params: { id: string; attachmentId: string }
    query: undefined
    body: undefined
    reply: Blob
    downloads: '*/*'
    scope: 'receiving:read'
    context: 'project'
    reads: true
  }
  /** List the project's webhook endpoints. */
  'GET /webhooks': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    body: undefined
    reply: WebhookPage
    scope: 'webhooks:write'
    context: 'project'
    reads: true
  }
  /** Add an endpoint that events are posted to. The answer shows its signing secret, once. */
  'POST /webhooks': {
    params: undefined
    query: undefined
    body: CreateWebhook
    reply: CreatedWebhook
    scope: 'webhooks:write'
    context: 'project'
  }
  /** Read one endpoint and its health. */
  'GET /webhooks/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: WebhookWithHealth
    scope: 'webhooks:write'
    context: 'project'
    reads: true
  }
  /** Change the URL, the kinds of events or the description; enable or disable. */
  'PATCH /webhooks/:id': {
    params: { id: string }
    query: undefined
    body: UpdateWebhook
    reply: Webhook
    scope: 'webhooks:write'
    context: 'project'
  }
  /** Remove an endpoint. What waits for it is not sent any more. */
  'DELETE /webhooks/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: DeletedWebhook
    scope: 'webhooks:write'
    context: 'project'
  }
  /** Show the signing secret, to signed-in people only. The activity log records who saw it. */
  'POST /webhooks/:id/secret': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: WebhookSecret
    scope: 'webhooks:write'
    context: 'project'
    isForPersons: true
    needsConfirmation: true
  }
  /** Make a new signing secret. `webhook-signature` carries the old one too for 24 hours. */
  'POST /webhooks/:id/rotate-secret': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: CreatedWebhook
    scope: 'webhooks:write'
    context: 'project'
    needsConfirmation: true
  }
  /** Send an event about a message that does not exist. Its delivery shows what the endpoint answers. */
  'POST /webhooks/:id/test': {
    params: { id: string }
    query: undefined
    body: TestWebhook | undefined
    reply: WebhookDelivery
    scope: 'webhooks:write'
    context: 'project'
  }
  /** List what the endpoint was told, with every attempt. */
  'GET /webhooks/:id/deliveries': {
    params: { id: string }
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      status?: 'pending' | 'delivered' | 'failed' | 'dropped'
      type?: EventKind
      /**
       * What the event is about: the id of an email, of a received email or of an SMS. `<email id>.<n>` is one
       * recipient.
       */
      messageId?: string
      /** ISO 8601 with an offset or `Z`. */
      createdAfter?: string
      /** ISO 8601 with an offset or `Z`. */
      createdBefore?: string
    }
    body: undefined
    reply: WebhookDeliveryPage
    scope: 'webhooks:write'
    context: 'project'
    reads: true
  }
  /** Send many again: all that failed, or those of a stretch of time. */
  'POST /webhooks/:id/deliveries/replay': {
    params: { id: string }
    query: undefined
    body: ReplayWebhookDeliveries | undefined
    reply: WebhookReplay
    scope: 'webhooks:write'
    context: 'project'
  }
  /** Read one delivery: what was posted, with which headers, and what every attempt was answered. */
  'GET /webhooks/:id/deliveries/:deliveryId': {
    params: { id: string; deliveryId: string }
    query: undefined
    body: undefined
    reply: WebhookDeliveryDetail
    scope: 'webhooks:write'
    context: 'project'
    reads: true
  }
  /** Send one again, now. */
  'POST /webhooks/:id/deliveries/:deliveryId/replay': {
    params: { id: string; deliveryId: string }
    query: undefined
    body: undefined
    reply: WebhookDelivery
    scope: 'webhooks:write'
    context: 'project'
  }
  /**
   * Count what became of email, by minute, hour or day. A recipient is counted for everything that happened to its
   * mail: who complains after a delivery is part of both.
   */
  'GET /statistics/emails': {
    params: undefined
    query: {
      /** ISO 8601 with an offset or `Z`. */
      from: string
      /** ISO 8601 with an offset or `Z`. */
      to: string
      /** How long a point is; `hour` if omitted. `from` is moved back and `to` on to where a point begins. */
      step?: 'minute' | 'hour' | 'day'
      /** Where hours and days begin, such as `Europe/Zurich`; UTC if omitted. */
      timeZone?: string
      /** `none` leaves the points out: only totals are wanted. */
      points?: 'all' | 'none'
      /** A series for each; one for all if omitted. */
      groupBy?: 'domain' | 'provider' | 'source' | 'template' | 'tag'
      /** An id that starts with `dom_`. */
      domainId?: string
      /** A large receiver such as `google`, or `other`. */
      provider?: string
      source?: 'transactional' | 'broadcast' | 'automation'
      /** An id that starts with `tpl_`. */
      templateId?: string
      /** A tag as `name:value`. */
      tag?: string
    }
    body: undefined
    reply: EmailStatistics
    scope: 'stats:read'
    context: 'project'
    reads: true
  }
  /** Count attempts to tell webhook endpoints, and what became of the deliveries. */
  'GET /statistics/webhooks': {
    params: undefined
    query: {
      /** ISO 8601 with an offset or `Z`. */
      from: string
      /** ISO 8601 with an offset or `Z`. */
      to: string
      /** How long a point is; `hour` if omitted. `from` is moved back and `to` on to where a point begins. */
      step?: 'minute' | 'hour' | 'day'
      /** Where hours and days begin, such as `Europe/Zurich`; UTC if omitted. */
      timeZone?: string
      /** An id that starts with `whk_`. */
      endpointId?: string
    }
    body: undefined
    reply: WebhookStatistics
    scope: 'stats:read'
    context: 'project'
    reads: true
  }
  /**
   * List who did what, newest first. Where filters let few entries through, a page may be short or empty although
   * `hasMore` is true: go on with `nextCursor`.
   */
  'GET /audit-log': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** Who did it: the id of a key or of a person, `operator`, or `recipient` for links in mail. */
      actor?: string
      /** An action such as `key.revoked`, or the part before its dot for all of them: `key`. */
      action?: string
      /** The id of what it was done to. */
      subject?: string
      /** An id that starts with `prj_`. */
      projectId?: string
      /** The `X-Request-Id` of the call. */
      requestId?: string
      /** ISO 8601 with an offset or `Z`. */
      after?: string
      /** ISO 8601 with an offset or `Z`. */
      before?: string
    }
    body: undefined
    reply: AuditEntryPage
    scope: 'audit:read'
    context: 'workspace'
    reads: true
  }
  /** Download the activity log, with the filters of the list. The download is recorded in the log. */
  'GET /audit-log/export': {
    params: undefined
    query: {
      /** Who did it: the id of a key or of a person, `operator`, or `recipient` for links in mail. */
      actor?: string
      /** An action such as `key.revoked`, or the part before its dot for all of them: `key`. */
      action?: string
      /** The id of what it was done to. */
      subject?: string
      /** An id that starts with `prj_`. */
      projectId?: string
      /** The `X-Request-Id` of the call. */
      requestId?: string
      /** ISO 8601 with an offset or `Z`. */
      after?: string
      /** ISO 8601 with an offset or `Z`. */
      before?: string
      /** csv if omitted. */
      format?: 'csv' | 'ndjson'
    }
    body: undefined
    reply: Blob
    downloads: 'text/csv' | 'application/x-ndjson'
    scope: 'audit:read'
    context: 'workspace'
    reads: true
  }
  /**
   * List where mail of the project waits and why: what needs a look first, then the most. Counted at most every 5
   * seconds; `asOf` says when.
   */
  'GET /queue': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** `true` for those only where something is to be looked at. */
      needsLook?: 'true' | 'false'
    }
    body: undefined
    reply: Queue
    scope: 'stats:read'
    context: 'project'
    reads: true
  }
  /** Read one destination, with the answers of the last 24 hours and the hosts that gave them. */
  'GET /queue/:destination': {
    params: { destination: string }
    query: undefined
    body: undefined
    reply: QueueDestinationDetail
    scope: 'stats:read'
    context: 'project'
    reads: true
  }
  /** Try what waits for another attempt now, at the pace that the destination allows. */
  'POST /queue/:destination/retry': {
    params: { destination: string }
    query: undefined
    body: undefined
    reply: RetriedDestination
    scope: 'queue:write'
    context: 'project'
    leaves: true
  }
  /**
   * Let no mail of the project go to a destination, whether any waits for it or not. Within 2 seconds none leaves any
   * node.
   */
  'POST /queue/:destination/pause': {
    params: { destination: string }
    query: undefined
    body: PauseDestination | undefined
    reply: QueueDestination
    scope: 'queue:write'
    context: 'project'
  }
  /** Let mail go to a destination again; what waits because of the pause leaves at once. */
  'POST /queue/:destination/resume': {
    params: { destination: string }
    query: undefined
    body: ResumeDestination | undefined
    reply: QueueDestination
    scope: 'queue:write'
    context: 'project'
    leaves: true
  }
  /** Read whether anything leaves the installation, and what is due. */
  'GET /sending': {
    params: undefined
    query: undefined
    body: undefined
    reply: Sending
    scope: 'stats:read'
    context: 'workspace'
    reads: true
  }
  /**
   * Let nothing leave the installation: no mail, no webhook, no SMS. Needs the workspace role owner or admin, or a
   * workspace key with full access.
   */
  'POST /sending/hold': {
    params: undefined
    query: undefined
    body: HoldSending
    reply: Sending
    scope: 'queue:write'
    context: 'workspace'
    needsConfirmation: true
  }
  /** Let everything leave again. Needs the workspace role owner or admin, or a workspace key with full access. */
  'POST /sending/resume': {
    params: undefined
    query: undefined
    body: ResumeSending | undefined
    reply: Sending
    scope: 'queue:write'
    context: 'workspace'
    leaves: true
    needsConfirmation: true
  }
  /**
   * Find a thing by its id, by an address or domain, or by the beginning of its name. Only what the caller could also
   * read by the routes of each kind is found. Things of `projectId` come first.
   */
  'GET /search': {
    params: undefined
    query: {
      /** An id, an address, a domain, or the beginning of a name. */
      q: string
      /** 10 if omitted. */
      limit?: number
      /** An id that starts with `prj_`. */
      projectId?: string
    }
    body: undefined
    reply: SearchResult
    scope: 'stats:read'
    context: 'workspace'
    reads: true
  }
  /**
   * Read everything that the project knows of an address, as far as the caller could also read it by the routes of each
   * kind. An address that nobody knows has empty parts.
   */
  'GET /addresses/:email': {
    params: { email: string }
    query: undefined
    body: undefined
    reply: Address
    scope: 'stats:read'
    context: 'project'
    reads: true
  }
  /**
   * Watch what changes, as server-sent events: first `hello`, then a `change` for each topic as it is now, then one
   * each time it changes. We end the stream after ten minutes: connect again. When too many are open the answer is 503.
   */
  'GET /live': {
    params: undefined
    query: {
      /**
       * What to watch, at most 8, separated by commas: `overview`, `queue`, `notices`, `inbox`, `emails`, or one thing
       * by its kind and id: `email:em_…`, `broadcast:brd_…`, `import:imp_…`, `automation:aut_…`, `webhook:whk_…`,
       * `domain:dom_…`. Each needs the scope with which it could be read.
       */
      topics: string
    }
    body: undefined
    reply: LiveEvent
    streams: true
    scope: 'stats:read'
    context: 'project'
    reads: true
  }
  /**
   * Read how the installation is: nodes, processes, database, disk, and how its mail server appears to others. Looked
   * at every few minutes, never while you wait; not for keys and roles of a single project.
   */
  'GET /installation': {
    params: undefined
    query: undefined
    body: undefined
    reply: Installation
    scope: 'stats:read'
    context: 'workspace'
    reads: true
  }
  /** Say that the master key is kept in a second place. Nobody is reminded of it any more. */
  'POST /installation/backup-noted': {
    params: undefined
    query: undefined
    body: undefined
    reply: BackupNoted
    scope: 'people:write'
    context: 'workspace'
    isForPersons: true
  }
  /** List the newest 100 mails to `postmaster@` and `abuse@`, which belong to no project. */
  'GET /operator/mailbox': {
    params: undefined
    query: undefined
    body: undefined
    reply: OperatorMailList
    scope: 'people:write'
    context: 'workspace'
    reads: true
    isForPersons: true
  }
  /** Download one of them: our trace field, then to the byte what came in. */
  'GET /operator/mailbox/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Blob
    downloads: 'message/rfc822'
    scope: 'people:write'
    context: 'workspace'
    reads: true
    isForPersons: true
  }
  /**
   * List what somebody should look at, the worst first: in the project, and for workspace keys and roles in the
   * installation. Only kinds whose subject the caller can read are told.
   */
  'GET /notices': {
    params: undefined
    query: undefined
    body: undefined
    reply: NoticeList
    scope: 'stats:read'
    context: 'project'
    reads: true
  }
}
