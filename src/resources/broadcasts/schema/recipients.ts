import { Type, type Static } from 'typebox'
import type { ContactId, EmailId } from '../../../core/ids.ts'
import { explanationSchema } from '../../../shapes/explanation.ts'
import { annotated, EmailInput, IdOf, listQuery, named, Nullable, PageOf, Timestamp } from '../../../shapes/shapes.ts'
import { recipientStates } from '../../emails/schema.ts'

/** Somebody who got no email of it because they had unsubscribed is not among the states of a recipient of an email. */
export const broadcastRecipientStates = [...recipientStates, 'unsubscribed'] as const

export type BroadcastRecipientState = (typeof broadcastRecipientStates)[number]

const filters = {
  status: Type.Optional(Type.Enum(broadcastRecipientStates)),
  email: Type.Optional(EmailInput),
}

export const ListRecipients = Type.Object({ ...listQuery, ...filters }, { additionalProperties: false })

export type ListRecipients = Static<typeof ListRecipients>

export const exportFormats = ['csv', 'ndjson'] as const

export type ExportFormat = (typeof exportFormats)[number]

export const ExportRecipients = Type.Object(
  { ...filters, format: Type.Optional(Type.Enum(exportFormats, { description: 'csv if omitted.' })) },
  { additionalProperties: false },
)

export type ExportRecipients = Static<typeof ExportRecipients>

export const RecipientView = named(
  'BroadcastRecipient',
  Type.Object({
    contactId: IdOf('con'),
    email: Nullable(
      Type.String({ ...annotated('idn-email'), description: 'Null where there is no email and the contact is gone.' }),
    ),
    status: Type.Enum(broadcastRecipientStates, {
      description:
        '`unsubscribed`, and `suppressed` without an `emailId`: they were in the audience when it started, and no email ' +
        'was made for them.',
    }),
    emailId: Nullable(IdOf('em')),
    explanation: Nullable(explanationSchema),
    opens: Type.Integer(),
    clicks: Type.Integer(),
    updatedAt: Timestamp,
  }),
)

export type RecipientView = Static<typeof RecipientView>

export const RecipientPage = PageOf(RecipientView)

export type RecipientPage = Static<typeof RecipientPage>

/** The last thing that was said about a recipient. */
export interface LastReply {
  emailId: EmailId
  detail: string
  smtp: { code?: number; enhanced?: string; host?: string } | null
}

export interface RecipientRow {
  /** The id of the contact. */
  id: ContactId
  email: string | null
  status: BroadcastRecipientState
  emailId: EmailId | null
  opens: number
  clicks: number
  updatedAt: Date
}

const LinkView = named(
  'BroadcastLink',
  Type.Object({
    url: Type.String(),
    people: Type.Integer({ description: 'How many different people followed it.' }),
    clicks: Type.Integer({ description: 'How often they did.' }),
  }),
)

export type LinkView = Static<typeof LinkView>

export const LinkList = named(
  'BroadcastLinks',
  Type.Object({
    data: Type.Array(LinkView, {
      description: 'Those with the most people first. Programs that follow every link are not counted.',
    }),
  }),
)
