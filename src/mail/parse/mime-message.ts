import type { Mailbox } from '../address.ts'
import { parseMessageId } from '../message-id.ts'
import { readAddresses } from './addresses.ts'
import { readContents, type Contents } from './contents.ts'
import { readDate } from './date.ts'
import { firstField, type Field } from './fields.ts'
import { defaultLimits, readTree, type Limits, type Part } from './parts.ts'

/** A message that came in, as far as it can be read. Fields that it does not have are undefined or empty. */
export interface MimeMessage extends Contents {
  /** The fields are in the order received; none is left out for being there twice. */
  readonly fields: readonly Field[]
  readonly from: Mailbox | undefined
  readonly to: readonly Mailbox[]
  readonly cc: readonly Mailbox[]
  readonly replyTo: readonly Mailbox[]
  readonly subject: string | undefined
  /** With angle brackets, as are the two after it. */
  readonly messageId: string | undefined
  readonly inReplyTo: string | undefined
  readonly references: readonly string[]
  readonly date: Date | undefined
  readonly root: Part
  /** A limit was reached and the rest left unread. */
  readonly isCut: boolean
}

/** Reads any bytes. Nothing makes it throw, and the time it takes grows with their number and with nothing else. */
export function readMimeMessage(message: Buffer, limits: Partial<Limits> = {}): MimeMessage {
  const { fields, root, isCut } = readTree(message, { ...defaultLimits, ...limits })
  const addresses = (name: string): Mailbox[] => fieldsNamed(fields, name).flatMap(({ raw }) => readAddresses(raw))
  return {
    fields,
    from: addresses('from')[0],
    to: addresses('to'),
    cc: addresses('cc'),
    replyTo: addresses('reply-to'),
    subject: firstField(fields, 'subject')?.value,
    messageId: messageIdOf(fields),
    inReplyTo: messageIds(firstField(fields, 'in-reply-to')?.raw ?? '')[0],
    references: messageIds(firstField(fields, 'references')?.raw ?? ''),
    date: readDate(firstField(fields, 'date')?.raw ?? ''),
    ...readContents(root),
    root,
    isCut,
  }
}

/** Some write it without its angle brackets. */
export function messageIdOf(fields: readonly Field[]): string | undefined {
  const raw = firstField(fields, 'message-id')?.raw ?? ''
  return messageIds(raw)[0] ?? messageIds(`<${raw.trim()}>`)[0]
}

const messageIds = (raw: string): string[] =>
  Array.from(raw.matchAll(/<[^<>]+>/g), ([id]) => parseMessageId(id.replaceAll(/\s+/g, ''))).flatMap((id) =>
    id.ok ? [id.value] : [],
  )

const fieldsNamed = (fields: readonly Field[], name: string): Field[] =>
  fields.filter((field) => field.name.toLowerCase() === name)
