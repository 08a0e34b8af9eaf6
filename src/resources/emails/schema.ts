import { Type, type Static } from 'typebox'
import { idPattern } from '../../core/ids.ts'
import type { Mailbox } from '../../mail/address.ts'
import type { TemplateVariable } from '../templates/index.ts'
import { explanationSchema } from '../../shapes/explanation.ts'
import {
  AnyName,
  EmailAddress,
  EmailInput,
  IdOf,
  named,
  Nullable,
  saying,
  Timestamp,
  TimestampInput,
} from '../../shapes/shapes.ts'
import { MAX_IN_BATCH, MAX_RECIPIENTS, type RecipientKind, recipientKinds, recipientStates } from './states.ts'

export { mailSources, recipientStates } from './states.ts'

/** All addresses of an email. Its recipients are numbered by their place in the list, for good. */
export interface Addresses {
  from: Mailbox
  replyTo: Mailbox[]
  recipients: (Mailbox & { kind: RecipientKind })[]
}

/** How the content of a mailing is filled in: what its template declared, and its preview line. */
export interface Merge {
  declared: TemplateVariable[]
  preview: string
}

const MAX_ATTACHMENTS = 20

const MAX_SUBJECT_LENGTH = 998

const AddressInput = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'A mailbox: `ann@example.com` or `Ann <ann@example.com>`.',
})

/** One address or several. */
const addressesInput = (most: number, description?: string) =>
  Type.Unsafe<string | string[]>({
    ...(description !== undefined && { description }),
    anyOf: [AddressInput, { type: 'array', items: AddressInput, minItems: 1, maxItems: most }],
  })

const RecipientsInput = addressesInput(
  MAX_RECIPIENTS,
  `At most ${MAX_RECIPIENTS} recipients in \`to\`, \`cc\` and \`bcc\` together.`,
)

const AttachmentInput = named(
  'Attachment',
  Type.Object(
    {
      filename: Type.String({ minLength: 1, maxLength: 255 }),
      content: Type.String({ description: 'The bytes, in base64.' }),
      contentType: Type.Optional(Type.String({ description: 'By the name of the file if omitted.' })),
      contentId: Type.Optional(Type.String({ description: 'What `src="cid:…"` in the html refers to.' })),
      disposition: Type.Optional(
        Type.Enum(['attachment', 'inline'], { description: '`inline` if omitted and there is a contentId.' }),
      ),
    },
    { additionalProperties: false },
  ),
)

/** The sender's own words, by which a message is found again; they are no part of the message. */
const Tags = Type.Record(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), Type.String({ maxLength: 256 }), {
  maxProperties: 20,
  additionalProperties: false,
  ...saying('is no name for a tag: take 1 to 64 letters, digits, _ and -'),
})

const Metadata = Type.Record(Type.String({ pattern: '^.{1,64}$' }), Type.String({ maxLength: 1_000 }), {
  maxProperties: 50,
  additionalProperties: false,
  ...saying('is no name for metadata: take 1 to 64 characters on one line'),
})

const Headers = Type.Record(AnyName, Type.String(), { maxProperties: 40 })

const Tracking = named(
  'EmailTracking',
  Type.Object({ opens: Type.Boolean(), clicks: Type.Boolean() }, { additionalProperties: false }),
)

export const SendEmail = named(
  'SendEmail',
  Type.Object(
    {
      from: AddressInput,
      to: RecipientsInput,
      cc: Type.Optional(RecipientsInput),
      bcc: Type.Optional(RecipientsInput),
      replyTo: Type.Optional(addressesInput(MAX_RECIPIENTS)),
      subject: Type.Optional(Type.String({ maxLength: MAX_SUBJECT_LENGTH, description: "The template's if omitted." })),
      html: Type.Optional(Type.String()),
      text: Type.Optional(Type.String({ description: 'Made from the html if omitted.' })),
      templateId: Type.Optional(Type.String({ description: 'An id that starts with `tpl_`, or an alias.' })),
      variables: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description:
            'What the template is filled in with. Without a `templateId`, subject, html and text are filled in themselves; ' +
            'without `variables`, they are sent as they are.',
        }),
      ),
      headers: Type.Optional(Headers),
      attachments: Type.Optional(Type.Array(AttachmentInput, { maxItems: MAX_ATTACHMENTS })),
      tags: Type.Optional(Tags),
      metadata: Type.Optional(Metadata),
      tracking: Type.Optional(named('EmailTrackingInput', Type.Partial(Tracking, { additionalProperties: false }))),
      inReplyTo: Type.Optional(Type.String({ maxLength: 998, description: 'The Message-ID of what this answers.' })),
      sendAt: Type.Optional(TimestampInput),
    },
    {
      additionalProperties: false,
      examples: [
        {
          from: 'Posthouse <sandbox@sandbox.posthouse.test>',
          to: 'delivered@simulator.posthouse.test',
          subject: 'Hello',
          html: '<p>It works.</p>',
        },
      ],
    },
  ),
)

export type SendEmail = Static<typeof SendEmail>

const Emails = Type.Array(SendEmail, { minItems: 1, maxItems: MAX_IN_BATCH })

/** `{"emails": […]}`, or the bare array, which `readBatch` puts into the same form. */
export const SendBatch = Type.Unsafe<{ emails: SendEmail[] }>({
  anyOf: [named('SendBatch', Type.Object({ emails: Emails }, { additionalProperties: false })), Emails],
})

export type SendBatch = Static<typeof SendBatch>

export const SendQuery = Type.Object(
  { dryRun: Type.Optional(Type.Boolean({ description: 'Checks and renders everything, and stores nothing.' })) },
  { additionalProperties: false },
)

export const AcceptedView = named(
  'AcceptedEmail',
  Type.Object({
    id: IdOf('em'),
    projectId: IdOf('prj'),
    status: Type.Enum(['queued', 'scheduled']),
    from: Type.String(),
    to: Type.Array(Type.String()),
    subject: Type.String(),
    sendAt: Nullable(Timestamp),
    createdAt: Timestamp,
  }),
)

export type AcceptedView = Static<typeof AcceptedView>

export const ResendEmail = named(
  'ResendEmail',
  Type.Object(
    {
      to: Type.Optional(
        addressesInput(MAX_RECIPIENTS, 'Who gets it instead of all recipients that it had, in `to`, `cc` and `bcc`.'),
      ),
    },
    { additionalProperties: false, examples: [{ to: 'delivered@simulator.posthouse.test' }] },
  ),
)

export type ResendEmail = Static<typeof ResendEmail>

const ResentFrom = Type.String({ pattern: idPattern('em'), description: 'The email that this one repeats.' })

export const ResentView = named('ResentEmail', Type.Object({ ...AcceptedView.properties, resentFrom: ResentFrom }))

export type ResentView = Static<typeof ResentView>

export const DryRunView = named(
  'DryRun',
  Type.Object({
    dryRun: Type.Literal(true),
    projectId: IdOf('prj'),
    status: Type.Enum(['queued', 'scheduled']),
    from: Type.String(),
    to: Type.Array(Type.String()),
    cc: Type.Array(Type.String()),
    bcc: Type.Array(Type.String()),
    subject: Type.String(),
    html: Nullable(Type.String()),
    text: Nullable(Type.String()),
    sendAt: Nullable(Timestamp),
    suppressed: Type.Array(Type.String({ description: 'Recipients that would not be mailed.' })),
  }),
)

export type DryRunView = Static<typeof DryRunView>

export const BatchView = named(
  'Batch',
  Type.Object({
    id: IdOf('bat'),
    accepted: Type.Integer(),
    rejected: Type.Integer(),
    data: Type.Array(
      named(
        'BatchItem',
        Type.Object(
          {
            index: Type.Integer(),
            id: Type.Optional(IdOf('em')),
            status: Type.Optional(Type.Enum(['queued', 'scheduled'])),
            error: Type.Optional(Type.String()),
            code: Type.Optional(Type.String()),
          },
          { additionalProperties: true },
        ),
      ),
    ),
  }),
)

export type BatchView = Static<typeof BatchView>

/** The bytes of a file. */
export const RawBytes = Type.String()

export const RawQuery = Type.Object({ recipient: Type.Optional(EmailInput) }, { additionalProperties: false })

export const Reschedule = named(
  'RescheduleEmail',
  Type.Object({ sendAt: TimestampInput }, { additionalProperties: false }),
)

const summary = {
  id: IdOf('em'),
  projectId: IdOf('prj'),
  status: Type.Enum(recipientStates),
  from: Type.String(),
  to: Type.Array(Type.String()),
  subject: Type.String(),
  contentHidden: Type.Boolean({
    description:
      'Whether subject, bodies, variables, headers, attachments and the targets of clicked links are left out: see `contentAccess` of API keys.',
  }),
  tags: Type.Record(Type.String(), Type.String()),
  sendAt: Nullable(Timestamp),
  createdAt: Timestamp,
  batchId: Nullable(IdOf('bat')),
}

export const EmailSummary = named('EmailSummary', Type.Object(summary))

export type EmailSummary = Static<typeof EmailSummary>

const RecipientView = named(
  'Recipient',
  Type.Object({
    email: EmailAddress,
    kind: Type.Enum(recipientKinds),
    status: Type.Enum(recipientStates),
    attempts: Type.Integer(),
    nextAttemptAt: Nullable(Timestamp),
    updatedAt: Timestamp,
    destination: Type.String({
      description: 'What the queue calls the servers that the mail goes to, or went to: a provider, or a domain.',
    }),
    explanation: Nullable(explanationSchema),
  }),
)

const EventView = named(
  'EmailEvent',
  Type.Object({
    id: IdOf('evt'),
    type: Type.String(),
    recipient: Type.String(),
    timestamp: Timestamp,
    detail: Type.String(),
    smtp: Nullable(
      named(
        'SmtpReply',
        Type.Object({
          code: Nullable(Type.Integer()),
          enhanced: Nullable(Type.String()),
          host: Nullable(Type.String()),
          tls: Nullable(Type.String()),
        }),
      ),
    ),
    explanation: Nullable(explanationSchema),
    dialogueId: Nullable(
      Type.String({ description: 'The id of the event again, if it is known what was said: read it as a dialogue.' }),
    ),
  }),
)

export const EmailView = named(
  'Email',
  Type.Object({
    ...summary,
    cc: Type.Array(Type.String()),
    bcc: Type.Array(Type.String()),
    replyTo: Type.Array(Type.String()),
    html: Nullable(Type.String()),
    text: Nullable(Type.String()),
    templateId: Nullable(IdOf('tpl')),
    templateVersion: Nullable(Type.Integer()),
    variables: Type.Record(Type.String(), Type.Unknown()),
    headers: Type.Record(Type.String(), Type.String()),
    metadata: Type.Record(Type.String(), Type.String()),
    tracking: Tracking,
    inReplyTo: Nullable(Type.String()),
    counts: Type.Record(Type.String(), Type.Integer(), { description: 'Recipients by status.' }),
    sentAt: Nullable(Type.String({ format: 'date-time', description: 'When the first recipient had it.' })),
    messageIdHeader: Type.String(),
    recipients: Type.Array(RecipientView),
    events: Type.Array(EventView),
    attachments: Type.Array(
      named(
        'EmailAttachment',
        Type.Object({
          id: IdOf('att'),
          filename: Type.String(),
          contentType: Type.String(),
          size: Type.Integer(),
          contentId: Nullable(Type.String({ description: 'What `src="cid:…"` in the html refers to.' })),
        }),
      ),
    ),
    broadcastId: Nullable(Type.String()),
    automationRunId: Nullable(Type.String()),
    resentFrom: Nullable(ResentFrom),
    sentBy: Nullable(
      named(
        'EmailSentBy',
        Type.Object(
          {
            type: Type.Enum(['key', 'person']),
            id: Type.String({ description: 'An id that starts with `key_` or `per_`.' }),
            name: Nullable(Type.String()),
          },
          { description: 'Who sent it; null for mail of broadcasts and automations.' },
        ),
      ),
    ),
    contentPurgedAt: Nullable(Timestamp),
  }),
)

export type EmailView = Static<typeof EmailView>
