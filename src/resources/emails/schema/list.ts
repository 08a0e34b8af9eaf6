import { Type, type Static } from 'typebox'
import type { AutomationId, BatchId, BroadcastId, DomainId, TemplateId } from '../../../core/ids.ts'
import { EmailInput, IdInput, listQuery, named, Nullable, PageOf, TimestampInput } from '../../../shapes/shapes.ts'
import { EmailSummary } from '../schema.ts'
import { mailSources, recipientStates, type MailSource, type RecipientState } from '../states.ts'

export const ListEmails = Type.Object(
  {
    ...listQuery,
    status: Type.Optional(Type.Enum(recipientStates)),
    to: Type.Optional(EmailInput),
    from: Type.Optional(EmailInput),
    tag: Type.Optional(Type.String({ maxLength: 321, description: 'A tag as `name:value`.' })),
    batchId: Type.Optional(IdInput('bat')),
    domainId: Type.Optional(IdInput('dom')),
    templateId: Type.Optional(IdInput('tpl')),
    broadcastId: Type.Optional(IdInput('brd')),
    automationId: Type.Optional(IdInput('aut')),
    source: Type.Optional(Type.Enum(mailSources)),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Words that the subject has, all of them, in any order and case. Of broadcasts and automations the subject is ' +
          'searched as it was written.',
      }),
    ),
    createdAfter: Type.Optional(TimestampInput),
    createdBefore: Type.Optional(TimestampInput),
  },
  { additionalProperties: false },
)

export type ListEmails = Static<typeof ListEmails>

/** A filter that was read. */
export interface EmailFilter {
  status: RecipientState | undefined
  to: string | undefined
  from: string | undefined
  tag: { name: string; value: string } | undefined
  batchId: BatchId | undefined
  domainId: DomainId | undefined
  templateId: TemplateId | undefined
  broadcastId: BroadcastId | undefined
  automationId: AutomationId | undefined
  source: MailSource | undefined
  /** Words of the subject, folded. */
  words: readonly string[] | undefined
  createdAfter: Date | undefined
  createdBefore: Date | undefined
}

export const EmailPage = named(
  'EmailPage',
  Type.Object({
    ...PageOf(EmailSummary).properties,
    searchedTo: Nullable(
      Type.String({
        format: 'date-time',
        description: 'Emails down to this time were looked at; the next page goes on from there. Null when it was all.',
      }),
    ),
  }),
)

export type EmailPage = Static<typeof EmailPage>
