import { Type, type Static } from 'typebox'
import type { AttachmentId, ProjectId, ReceivedId, ReceivingDomainId } from '../../core/ids.ts'
import {
  annotated,
  Deleted,
  EmailAddress,
  EmailInput,
  Hostname,
  IdInput,
  IdOf,
  listQuery,
  listQueryOf,
  named,
  Nullable,
  PageOf,
  Timestamp,
  TimestampInput,
} from '../../shapes/shapes.ts'
import type { InboundTransport } from '../../mail/parse/trace.ts'
import { recordFields, type Seen } from '../domains/schema.ts'

export const receivingStatuses = ['pending', 'verified', 'failed'] as const

export type ReceivingStatus = (typeof receivingStatuses)[number]

const domainTypes = ['managed', 'custom'] as const

export type ReceivingDomainType = (typeof domainTypes)[number]

const ReceivingRecordView = named(
  'ReceivingDnsRecord',
  Type.Object({ purpose: Type.Enum(['receiving-mx', 'receiving-proof', 'receiving-tls-reports']), ...recordFields }),
)

export type ReceivingRecordView = Static<typeof ReceivingRecordView>

export const ReceivingDomainView = named(
  'ReceivingDomain',
  Type.Object({
    id: IdOf('rdm'),
    projectId: IdOf('prj'),
    type: Type.Enum(domainTypes),
    name: Hostname,
    status: Type.Enum(receivingStatuses),
    records: Type.Array(ReceivingRecordView, {
      description: 'The DNS records to create, and what is known of each; none for a managed domain.',
    }),
    createdAt: Timestamp,
    verifiedAt: Nullable(Timestamp),
    lastCheckedAt: Nullable(Timestamp),
  }),
)

export type ReceivingDomainView = Static<typeof ReceivingDomainView>

export const ReceivingDomainPage = PageOf(ReceivingDomainView)

export const DeletedReceivingDomain = named('DeletedReceivingDomain', Deleted('rdm'))

const DomainName = Type.String({
  ...annotated('idn-hostname'),
  maxLength: 253,
  description: 'A domain name in any script; it comes back in lower case and ASCII. Only for a custom domain.',
  examples: ['in.example.com'],
})

export const CreateReceivingDomain = named(
  'CreateReceivingDomain',
  Type.Object(
    {
      type: Type.Enum(domainTypes, {
        description: '`managed` works at once, with a name of ours; `custom` is a name of your own.',
      }),
      name: Type.Optional(DomainName),
    },
    { additionalProperties: false, examples: [{ type: 'managed' }] },
  ),
)

export type CreateReceivingDomain = Static<typeof CreateReceivingDomain>

export const ListReceivingDomains = Type.Object(
  { ...listQuery, name: Type.Optional(DomainName), status: Type.Optional(Type.Enum(receivingStatuses)) },
  { additionalProperties: false },
)

export type ListReceivingDomains = Static<typeof ListReceivingDomains>

export interface ReceivingDomain {
  id: ReceivingDomainId
  projectId: ProjectId
  type: ReceivingDomainType
  name: string
  status: ReceivingStatus
  seen: Seen[]
  /** Names the address that reports about the domain come to. */
  reportToken: string
  createdAt: Date
  verifiedAt: Date | null
  lastCheckedAt: Date | null
  /** The database's time when the row was read, to the microsecond. */
  readAt: string
}

const MailboxView = named('Mailbox', Type.Object({ email: Type.String(), name: Type.String() }))

type MailboxView = Static<typeof MailboxView>

const verdicts = ['pass', 'fail', 'softfail', 'neutral', 'none', 'policy', 'temperror', 'permerror'] as const

const Verdict = Nullable(
  Type.String({ description: '`pass`, `fail`, `softfail`, `neutral`, `none`, `policy`, `temperror` or `permerror`.' }),
)

const Auth = named(
  'MailAuthentication',
  Type.Object(
    { spf: Verdict, dkim: Verdict, dmarc: Verdict, arc: Verdict },
    { description: 'What the sender could prove. Null where it was not looked at.' },
  ),
)

export type Auth = Static<typeof Auth>

const summaryFields = {
  id: IdOf('rcv'),
  domainId: IdOf('rdm'),
  from: Nullable(MailboxView),
  to: Type.Array(MailboxView, { description: 'As the header says; who it was delivered to is in the envelope.' }),
  subject: Nullable(Type.String()),
  messageIdHeader: Nullable(Type.String()),
  receivedAt: Timestamp,
  size: Type.Integer({ description: 'Of the raw message, in bytes, with our trace field.' }),
  attachmentCount: Type.Integer(),
  auth: Auth,
  spam: Nullable(Type.Number({ description: 'The score that rspamd gave; null where none is asked.' })),
}

const ReceivedSummary = named('ReceivedEmailSummary', Type.Object(summaryFields))

export type ReceivedSummary = Static<typeof ReceivedSummary>

export const ReceivedPage = PageOf(ReceivedSummary)

export const ReceivedView = named(
  'ReceivedEmail',
  Type.Object({
    ...summaryFields,
    cc: Type.Array(MailboxView),
    replyTo: Type.Array(MailboxView),
    envelope: named(
      'ReceivedEnvelope',
      Type.Object({
        from: Nullable(Type.String({ description: 'Null for the null sender of bounces.' })),
        to: EmailAddress,
      }),
    ),
    transport: named(
      'ReceivedTransport',
      Type.Object(
        {
          remoteAddress: Type.String({
            description: 'Of the client; behind a load balancer, of the client behind it.',
          }),
          helo: Type.String({ description: 'What the client called itself. Nothing of it was checked.' }),
          tls: Nullable(
            named(
              'ReceivedTls',
              Type.Object(
                { version: Type.String(), cipher: Type.String() },
                { description: 'Null where the message came unencrypted.' },
              ),
            ),
          ),
          receivedAt: Timestamp,
        },
        { description: 'Who brought the message to us, and how.' },
      ),
    ),
    headers: Type.Array(named('MailHeader', Type.Object({ name: Type.String(), value: Type.String() })), {
      description: 'Our trace field first. Decoded, in their order, none left out for being there twice.',
    }),
    html: Nullable(Type.String()),
    text: Nullable(Type.String()),
    strippedText: Nullable(Type.String({ description: 'The text without quoted history and signature.' })),
    inReplyTo: Nullable(Type.String()),
    references: Type.Array(Type.String()),
  }),
)

export type ReceivedView = Static<typeof ReceivedView>

export const ListReceived = Type.Object(
  {
    ...listQuery,
    to: Type.Optional(EmailInput),
    from: Type.Optional(EmailInput),
    domainId: Type.Optional(IdInput('rdm')),
    receivedAfter: Type.Optional(TimestampInput),
    spf: Type.Optional(Type.Enum(verdicts, { description: 'What SPF said of the server that brought it.' })),
    dkim: Type.Optional(Type.Enum(verdicts, { description: 'What became of its signatures.' })),
    dmarc: Type.Optional(Type.Enum(verdicts, { description: 'Whether the address in From is true.' })),
  },
  {
    additionalProperties: false,
    description:
      'With `spf`, `dkim` or `dmarc` a page looks at a few thousand mails at most: it can have fewer than `limit`, or none, and `hasMore`.',
  },
)

export type ListReceived = Static<typeof ListReceived>

const AttachmentView = named(
  'ReceivedAttachment',
  Type.Object({
    id: IdOf('att'),
    filename: Nullable(Type.String()),
    contentType: Type.String(),
    size: Type.Integer(),
    contentId: Nullable(Type.String()),
    disposition: Type.Enum(['attachment', 'inline']),
    sha256: Type.String(),
  }),
)

export type AttachmentView = Static<typeof AttachmentView>

export const AttachmentList = PageOf(AttachmentView)

/** Nearly always all of them: who reads one page only has lost nothing. */
export const USUAL_ATTACHMENTS = 100

export const ListAttachments = Type.Object(listQueryOf(USUAL_ATTACHMENTS), { additionalProperties: false })

/** As their sender made them. */
export const RawBytes = Type.String()

/** What is known of a message once it was read; as it is stored. */
export interface StoredLetter {
  from: MailboxView | null
  to: readonly MailboxView[]
  cc: readonly MailboxView[]
  replyTo: readonly MailboxView[]
  subject: string | null
  messageId: string | null
  inReplyTo: string | null
  references: readonly string[]
}

export interface ReceivedRow {
  id: ReceivedId
  domainId: ReceivingDomainId
  recipient: string
  envelopeFrom: string | null
  receivedAt: Date
  /** Of what came in. */
  size: number
  session: InboundTransport
  attachments: number
  letter: StoredLetter | null
  auth: Auth | null
  spam: number | null
}

export interface WholeReceivedRow extends ReceivedRow {
  headers: { name: string; value: string }[] | null
  html: string | null
  text: string | null
  /** Null where it is the text, but for the space around it. */
  strippedText: string | null
}

export interface AttachmentRow {
  id: AttachmentId
  filename: string | null
  contentType: string
  contentId: string | null
  disposition: 'attachment' | 'inline'
  size: number
  blob: string
}
