/**
 * Makes HTTP requests to URLs that customers chose. They use our own connector: our DNS, the egress filter on the very
 * address that is connected to, verified certificates. Redirects are not followed, nothing is decompressed, and only
 * the needed part of the answer is read.
 */
import { isIP, type Socket } from 'node:net'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import { dialName, reasonOf, secure } from './dial.ts'
import type { Dns } from './dns.ts'
import type { Egress } from './egress.ts'

export interface PosterOptions {
  dns: Dns
  egress: Egress
  /** Certificates of authorities instead of those that Node knows. */
  authorities?: readonly string[]
  /** The time-out covers everything: lookup, connection, request and answer. */
  timeoutMs: number
}

export interface Question {
  url: URL
  headers: Readonly<Record<string, string>>
  /** Octets of the answer's body that are wanted, where the beginning is not enough. */
  mostKept?: number
}

export interface Parcel extends Question {
  body: Buffer
}

export type Posted = { ms: number } & (
  | {
      kind: 'answered'
      status: number
      retryAfter: string | undefined
      /** The text is the beginning of the body. */
      text: string
    }
  | {
      kind: 'failed'
      reason: string
      /** The request may have arrived. False when nothing of it has left us. */
      sent: boolean
    }
)

const MAX_READ = 64 * 1024
const MAX_KEPT = 1024

/** A connection stays open this long for the next request, if the other side does not say otherwise. */
const KEEP_ALIVE_MS = 4_000

export class Poster {
  readonly #options: PosterOptions
  #agent: Promise<Agent> | undefined

  constructor(options: PosterOptions) {
    this.#options = options
  }

  post({ body, ...question }: Parcel): Promise<Posted> {
    return this.#ask(question, { method: 'POST', body })
  }

  get(question: Question): Promise<Posted> {
    return this.#ask(question, { method: 'GET', body: null })
  }

  async #ask({ url, headers, mostKept = MAX_KEPT }: Question, request: Request): Promise<Posted> {
    const agent = await (this.#agent ??= this.#makeAgent())
    const startedAt = performance.now()
    return new Promise((resolve) => {
      const conversation = new Conversation(mostKept, (end) => {
        clearTimeout(timer)
        resolve({ ...end, ms: performance.now() - startedAt })
      })
      const timer = setTimeout(() => conversation.end('no answer in time'), this.#options.timeoutMs)
      agent.dispatch(
        { origin: url.origin, path: url.pathname + url.search, headers, ...request, idempotent: false },
        conversation,
      )
    })
  }

  async stop(): Promise<void> {
    await (await this.#agent)?.destroy()
  }

  async #makeAgent(): Promise<Agent> {
    // undici is loaded when it is first needed: it would take a tenth of the memory of a worker that posts nothing.
    const { Agent } = await import('undici')
    return new Agent({
      connect: (asked, done) =>
        void this.#connect(asked).then(
          (socket) => done(null, socket),
          (error) => done(error, null),
        ),
      keepAliveTimeout: KEEP_ALIVE_MS,
      // There is one timer for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  async #connect({ hostname, protocol, port }: buildConnector.Options): Promise<Socket> {
    const { dns, egress, timeoutMs, authorities } = this.#options
    const host = hostname.replace(/^\[|\]$/g, '')
    const isSecure = protocol === 'https:'
    const dialled = await dialName({ host, port: Number(port || (isSecure ? 443 : 80)) }, { dns, egress, timeoutMs })
    if (dialled.kind === 'forbidden') throw new Error('this address is not on the public internet; we may not go there')
    if (dialled.kind === 'failed') throw new Error(dialled.reason)
    if (!isSecure) return dialled.socket
    const verified = {
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ALPNProtocols: ['http/1.1'],
      ...(authorities ? { ca: [...authorities] } : {}),
    }
    const secured = await secure(dialled.socket, verified, timeoutMs)
    if (secured.kind === 'failed') throw new Error(secured.reason)
    return secured.socket
  }
}

type Request = Pick<Dispatcher.DispatchOptions, 'method' | 'body'>

type End = Posted extends infer P ? (P extends { ms: number } ? Omit<P, 'ms'> : never) : never

/** One request from its start to its answer or failure. */
class Conversation implements Dispatcher.DispatchHandler {
  readonly #mostKept: number
  readonly #onEnd: (end: End) => void
  readonly #kept: Buffer[] = []
  #controller: Dispatcher.DispatchController | undefined
  #answer: { status: number; retryAfter: string | undefined } | undefined
  #read = 0
  #ended = false

  constructor(mostKept: number, onEnd: (end: End) => void) {
    this.#mostKept = mostKept
    this.#onEnd = onEnd
  }

  /** A received status counts, whatever happens after it. */
  end(reason: string): void {
    if (this.#ended) return
    this.#ended = true
    // Before `onRequestStart` no connection has carried the request, so nothing was sent.
    if (this.#answer === undefined) this.#onEnd({ kind: 'failed', reason, sent: this.#controller !== undefined })
    else this.#onEnd({ kind: 'answered', ...this.#answer, text: this.#text })
    this.#controller?.abort(new Error(reason))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#ended) controller.abort(new Error('not wanted any more'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 100 to 199 announce the answer, and are none.
    if (status < 200) return
    const retryAfter = headers['retry-after']
    this.#answer = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#read < this.#mostKept) this.#kept.push(Buffer.from(chunk.subarray(0, this.#mostKept - this.#read)))
    this.#read += chunk.length
    if (this.#read > Math.max(MAX_READ, this.#mostKept)) this.end('enough')
  }

  onResponseEnd(): void {
    if (this.#ended || this.#answer === undefined) return
    this.#ended = true
    this.#onEnd({ kind: 'answered', ...this.#answer, text: this.#text })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.end(reasonOf(error))
  }

  get #text(): string {
    return Buffer.concat(this.#kept).toString('utf8')
  }
}
