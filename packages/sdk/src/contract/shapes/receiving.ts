// Made by `npm run generate`; change the routes and their schemas, not this file.

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

export interface CreateReceivingDomain {
  /** `managed` works at once, with a name of ours; `custom` is a name of your own. */
  type: 'managed' | 'custom'
  /** A domain name in any script; it comes back in lower case and ASCII. Only for a custom domain. */
  name?: string
}

export interface DeletedReceivingDomain {
  id: string
  deleted: true
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

export interface Mailbox {
  email: string
  name: string
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

export interface MailHeader {
  name: string
  value: string
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
