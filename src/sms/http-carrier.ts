/**
 * A carrier with an HTTP API like Twilio's. It splits texts by itself, so that a message is one request; and it has no
 * way to make a request twice safely, so that one that went out without an answer is ambiguous.
 */
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Poster } from '../net/post.ts'
import type { CarrierAdapter, CarrierCaps, CarrierHealth, CarrierSink, LookupQuestion } from './carrier.ts'
import type { PartSubmit, Receipt, SubmitOutcome } from './carrier.ts'
import * as answers from './http-answers.ts'
import { isSigned } from './http-signature.ts'

export interface HttpCarrierOptions {
  /** Log lines have this name. */
  name: string
  /** The URL of `https://api.twilio.com`, or of another provider with the same API. */
  baseUrl: string
  accountSid: string
  authToken: string
  /** Sends from a pool of numbers instead of the sender's own. */
  messagingServiceSid?: string | undefined
  /** Where callbacks reach us, as the provider writes it, without the last word. Undefined where they are off. */
  callbackUrl?: string | undefined
  maxPartsPerSecond: number
  window?: number | undefined
  repliesToStop?: boolean | undefined
  poster: Pick<Poster, 'post' | 'get'>
  clock: Clock
  log: Log
}

export interface Callback {
  kind: 'status' | 'inbound'
  /** The query follows the `?`; the signature covers it. */
  query?: string | undefined
  signature: string | undefined
  /** The body is form-encoded. */
  body: Buffer
}

/** The provider gets this reply. */
export interface CallbackReply {
  status: 200 | 204 | 400 | 403 | 404 | 503
  contentType?: string
  body?: string
}

const WINDOW = 20
const MAX_ANSWER = 16 * 1024
const MAX_LIST = 256 * 1024
const LISTED = 50

export class HttpCarrier implements CarrierAdapter {
  readonly kind = 'http'
  readonly caps: CarrierCaps
  readonly #options: HttpCarrierOptions
  readonly #running = new Set<Promise<unknown>>()
  #health: CarrierHealth
  #sink: CarrierSink | undefined

  constructor(options: HttpCarrierOptions) {
    this.#options = options
    this.#health = { state: 'down', since: new Date(options.clock.now()) }
    this.caps = {
      splitsItself: true,
      repliesToStop: options.repliesToStop ?? true,
      concatRef: 8,
      maxPartsPerSecond: options.maxPartsPerSecond,
      window: options.window ?? WINDOW,
    }
  }

  async start(sink: CarrierSink): Promise<void> {
    this.#sink = sink
    this.#become('up')
  }

  submit(part: PartSubmit, signal: AbortSignal): Promise<SubmitOutcome> {
    const outcome = this.#offer(part, signal)
    this.#running.add(outcome)
    return outcome.finally(() => this.#running.delete(outcome))
  }

  async lookup({ providerId, to, from, after, text, known = new Set() }: LookupQuestion): Promise<Receipt | undefined> {
    if (providerId !== undefined) {
      const message = await this.#get(`/${encodeURIComponent(providerId)}.json`, MAX_ANSWER)
      return message === undefined ? undefined : answers.receiptOfMessage(message)
    }
    if (text === undefined) return undefined
    // Days are as fine as the provider filters.
    const since = after.toISOString().slice(0, 10)
    const filter = new URLSearchParams({ To: to, ...this.#fromFilter(from.value), 'DateSent>': since })
    const list = await this.#get(`.json?${filter.toString()}&PageSize=${LISTED}`, MAX_LIST)
    return list === undefined ? undefined : answers.receiptInList(list, { after, text, known })
  }

  /** Handles a request of the provider to us. The answer is sent only after its news is committed. */
  async callback({ kind, query, signature, body }: Callback): Promise<CallbackReply> {
    const { callbackUrl, authToken } = this.#options
    const sink = this.#sink
    if (callbackUrl === undefined || sink === undefined) return { status: 404 }
    const parameters = new URLSearchParams(body.toString('utf8'))
    // The signature is checked with our own address, not the one in the request: proxies rewrite that, and clients
    // choose it.
    const url = `${callbackUrl}/${kind}${query ? `?${query}` : ''}`
    if (signature === undefined || !isSigned(signature, authToken, url, parameters)) return { status: 403 }
    return kind === 'status' ? this.#hearStatus(parameters, sink) : this.#hearInbound(parameters, sink)
  }

  health(): CarrierHealth {
    return this.#health
  }

  async stop(drainMs: number): Promise<void> {
    this.#sink = undefined
    let timer: NodeJS.Timeout | undefined
    const late = new Promise((resolve) => void (timer = setTimeout(resolve, drainMs)))
    await Promise.race([Promise.allSettled(this.#running), late])
    clearTimeout(timer)
    this.#become('down')
  }

  async #offer(part: PartSubmit, signal: AbortSignal): Promise<SubmitOutcome> {
    const notNow: SubmitOutcome = { ok: false, kind: 'transient', errorCode: 'internal' }
    if (this.#sink === undefined || signal.aborted) return notNow
    const seconds = Math.floor((part.validUntil.getTime() - this.#options.clock.now()) / 1000)
    if (seconds < 1) return { ok: false, kind: 'permanent', errorCode: 'expired' }
    const posted = await this.#options.poster.post({
      url: this.#url('.json'),
      headers: { ...this.#authorization(), 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(this.#form(part, seconds).toString()),
      mostKept: MAX_ANSWER,
    })
    if (posted.kind === 'failed') {
      this.#become('connecting', posted.reason)
      return posted.sent ? { ok: false, kind: 'ambiguous' } : notNow
    }
    this.#judge(posted.status)
    return answers.outcomeOf(posted)
  }

  #form(part: PartSubmit, seconds: number): URLSearchParams {
    const { callbackUrl } = this.#options
    return new URLSearchParams({
      To: part.to,
      ...this.#sender(part.from.value),
      Body: part.text,
      ValidityPeriod: String(Math.min(seconds, MAX_VALIDITY_SECONDS)),
      // Otherwise the provider changes the text, and with it the number of segments that we have billed.
      SmartEncoded: 'false',
      ...(callbackUrl === undefined ? {} : { StatusCallback: `${callbackUrl}/status` }),
    })
  }

  #sender(from: string): Record<string, string> {
    const { messagingServiceSid } = this.#options
    return messagingServiceSid === undefined ? { From: from } : { MessagingServiceSid: messagingServiceSid }
  }

  /** With a pool the provider chooses the number, so that it cannot be searched by. */
  #fromFilter(from: string): Record<string, string> {
    return this.#options.messagingServiceSid === undefined ? { From: from } : {}
  }

  async #get(path: string, mostKept: number): Promise<string | undefined> {
    const posted = await this.#options.poster.get({ url: this.#url(path), headers: this.#authorization(), mostKept })
    return posted.kind === 'answered' && posted.status === 200 ? posted.text : undefined
  }

  #url(rest: string): URL {
    const { baseUrl, accountSid } = this.#options
    return new URL(
      `${baseUrl.replace(/\/+$/, '')}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages${rest}`,
    )
  }

  #authorization(): Record<string, string> {
    const { accountSid, authToken } = this.#options
    return { authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}` }
  }

  async #hearStatus(parameters: URLSearchParams, sink: CarrierSink): Promise<CallbackReply> {
    const receipt = answers.receiptOfCallback(parameters)
    if (receipt === undefined) return { status: 400 }
    return (await this.#kept(() => sink.receipt(receipt))) ? { status: 204 } : { status: 503 }
  }

  async #hearInbound(parameters: URLSearchParams, sink: CarrierSink): Promise<CallbackReply> {
    const part = answers.inboundOfCallback(parameters)
    if (part === undefined) return { status: 400 }
    if (!(await this.#kept(() => sink.inbound(part)))) return { status: 503 }
    // The reply to the callback is empty: our answer is a message of its own.
    return { status: 200, contentType: 'text/xml', body: '<?xml version="1.0" encoding="UTF-8"?><Response/>' }
  }

  async #kept(keep: () => Promise<void>): Promise<boolean> {
    try {
      await keep()
      return true
    } catch (error) {
      // The log has only the kind of error: its message may quote a number.
      const kind = error instanceof Error ? error.name : typeof error
      this.#options.log.error({ connection: this.#options.name, kind }, 'carrier callback not stored')
      return false
    }
  }

  #judge(status: number): void {
    if (answers.isMisconfigured(status)) this.#become('misconfigured', `the provider answers ${status}`)
    else if (status < 500) this.#become('up')
  }

  #become(state: CarrierHealth['state'], lastError?: string): void {
    const { clock, log, name } = this.#options
    const isNew = state !== this.#health.state
    this.#health = { state, since: isNew ? new Date(clock.now()) : this.#health.since, lastError }
    if (!isNew) return
    if (state === 'misconfigured') log.error({ connection: name, reason: lastError }, 'carrier authentication failed')
    else log.info({ connection: name, state, reason: lastError }, 'carrier connection changed')
  }
}

/** Every provider of this kind accepts this value; some accept more. */
const MAX_VALIDITY_SECONDS = 14_400
