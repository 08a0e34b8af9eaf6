/** Makes the bytes of a message for a due recipient: the same bytes on every attempt. */
import { encodeId } from '../../core/ids.ts'
import { returnPathHost, signReference } from '../../core/mail-reference.ts'
import type { TokenKeys } from '../../core/token.ts'
import { Batch } from '../../dispatch/batch.ts'
import { domainOf } from '../../mail/address.ts'
import { composeBody, type ComposedBody } from '../../mail/compose/body.ts'
import { signatures } from '../../mail/compose/dkim.ts'
import { headBytes, needsSmtpUtf8, type Header } from '../../mail/headers.ts'
import { composeHeaders } from '../../mail/compose/message-headers.ts'
import type { Domains } from '../../resources/domains/index.ts'
import { LARGE_BYTES, type Content, type Deliveries, type DueDelivery } from '../../resources/emails/index.ts'
import { LruCache } from './lru-cache.ts'
import type { Links } from './links.ts'
import { isMailing, isPersonal, personalParts } from './personal.ts'
import type { Spool } from './spool.ts'

export interface Message {
  returnPath: string
  /** The size in bytes; for a large message a little more than it has. */
  size: number
  eightBit: boolean
  content(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

export interface MessagesOptions {
  deliveries: Deliveries
  domains: Domains
  /** They sign what comes back to us: the return path of bounces, a header of complaints. One signature serves both. */
  tokenKeys: TokenKeys
  links: Links
  spool: Spool
  hostname: string
  /**
   * The name of this installation in `Feedback-ID`: 5 to 15 characters that no other sender uses. All nodes use the
   * same, since mail that is repeated by another node has to have the same bytes.
   */
  senderId: string
}

const MAX_HEAD_BYTES = 16 * 1024
/** Only the size of the source of a personal message is known; filled in and encoded the message is larger. */
const MAX_GROWTH = 2
const KEPT_BYTES = 32 * 1024 * 1024

export class Messages {
  readonly #options: MessagesOptions
  readonly #contents: Batch<string, Content | undefined>
  readonly #bodies = new LruCache<{ content: Content; body?: ComposedBody }>(KEPT_BYTES)

  constructor(options: MessagesOptions) {
    this.#options = options
    this.#contents = new Batch((ids) => options.deliveries.contents(ids), { most: 100, gatherMs: 1 })
  }

  async compose(due: DueDelivery): Promise<Message> {
    const token = signReference(this.#options.tokenKeys, 'recipient', due)
    const kept = this.#bodies.get(due.contentId)
    const content = kept?.content ?? (await this.#contentOf(due.contentId))
    if (content.size >= LARGE_BYTES) return this.#large(due, token, content)
    if (isPersonal(due, content)) return this.#personal(due, token, content)
    const body = kept?.body ?? (await this.#bodyOf(due, content))
    const headers = this.#headers(due, token, content, body.contentHeaders)
    const head = headBytes([...(await this.#sign(due, headers, body.bodyHash)), ...headers])
    return {
      returnPath: returnPath(due, token),
      size: head.length + body.body.length,
      eightBit: needsSmtpUtf8(headers),
      content: () => [head, body.body],
    }
  }

  /** The whole message at once, for somebody who wants to read it. */
  async bytes(due: DueDelivery): Promise<Buffer> {
    const token = signReference(this.#options.tokenKeys, 'recipient', due)
    return Buffer.concat(await this.#whole(due, token, await this.#contentOf(due.contentId)))
  }

  /** A message that is filled in or has links of its own goes to one recipient. Its source is cached. */
  async #personal(due: DueDelivery, token: string, content: Content): Promise<Message> {
    if (isShared(due)) this.#bodies.set(content.id, { content }, content.size)
    const { headers, body } = await this.#compose(due, token, content)
    const head = headBytes([...(await this.#sign(due, headers, body.bodyHash)), ...headers])
    return {
      returnPath: returnPath(due, token),
      size: head.length + body.body.length,
      eightBit: needsSmtpUtf8(headers),
      content: () => [head, body.body],
    }
  }

  async #compose(
    due: DueDelivery,
    token: string,
    content: Content,
  ): Promise<{ headers: Header[]; body: ComposedBody }> {
    const { deliveries, links } = this.#options
    if (!isPersonal(due, content)) {
      const body = await bodyOf(content)
      return { headers: this.#headers(due, token, content, body.contentHeaders), body }
    }
    const parts = await personalParts(due, content, deliveries, links)
    const attachments = content.hasAttachments ? await content.attachments() : []
    const body = composeBody({ text: parts.text, html: parts.html, attachments }, due.emailId)
    return { headers: this.#headers(due, token, { ...content, subject: parts.subject }, body.contentHeaders), body }
  }

  /** A large message is composed when its receiver is ready, and not kept in memory: a few hundred may be in hand. */
  #large(due: DueDelivery, token: string, content: Content): Message {
    const size = (isPersonal(due, content) ? MAX_GROWTH * content.size : content.size) + MAX_HEAD_BYTES
    return {
      returnPath: returnPath(due, token),
      size,
      // Bodies are always 7-bit, so that the header fields alone decide it.
      eightBit: needsSmtpUtf8(this.#headers(due, token, content, [])),
      content: () => this.#options.spool.pieces(size, () => this.#whole(due, token, content)),
    }
  }

  async #whole(due: DueDelivery, token: string, content: Content): Promise<Buffer[]> {
    const { headers, body } = await this.#compose(due, token, content)
    return [headBytes([...(await this.#sign(due, headers, body.bodyHash)), ...headers]), body.body]
  }

  async #contentOf(id: string): Promise<Content> {
    const content = await this.#contents.add(id)
    if (content === undefined) throw new Error(`the content ${id} is gone`)
    return content
  }

  async #bodyOf(due: DueDelivery, content: Content): Promise<ComposedBody> {
    const body = await bodyOf(content)
    if (isShared(due))
      this.#bodies.set(content.id, { content: { ...content, html: null, text: null }, body }, body.body.length)
    return body
  }

  #headers(due: DueDelivery, token: string, content: Content, contentHeaders: readonly Header[]): Header[] {
    const { from, replyTo, recipients } = due.addresses
    const named = (kind: 'to' | 'cc') => recipients.filter((one) => one.kind === kind)
    return composeHeaders(
      {
        from,
        to: named('to'),
        cc: named('cc'),
        replyTo,
        subject: content.subject,
        date: due.date,
        messageId: this.#options.deliveries.messageId(due),
        inReplyTo: due.options.inReplyTo ?? undefined,
        unsubscribe: isMailing(content) ? { url: this.#options.links.unsubscribe(due) } : undefined,
        feedbackId: feedbackId(due, this.#options.senderId),
        complaints: this.#complaints(due, token),
        custom: content.headers,
      },
      contentHeaders,
    )
  }

  /** A hostname without a dot cannot be reached from outside. */
  #complaints({ domainId }: DueDelivery, token: string) {
    const { hostname } = this.#options
    return hostname.includes('.') && domainId !== null ? { address: `fbl@${hostname}`, reference: token } : undefined
  }

  async #sign(due: DueDelivery, headers: readonly Header[], bodyHash: string): Promise<Header[]> {
    if (due.domainId === null) return []
    const keys = await this.#options.domains.signingKeys(due.domainId)
    // The signature has the date of the message: another attempt must not make another signature.
    return signatures({ headers, bodyHash, at: due.date }, keys)
  }
}

/**
 * Other recipients get it, too. Only then it is cached: thousands of single messages would burden the garbage
 * collector.
 */
const isShared = ({ addresses, broadcastId, runId }: DueDelivery): boolean =>
  addresses.recipients.length > 1 || broadcastId !== null || runId !== null

const bodyOf = async (content: Content): Promise<ComposedBody> =>
  composeBody(
    {
      text: content.text ?? undefined,
      html: content.html ?? undefined,
      attachments: content.hasAttachments ? await content.attachments() : [],
    },
    content.id,
  )

/** Each recipient has a return path of its own, signed: a bounce to it comes from a server that saw the envelope. */
const returnPath = ({ addresses: { from } }: DueDelivery, token: string): string =>
  `b+${token}@${returnPathHost(domainOf(from.email))}`

/** Gmail reads four parts: the last names the sender of all of it, the others are free. */
function feedbackId({ projectId, broadcastId, runId }: DueDelivery, senderId: string): string {
  const campaign = broadcastId === null ? '' : encodeId('brd', broadcastId)
  const kind = broadcastId !== null ? 'broadcast' : runId !== null ? 'automation' : 'transactional'
  return `${campaign}:${encodeId('prj', projectId)}:${kind}:${senderId}`
}
