// Made by `npm run generate`; change the routes and their schemas, not this file.

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

export interface EmailTrackingInput {
  opens?: boolean
  clicks?: boolean
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

export interface SendBatch {
  emails: SendEmail[]
}

export interface EmailPage {
  data: EmailSummary[]
  hasMore: boolean
  nextCursor: string | null
  /** Emails down to this time were looked at; the next page goes on from there. Null when it was all. */
  searchedTo: string | null
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

/** Who sent it; null for mail of broadcasts and automations. */
export interface EmailSentBy {
  type: 'key' | 'person'
  /** An id that starts with `key_` or `per_`. */
  id: string
  name: string | null
}

export interface EmailTracking {
  opens: boolean
  clicks: boolean
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

export interface SmtpReply {
  code: number | null
  enhanced: string | null
  host: string | null
  tls: string | null
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

export interface RescheduleEmail {
  /** ISO 8601 with an offset or `Z`. */
  sendAt: string
}
