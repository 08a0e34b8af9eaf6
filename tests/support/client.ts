import { request as httpRequest } from 'node:http'

/** What came back: everything a test may want to look at, read to the end. */
export interface Reply<Body = Record<string, unknown>> {
  status: number
  headers: Headers
  body: Body
  text: string
}

export interface RequestOptions {
  headers?: Record<string, string>
  /** JSON, unless it is bytes or text: those are sent as they are. */
  body?: unknown
}

/** A client with one key. It knows nothing of our types: it reads what is on the wire. */
export class Client {
  readonly url: string
  readonly key: string | undefined

  constructor(url: string, key: string | undefined) {
    this.url = url
    this.key = key
  }

  with(key: string | undefined): Client {
    return new Client(this.url, key)
  }

  get<B = Record<string, unknown>>(path: string, options?: RequestOptions): Promise<Reply<B>> {
    return this.request('GET', path, options)
  }

  post<B = Record<string, unknown>>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply<B>> {
    return this.request('POST', path, { body, ...(headers && { headers }) })
  }

  patch<B = Record<string, unknown>>(path: string, body?: unknown): Promise<Reply<B>> {
    return this.request('PATCH', path, { body })
  }

  delete<B = Record<string, unknown>>(path: string): Promise<Reply<B>> {
    return this.request('DELETE', path)
  }

  async request<B = Record<string, unknown>>(
    method: string,
    path: string,
    { headers = {}, body }: RequestOptions = {},
  ): Promise<Reply<B>> {
    const raw = typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(`${this.url}${path.startsWith('/') ? '' : '/api/v1/'}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.key === undefined ? {} : { authorization: `Bearer ${this.key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== ''
    return { status: response.status, headers: response.headers, text, body: (isJson ? JSON.parse(text) : {}) as B }
  }
}

/** Asks again when told to come again, as clients should: a machine that is busy elsewhere says so now and then. */
export async function patiently<B>(ask: () => Promise<Reply<B>>): Promise<Reply<B>> {
  const reply = await ask()
  return reply.status === 503 ? patiently(ask) : reply
}

/** The status of a request under another host than it goes to. `fetch` sets that header itself. */
export const statusUnder = (
  url: string,
  host: string,
  method: string,
  path: string,
  more: Record<string, string> = {},
): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { host, 'sec-fetch-site': 'same-origin', ...more }
    const request = httpRequest(new URL(path, url), { method, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', reject).end()
  })
