import { Agent, request } from 'node:http'
import type { Plan } from './request.ts'

const PATIENCE_MS = 10_000

export interface Sent {
  method: string
  url: string
  headers: Record<string, string | string[]>
  body: string | Buffer | undefined
}

export interface Received {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** What says who is asking: a key, or the cookie of a person on a page of ours. */
export type Credentials = Readonly<Record<string, string>>

/** The request in full, as it goes over the wire, once every stand-in has its value. */
export function written(
  plan: Plan,
  valueOf: (part: unknown) => unknown,
  credentials: Credentials,
  base = '/api/v1',
): Sent {
  const path = plan.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(valueOf(plan.params[name])))
  const query = plan.query
    .map(([name, value]) => [name, valueOf(value)] as const)
    .flatMap(([name, value]) => flat(name, value))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
  const body = plan.raw ?? jsonOf(plan.body, valueOf)
  const given = Object.entries(plan.headers).map(([name, value]) => [name, valueOf(value)])
  const headers = {
    ...credentials,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
  }
  const url = `${base}${plan.url ?? `${path}${query.length === 0 ? '' : `?${query.join('&')}`}`}`
  return { method: plan.method, url, headers, body }
}

/** A map in the style deepObject. */
const flat = (name: string, value: unknown): (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).map(([key, part]) => [`${name}[${key}]`, part] as const)
    : [[name, value]]

export const headBytes = ({ url, headers }: Sent): number =>
  url.length + Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + String(value).length + 4, 0)

const encoded = (value: unknown): string => encodeURIComponent(String(value).toWellFormed())

function jsonOf(body: unknown, valueOf: (part: unknown) => unknown): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body, (_, part: unknown) => valueOf(part))
}

/** A client that corrects nothing: it sends what it is given, whatever the method. */
export class Wire {
  readonly #base: string
  readonly #agent = new Agent({ keepAlive: true })

  constructor(base: string) {
    this.#base = base
  }

  send({ method, url, headers, body }: Sent): Promise<Received> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const { hostname, port } = new URL(this.#base)
      // Node leaves a connection in an odd state when it answers an unwanted upgrade before all of its body has come.
      const agent = 'upgrade' in headers ? false : this.#agent
      const options = { agent, hostname, port, method, path: url, headers: { ...length, ...headers } }
      const outgoing = request(options, (response) => {
        const { statusCode: status = 0, headers } = response
        // There is nothing to wait for; what a head too long to be read is answered with is no answer to HEAD.
        if (method === 'HEAD') resolve({ status, headers, text: '' })
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve({ status, headers, text: Buffer.concat(chunks).toString('utf8') }))
      })
      outgoing.setTimeout(PATIENCE_MS, () => outgoing.destroy(new Error(`silence for ${PATIENCE_MS} ms`)))
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
