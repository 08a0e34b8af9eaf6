import { createHash, createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { bytesOf } from '../core/answer-bytes.ts'
import { backoffMs, type Backoff } from '../core/backoff.ts'
import { systemClock, type Clock } from '../core/clock.ts'
import { SetupError } from '../core/errors.ts'

export interface S3Settings {
  /**
   * The endpoint is like `https://s3.eu-central-1.amazonaws.com` or `http://minio:9000`; the bucket follows as the
   * first part of the path.
   */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** The prefix stands before every key, e.g. `posthouse/`. Everything below it belongs to us. */
  prefix?: string
}

export interface S3Options {
  fetch?: typeof fetch
  clock?: Clock
  sleep?: (ms: number) => Promise<unknown>
  random?: () => number
  /** The time-out is for one attempt, with the transfer of the bytes. */
  timeoutMs?: number
}

/** The store refused, or could not be reached. The message holds what it answered and no credentials. */
export class S3Error extends Error {
  /** The request may succeed later as it is; otherwise an operator has to change settings or permissions. */
  readonly unavailable: boolean

  constructor(message: string, unavailable: boolean) {
    super(message)
    this.name = 'S3Error'
    this.unavailable = unavailable
  }
}

const ATTEMPTS = 4
const BACKOFF: Backoff = { first: 100, most: 2_000, spread: 0.5 }
/** Twice of what any message can have. */
const MAX_BLOB = 64 * 1024 * 1024
/** A list has a thousand keys of a kilobyte each, at the very most; everything else is a few words. */
const MAX_ANSWER = 4 * 1024 * 1024

interface Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  key?: string
  query?: Record<string, string>
  body?: Buffer
  /** The hash of the body is in hex. The store compares it with what arrives. */
  sha256?: string
}

interface Answer {
  kind: 'answer'
  status: number
  headers: Headers
  body: Buffer
}

type Attempt = Answer | { kind: 'unreachable'; detail: string }

/** One bucket of any S3-compatible store: the five requests that blobs need. */
export class S3Bucket {
  readonly #settings: S3Settings
  readonly #base: string
  readonly #prefix: string
  readonly #options: Required<S3Options>

  constructor(settings: S3Settings, options: S3Options = {}) {
    refuseUnusable(settings)
    this.#settings = settings
    this.#base = `${settings.endpoint.replace(/\/+$/, '')}/${settings.bucket}`
    this.#prefix = settings.prefix ?? ''
    const defaults = { fetch, clock: systemClock, sleep: wait, random: Math.random, timeoutMs: 30_000 }
    this.#options = { ...defaults, ...options }
  }

  async put(key: string, body: Buffer, sha256: string): Promise<void> {
    if (body.length > MAX_BLOB) throw new Error('a blob that could be stored, but not be read again')
    const request: Request = { method: 'PUT', key, body, sha256 }
    const answer = await this.#expect(request)
    // A store answers a put with an empty body. A proxy that answers every request with a page has stored nothing.
    if (answer.body.length > 0) throw this.#error(request, `${answer.status} with a page that no store has`, true)
  }

  async get(key: string): Promise<Buffer | undefined> {
    return (await this.#find({ method: 'GET', key }))?.body
  }

  async head(key: string): Promise<Headers | undefined> {
    return (await this.#find({ method: 'HEAD', key }))?.headers
  }

  async delete(key: string): Promise<void> {
    await this.#find({ method: 'DELETE', key })
  }

  /**
   * Keys come in ascending order. They have no character that XML would escape, so the list is read without a parser.
   */
  async *keys(): AsyncIterable<string> {
    for (let last: string | undefined = ''; last !== undefined;) {
      const query: Record<string, string> = { 'list-type': '2', prefix: this.#prefix }
      if (last) query['start-after'] = last
      const xml = (await this.#expect({ method: 'GET', query })).body.toString()
      const keys: string[] = [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key]) => key ?? '')
      for (const key of keys) yield key.slice(this.#prefix.length)
      const next: string | undefined = xml.includes('<IsTruncated>true<') ? keys.at(-1) : undefined
      // A store that does not know `start-after` would tell its first page for ever.
      if (next !== undefined && next <= last) throw this.#error({ method: 'GET' }, 'its list goes back', false)
      last = next
    }
  }

  /** Undefined when there is no such object; a bucket that is missing is a wrong setting instead. */
  async #find(request: Request): Promise<Answer | undefined> {
    const answer = await this.#request(request)
    if (answer.status === 404 && errorIn(answer).code !== 'NoSuchBucket') return undefined
    return this.#successful(answer, request)
  }

  async #expect(request: Request): Promise<Answer> {
    return this.#successful(await this.#request(request), request)
  }

  #successful(answer: Answer, request: Request): Answer {
    if (answer.status >= 200 && answer.status < 300) return answer
    const { code, message } = errorIn(answer)
    throw this.#error(request, `${answer.status} ${code} ${message}`.trim(), isPassing(answer))
  }

  /** All of our requests can be repeated: the same key always holds the same bytes. */
  async #request(request: Request): Promise<Answer> {
    const { sleep, random } = this.#options
    for (let attempt = 0; ; attempt++) {
      const result = await this.#attempt(request)
      const isLast = attempt === ATTEMPTS - 1
      if (result.kind === 'answer' && (isLast || !isPassing(result))) return result
      if (result.kind === 'unreachable' && isLast) throw this.#error(request, result.detail, true)
      await sleep(backoffMs(attempt, BACKOFF, random))
    }
  }

  async #attempt({ method, key, query, body = Buffer.alloc(0), sha256 = hashHex(body) }: Request): Promise<Attempt> {
    const { fetch, clock, timeoutMs } = this.#options
    const url = new URL(this.#urlOf(key))
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
    const headers = sign({ method, url, headers: {}, sha256 }, this.#settings, new Date(clock.now()))
    try {
      const response = await fetch(url, {
        method,
        headers,
        redirect: 'manual', // A signature holds for one host; elsewhere it would only tell them our key id.
        signal: AbortSignal.timeout(timeoutMs),
        ...(method === 'PUT' ? { body } : {}),
      })
      const bytes = await bytesOf(response, method === 'GET' && key !== undefined ? MAX_BLOB : MAX_ANSWER)
      return { kind: 'answer', status: response.status, headers: response.headers, body: bytes }
    } catch (error) {
      return { kind: 'unreachable', detail: reasonOf(error) }
    }
  }

  #urlOf(key?: string): string {
    return key === undefined ? this.#base : `${this.#base}/${this.#prefix}${key}`
  }

  #error({ method, key }: Request, detail: string, unavailable: boolean): S3Error {
    const { accessKeyId, secretAccessKey } = this.#settings
    // Some stores quote the request back at us.
    const clean = detail.replaceAll(secretAccessKey, '***').replaceAll(accessKeyId, '***').slice(0, 500)
    return new S3Error(`The blob store failed on ${method} ${this.#urlOf(key)}: ${clean}`, unavailable)
  }
}

function refuseUnusable({ endpoint, bucket, region, accessKeyId, secretAccessKey, prefix = '' }: S3Settings): void {
  const url = URL.parse(endpoint)
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash
  const problems = [
    isPlain ? '' : 'the endpoint must be an http or https URL without credentials and query',
    /^[a-z0-9][a-z0-9._-]+$/i.test(bucket) ? '' : 'the bucket has no valid name',
    /^[a-z0-9-]+$/i.test(region) ? '' : 'the region has no valid name (for most stores but AWS us-east-1 will do)',
    /^[!-~]+$/.test(accessKeyId) && /^[!-~]+$/.test(secretAccessKey) ? '' : 'access key id and secret must be ASCII',
    /^([\w-][\w.-]*\/)*([\w-][\w.-]*)?$/.test(prefix) ? '' : 'the prefix may hold letters, digits and . _ - / only',
  ].filter((problem) => problem !== '')
  if (problems.length > 0) throw new SetupError(`The S3 settings do not work: ${problems.join('; ')}.`)
}

/** 429 and 503 ask us to slow down; 408, or in AWS's words a 400 RequestTimeout, says that our bytes came too slowly. */
const isPassing = (answer: Answer): boolean =>
  answer.status >= 500 ||
  [408, 429].includes(answer.status) ||
  (answer.status === 400 && errorIn(answer).code === 'RequestTimeout')

/** Only these two elements are read: a refused signature comes with everything that was signed. */
function errorIn({ body }: Answer): { code: string; message: string } {
  const xml = body.subarray(0, 10_000).toString()
  return {
    code: /<Code>([^<]*)<\/Code>/.exec(xml)?.[1] ?? '',
    message: /<Message>([^<]*)<\/Message>/.exec(xml)?.[1] ?? '',
  }
}

/** The message of `fetch` only says "fetch failed"; the cause has the reason. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'no answer in time'
  return error.cause instanceof Error ? error.cause.message : error.message
}

/** Signs with AWS Signature Version 4 and returns the headers to send, the given ones included. */
export function sign(
  { method, url, headers, sha256 }: { method: string; url: URL; headers: Record<string, string>; sha256: string },
  { accessKeyId, secretAccessKey, region }: Pick<S3Settings, 'accessKeyId' | 'secretAccessKey' | 'region'>,
  at: Date,
): Record<string, string> {
  const time = at.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const day = time.slice(0, 8)
  const scope = `${day}/${region}/s3/aws4_request`
  const sent = { ...headers, 'x-amz-content-sha256': sha256, 'x-amz-date': time }
  const signed = Object.entries({ ...sent, host: url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replaceAll(/ +/g, ' ')] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('')
  const canonical = [method, canonicalPath(url), canonicalQuery(url), lines, names, sha256].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', time, scope, hashHex(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  const signature = hmac(key, toSign).toString('hex')
  const credential = `${accessKeyId}/${scope}`
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`
  return { ...sent, authorization }
}

const canonicalPath = (url: URL): string =>
  url.pathname
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/')

const canonicalQuery = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')

/** RFC 3986 §2.3 encodes everything but the unreserved characters; encodeURIComponent leaves five more. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const hashHex = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')
