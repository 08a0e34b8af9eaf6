import type { Operations } from './contract/index.ts'
import type { DoorOperations } from './door.ts'
import { NetworkError, refusalIn } from './errors.ts'
import { eventsIn, nothing, Patience, type StreamOptions } from './events.ts'

/** Every operation by its method and path: those of the API, and those that sign people in and out. */
export type AllOperations = Operations & DoorOperations
export type Operation = keyof AllOperations
export type Reply<O extends Operation> = AllOperations[O]['reply']

/** Operations that answer with a file. */
export type FileOperation = { [O in Operation]: AllOperations[O] extends { downloads: string } ? O : never }[Operation]
/** Operations that answer with events for as long as both sides want. */
export type StreamOperation = { [O in Operation]: AllOperations[O] extends { streams: true } ? O : never }[Operation]
export type JsonOperation = Exclude<Operation, FileOperation | StreamOperation>

/** Operations that answer with one page of many. */
export type PagedOperation = {
  [O in JsonOperation]: Reply<O> extends { data: readonly unknown[]; nextCursor: string | null } ? O : never
}[JsonOperation]

/** A field that may be left out may also be undefined. */
type Loose<T> = T extends readonly unknown[] | string | Blob | Uint8Array
  ? T
  : { [K in keyof T]: T[K] | (Record<never, never> extends Pick<T, K> ? undefined : never) }

/** A part of a call: forbidden where the operation takes none, and optional where everything in it is. */
type Part<Name extends string, T> = [T] extends [undefined]
  ? { [K in Name]?: undefined }
  : undefined extends T
    ? { [K in Name]?: Loose<T> }
    : Record<never, never> extends T
      ? { [K in Name]?: Loose<T> }
      : { [K in Name]: Loose<T> }

export interface CommonOptions {
  /** The id of the project that the call is about. */
  project?: string | undefined
  /** Repeating a call with the same key answers the first one again. */
  idempotencyKey?: string | undefined
  /** The version that the caller has seen: the call is refused when there is another one. */
  ifMatch?: number | string | undefined
  signal?: AbortSignal | undefined
  headers?: Readonly<Record<string, string>>
}

export type CallOptions<O extends Operation> = Part<'params', AllOperations[O]['params']> &
  Part<'query', AllOperations[O]['query']> &
  Part<'body', AllOperations[O]['body']> &
  (AllOperations[O] extends { uploads: infer Type } ? { contentType: Type } : { contentType?: undefined }) &
  CommonOptions

type OptionsOf<O extends Operation, More = unknown> =
  Record<never, never> extends CallOptions<O> ? [options?: CallOptions<O> & More] : [options: CallOptions<O> & More]

export interface ClientOptions {
  /** Where the installation is, such as `https://mail.example.org`; left out in its own pages. */
  baseUrl?: string
  /** An API key; left out where a cookie says who calls. */
  key?: string
  fetch?: typeof globalThis.fetch
  /** These are sent with every call. */
  headers?: Readonly<Record<string, string>>
}

export interface Download {
  blob: Blob
  filename: string
  headers: Headers
}

export interface DownloadOptions {
  /** Told what has arrived; `total` is undefined where the server does not know it. */
  onProgress?: (received: number, total: number | undefined) => void
}

export interface Client {
  /** Throws an `ApiError` when the call is refused, and a `NetworkError` when there is no answer. */
  call<O extends JsonOperation>(operation: O, ...options: OptionsOf<O>): Promise<Reply<O>>
  download<O extends FileOperation>(operation: O, ...options: OptionsOf<O, DownloadOptions>): Promise<Download>
  /**
   * Events as they come, until the server ends the stream; returned when it has admitted the call. Give a `signal` to end it
   * yourself. A stream that breaks off throws a `NetworkError`.
   */
  stream<O extends StreamOperation>(
    operation: O,
    ...options: OptionsOf<O, StreamOptions>
  ): Promise<AsyncGenerator<Reply<O>, void>>
  /** One page after the other, each asked for when it is needed. */
  pages<O extends PagedOperation>(operation: O, ...options: OptionsOf<O>): AsyncGenerator<Reply<O>, void, undefined>
}

/** The parts of any call, once its types have been checked. */
interface AnyOptions extends CommonOptions {
  params?: Readonly<Record<string, string>> | undefined
  query?: Readonly<Record<string, unknown>> | undefined
  body?: unknown
  contentType?: string | undefined
}

const PROJECT_HEADER = 'x-service-project-id'

export function createClient({
  baseUrl = '',
  key,
  fetch = globalThis.fetch,
  headers = {},
}: ClientOptions = {}): Client {
  const request = async (operation: string, options: AnyOptions = {}): Promise<Response> => {
    const [method = '', path = ''] = operation.split(' ')
    const answer = await fetch(`${baseUrl}${addressOf(path, options)}`, {
      method,
      headers: { ...headers, ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headersOf(options) },
      ...bodyOf(options),
      ...(options.signal && { signal: options.signal }),
    }).catch((cause: unknown) => fail(cause, options))
    if (!answer.ok) throw await refusalIn(answer)
    return answer
  }

  // The signatures of `Client` check what callers write; from here on the parts of a call are data.
  const call = async (operation: string, options?: AnyOptions): Promise<unknown> => {
    const answer = await request(operation, options)
    const text = await answer.text().catch((cause: unknown) => fail(cause, options))
    if (text === '') return undefined
    try {
      return JSON.parse(text) as unknown
    } catch (cause) {
      throw new NetworkError('The answer is no JSON: something between here and the server has replaced it.', { cause })
    }
  }

  const download = async (operation: string, options: AnyOptions & DownloadOptions = {}): Promise<Download> => {
    const answer = await request(operation, options)
    const blob = await contentOf(answer, options.onProgress).catch((cause: unknown) => fail(cause, options))
    return { blob, filename: filenameIn(answer.headers), headers: answer.headers }
  }

  async function* pages(operation: string, options: AnyOptions = {}): AsyncGenerator<unknown, void, undefined> {
    let cursor: string | null | undefined
    do {
      const query = { ...options.query, ...(typeof cursor === 'string' && { cursor }) }
      const page = (await call(operation, { ...options, query })) as { nextCursor: string | null }
      yield page
      cursor = page.nextCursor
    } while (cursor !== null)
  }

  const stream = async (
    operation: string,
    options: AnyOptions & StreamOptions = {},
  ): Promise<AsyncGenerator<unknown, void>> => {
    const patience = new Patience(options, options.signal)
    const guarded = { ...options, signal: patience.signal }
    const { body } = await patience.during(request(operation, guarded))
    return body === null ? nothing() : eventsIn(body, patience, (cause) => fail(cause, guarded))
  }

  return { call, download, stream, pages } as Client
}

/** A call that its caller gave up throws what the caller expects; everything else is the network's. */
function fail(cause: unknown, { signal }: AnyOptions = {}): never {
  if (signal?.aborted) throw signal.reason
  throw new NetworkError('The server cannot be reached.', { cause })
}

/** Signing in and out is beside the API, below `/session`. */
function addressOf(path: string, { params = {}, query = {} }: AnyOptions): string {
  const prefix = /^\/session(\/|$)/.test(path) ? '' : '/api/v1'
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = Object.entries(query)
    .flatMap(([name, value]) => pairsOf(name, value))
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&')
  return `${prefix}${filled}${search === '' ? '' : `?${search}`}`
}

/** A list is written by repeating its name, and a map as `name[key]=value`. */
function pairsOf(name: string, value: unknown): [string, string][] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each) => pairsOf(name, each))
  if (typeof value !== 'object') return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, each]) => pairsOf(`${name}[${key}]`, each))
}

function headersOf({ project, idempotencyKey, ifMatch, body, contentType, headers }: AnyOptions) {
  return {
    ...(project !== undefined && { [PROJECT_HEADER]: project }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
    ...(body !== undefined && { 'content-type': contentType ?? 'application/json' }),
    ...headers,
  }
}

/** With a content type of its own a body is sent as it is. */
function bodyOf({ body, contentType }: AnyOptions): Pick<RequestInit, 'body'> {
  if (body === undefined) return {}
  return { body: contentType === undefined ? JSON.stringify(body) : (body as Blob | string) }
}

async function contentOf(answer: Response, onProgress: DownloadOptions['onProgress']): Promise<Blob> {
  if (onProgress === undefined || answer.body === null) return answer.blob()
  const length = Number(answer.headers.get('content-length') ?? Number.NaN)
  const total = Number.isNaN(length) || answer.headers.has('content-encoding') ? undefined : length
  let received = 0
  const counted = answer.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        received += chunk.byteLength
        onProgress(received, total)
        controller.enqueue(chunk)
      },
    }),
  )
  return new Response(counted, { headers: { 'content-type': answer.headers.get('content-type') ?? '' } }).blob()
}

/** RFC 6266 §4.3: the name in `filename*` is the better one. */
function filenameIn(headers: Headers): string {
  const disposition = headers.get('content-disposition') ?? ''
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? []
  const [, plain] = /filename="([^"]*)"/i.exec(disposition) ?? []
  return encoded === undefined ? (plain ?? 'download') : decodeURIComponent(encoded)
}
