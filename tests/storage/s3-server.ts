import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'

/** What the server does instead of answering well. `swallow` never answers, `hang up` answers half. */
export type Fault = { status: number; xml?: string; location?: string } | 'close' | 'hang up' | 'swallow' | 'corrupt'

export interface S3ServerSettings {
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  clock: { now(): number }
  /** As a real store does, it may list fewer keys at once than asked for. */
  pageSize: number
}

interface Refusal {
  status: number
  code: string
  message: string
  extra?: string
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

/**
 * An S3 store in memory, over real HTTP. It shares no line with ours: the signature of every request is computed anew
 * from the bytes that came in.
 */
export class S3Server {
  readonly objects = new Map<string, { bytes: Buffer; modified: number }>()
  readonly requests: string[] = []
  readonly #faults: Fault[] = []
  readonly #settings: S3ServerSettings
  readonly #http = createServer((request, response) => void this.#handle(request, response))

  constructor(settings: S3ServerSettings) {
    this.#settings = settings
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#http.close(resolve))
    this.#http.closeAllConnections()
    await closed
  }

  /** For the next requests, one each. */
  misbehave(...faults: Fault[]): void {
    this.#faults.push(...faults)
  }

  /** Forgets what was asked and what was still to go wrong; the objects stay. */
  calmDown(): void {
    this.requests.length = 0
    this.#faults.length = 0
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    this.requests.push(`${request.method} ${request.url}`)
    response.sendDate = false
    response.setHeader('date', new Date(this.#settings.clock.now()).toUTCString())
    const fault = this.#faults.shift()
    if (fault === 'swallow') return
    if (fault === 'close') return void request.socket.destroy()
    if (fault === 'hang up') {
      response.writeHead(200, { 'content-length': '1000' }).write('half')
      return void setImmediate(() => request.socket.destroy())
    }
    if (typeof fault === 'object') {
      if (fault.location) response.setHeader('location', fault.location)
      return void response.writeHead(fault.status).end(fault.xml)
    }
    const refusal = this.#verify(request, body)
    if (refusal) return refuse(response, refusal)
    this.#serve(request, body, response, fault === 'corrupt')
  }

  #verify(request: IncomingMessage, body: Buffer): Refusal | undefined {
    const { accessKeyId, secretAccessKey, region, clock } = this.#settings
    const denied = (code: string, message: string, extra = ''): Refusal => ({ status: 403, code, message, extra })
    const parts =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
        request.headers.authorization ?? '',
      )
    if (!parts) return denied('AccessDenied', 'Authorization is missing or unreadable')
    const [, key, day, zone, names = '', signature] = parts
    const time = String(request.headers['x-amz-date'])
    const claimed = String(request.headers['x-amz-content-sha256'])
    const at = Date.parse(time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
    if (key !== accessKeyId) return denied('InvalidAccessKeyId', `The key ${key} is not in our records`)
    if (zone !== region) return denied('AuthorizationHeaderMalformed', `expecting '${region}'`)
    if (!(Math.abs(at - clock.now()) < 900_000) || !time.startsWith(`${day}T`)) {
      return denied('RequestTimeTooSkewed', 'The difference between the request time and the current time is too large')
    }
    if (claimed !== sha256(body)) return { status: 400, code: 'XAmzContentSHA256Mismatch', message: 'wrong checksum' }
    const list = names.split(';')
    if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => list.includes(name))) {
      return denied('AccessDenied', 'There were headers present in the request which were not signed')
    }
    const [path, query = ''] = request.url!.split('?')
    let canonical = `${request.method}\n${path}\n${query.split('&').toSorted().join('&')}\n`
    for (const name of list) canonical += `${name}:${rawHeader(request, name)}\n`
    canonical += `\n${names}\n${claimed}`
    const toSign = `AWS4-HMAC-SHA256\n${time}\n${day}/${zone}/s3/aws4_request\n${sha256(canonical)}`
    let secret: string | Buffer = `AWS4${secretAccessKey}`
    for (const step of [day!, zone!, 's3', 'aws4_request', toSign]) {
      secret = createHmac('sha256', secret).update(step).digest()
    }
    if (secret.toString('hex') === signature) return undefined
    return denied(
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided.',
      `<AWSAccessKeyId>${key}</AWSAccessKeyId><StringToSign>${toSign}</StringToSign>`,
    )
  }

  #serve(request: IncomingMessage, body: Buffer, response: ServerResponse, corrupt: boolean): void {
    const url = new URL(request.url!, 'http://any')
    const [bucket, ...rest] = decodeURIComponent(url.pathname.slice(1)).split('/')
    if (bucket !== this.#settings.bucket) {
      return refuse(response, { status: 404, code: 'NoSuchBucket', message: 'The specified bucket does not exist' })
    }
    const key = rest.join('/')
    if (key === '') return this.#list(url.searchParams, response)
    if (request.method === 'PUT') {
      this.objects.set(key, { bytes: body, modified: this.#settings.clock.now() })
      return void response.end()
    }
    const object = this.objects.get(key)
    if (request.method === 'DELETE') {
      this.objects.delete(key)
      return void response.writeHead(204).end()
    }
    if (!object) return refuse(response, { status: 404, code: 'NoSuchKey', message: 'The key does not exist.' })
    response.setHeader('last-modified', new Date(object.modified).toUTCString())
    response.setHeader('content-length', object.bytes.length)
    const bytes = Buffer.from(object.bytes)
    if (corrupt) bytes[0]! ^= 1
    response.end(request.method === 'HEAD' ? undefined : bytes)
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    const after = query.get('start-after') ?? ''
    const keys = [...this.objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .toSorted()
    const page = keys.slice(0, this.#settings.pageSize)
    const contents = page.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join('')
    const truncated = `<IsTruncated>${keys.length > page.length}</IsTruncated>`
    response.end(`<?xml version="1.0"?>\n<ListBucketResult>${truncated}${contents}</ListBucketResult>`)
  }
}

const rawHeader = ({ rawHeaders }: IncomingMessage, name: string): string =>
  rawHeaders[rawHeaders.findIndex((raw, i) => i % 2 === 0 && raw.toLowerCase() === name) + 1] ?? ''

function refuse(response: ServerResponse, { status, code, message, extra = '' }: Refusal): void {
  response
    .writeHead(status)
    .end(`<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>${message}</Message>${extra}</Error>`)
}
