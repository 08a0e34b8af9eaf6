import type { Problem } from '../../core/errors.ts'
import { parseAddress, addressKey, type Address } from '../../mail/address.ts'
import { parseContentId, parseFilename, type Attachment } from '../../mail/compose/attachment.ts'
import { contentTypeOfFile, parseContentType } from '../../mail/content-type.ts'
import { customHeaderProblems } from '../../mail/compose/custom-headers.ts'
import { breaksLine } from '../../mail/headers.ts'
import { parseMessageId } from '../../mail/message-id.ts'
import { parseMoment } from '../../core/clock.ts'
import type { Parsed } from '../../mail/parsed.ts'
import type { SendEmail } from './schema.ts'
import { MAX_RECIPIENTS, recipientKinds, type RecipientKind } from './states.ts'

/** An email of a request, parsed. */
export interface ReadEmail {
  from: Address
  recipients: { kind: RecipientKind; address: Address; key: string }[]
  replyTo: Address[]
  subject: string | undefined
  html: string | undefined
  text: string | undefined
  template: string | undefined
  /** Whether subject, html and text are templates themselves: there are variables, and no template to use them. */
  isTemplate: boolean
  variables: Record<string, unknown>
  headers: Record<string, string>
  attachments: Attachment[]
  tags: Record<string, string>
  metadata: Record<string, string>
  tracking: { opens?: boolean; clicks?: boolean }
  inReplyTo: string | undefined
  sendAt: Date | undefined
}

const LATE_MS = 5 * 60_000
const HORIZON_MS = 365 * 86_400_000

/** A batch that is written as a bare list is the same batch. */
export const readBatch = (sent: unknown): unknown => (Array.isArray(sent) ? { emails: sent } : sent)

/**
 * Reads what the shapes cannot tell. `path` goes before the path of every problem; with problems, what is returned is
 * of no use. Of an email whose shape is wrong, `body` is the part that can be read and `sent` the whole.
 */
export function readEmail(
  body: Partial<SendEmail>,
  path: string,
  now: number,
  sent: object = body,
): { email: ReadEmail; problems: Problem[] } {
  const lacks = (...names: (keyof SendEmail)[]): boolean => names.every((name) => !(name in sent))
  const reader = new Reader(path)
  const from = body.from === undefined ? NOBODY : reader.address('/from', body.from)
  const recipients = reader.recipients(body)
  const replyTo = reader.addresses('/replyTo', body.replyTo)
  if (lacks('html', 'text', 'templateId')) {
    reader.problem('/html', 'is required, unless there is a text or a templateId')
  }
  if (lacks('subject', 'templateId')) reader.problem('/subject', 'is required, unless there is a templateId')
  if (breaksLine(body.subject ?? '')) reader.problem('/subject', 'must not contain CR, LF or NUL')
  for (const { name, problem } of customHeaderProblems(body.headers ?? {})) {
    reader.problem(name === undefined ? '/headers' : `/headers/${name}`, problem)
  }
  const email = {
    from,
    recipients,
    replyTo,
    subject: body.subject,
    html: body.html,
    text: body.text,
    template: body.templateId,
    isTemplate: body.variables !== undefined && body.templateId === undefined,
    variables: body.variables ?? {},
    headers: body.headers ?? {},
    attachments: reader.attachments(body.attachments ?? []),
    tags: body.tags ?? {},
    metadata: body.metadata ?? {},
    tracking: body.tracking ?? {},
    inReplyTo: body.inReplyTo === undefined ? undefined : reader.take('/inReplyTo', parseMessageId(body.inReplyTo), ''),
    sendAt: body.sendAt === undefined ? undefined : reader.sendAt('/sendAt', body.sendAt, now),
  }
  return { email, problems: reader.problems }
}

/** Reads a time to send at, which must not be too far away; `path` names the field for the refusal. */
export function readSendAt(text: string, path: string, now: number): { sendAt: Date; problems: Problem[] } {
  const reader = new Reader('')
  return { sendAt: reader.sendAt(path, text, now), problems: reader.problems }
}

const NOBODY: Address = { name: '', local: '', domain: '', email: '', needsSmtpUtf8: false }

class Reader {
  readonly problems: Problem[] = []
  readonly #prefix: string

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  problem(path: string, message: string): void {
    this.problems.push({ path: `${this.#prefix}${path}`, message })
  }

  take<T>(path: string, parsed: Parsed<T>, otherwise: T): T {
    if (parsed.ok) return parsed.value
    this.problem(path, parsed.problem)
    return otherwise
  }

  address(path: string, text: string): Address {
    return this.take(path, parseAddress(text), NOBODY)
  }

  addresses(path: string, given: string | string[] | undefined): Address[] {
    if (given === undefined) return []
    if (typeof given === 'string') return [this.address(path, given)]
    return given.map((text, i) => this.address(`${path}/${i}`, text))
  }

  /** The same person in several places is mailed once, for the first of them. */
  recipients(body: Partial<SendEmail>): ReadEmail['recipients'] {
    const byKey = new Map<string, ReadEmail['recipients'][number]>()
    for (const kind of recipientKinds) {
      for (const address of this.addresses(`/${kind}`, body[kind])) {
        const key = addressKey(address)
        if (!byKey.has(key)) byKey.set(key, { kind, address, key })
      }
    }
    if (byKey.size > MAX_RECIPIENTS) {
      this.problem(
        '/to',
        `must not name more than ${MAX_RECIPIENTS} recipients, counted with cc and bcc; send several emails instead`,
      )
    }
    return [...byKey.values()]
  }

  attachments(given: NonNullable<SendEmail['attachments']>): Attachment[] {
    return given.map(({ filename, content, contentType, contentId, disposition }, i) => {
      const path = `/attachments/${i}`
      const name = this.take(`${path}/filename`, parseFilename(filename), '')
      const fallback = contentTypeOfFile(filename)
      return {
        filename: name,
        content: this.#bytes(`${path}/content`, content),
        contentType:
          contentType === undefined
            ? fallback
            : this.take(`${path}/contentType`, parseContentType(contentType), fallback),
        ...(contentId === undefined
          ? {}
          : { contentId: this.take(`${path}/contentId`, parseContentId(contentId), '') }),
        disposition: disposition ?? (contentId === undefined ? 'attachment' : 'inline'),
      }
    })
  }

  sendAt(path: string, text: string, now: number): Date {
    const moment = parseMoment(text)
    if (moment === undefined) this.problem(path, 'is not a date and time that exists')
    else if (moment.getTime() < now - LATE_MS)
      this.problem(path, 'is more than five minutes in the past; leave it out to send at once')
    else if (moment.getTime() > now + HORIZON_MS)
      this.problem(path, 'is more than 365 days ahead, and can be 365 at most')
    return moment ?? new Date(now)
  }

  /** Node's own decoder takes anything; half an attachment would go out as if it were whole. */
  #bytes(path: string, base64: string): Buffer {
    const text = /[\r\n]/.test(base64) ? base64.replaceAll(/\r?\n/g, '') : base64
    if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
      this.problem(path, 'is not base64; send the bytes of the file in base64 and nothing else')
    return Buffer.from(text, 'base64')
  }
}
