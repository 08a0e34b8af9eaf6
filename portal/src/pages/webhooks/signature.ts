/** Signatures of webhooks, made in the browser as the server makes them. */

/** `plain` is `x-service-signature`, `standard` is `webhook-signature` of Standard Webhooks. */
export type Form = 'plain' | 'standard'

export const signatureHeader: Readonly<Record<Form, string>> = {
  plain: 'x-service-signature',
  standard: 'webhook-signature',
}

type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()

export const SECRET_PREFIX = 'whsec_'

/** Browsers have these functions on https and on localhost alone. */
export const canSign = (): boolean => globalThis.crypto?.subtle !== undefined

export const bytesOf = (text: string): Bytes => encoder.encode(text)

/** What the part behind the prefix encodes; undefined where that is no base64. */
export function decoded(secret: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(withoutPrefix(secret)), (character) => character.codePointAt(0) ?? 0)
  } catch {
    return undefined
  }
}

export const withoutPrefix = (secret: string): string =>
  secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret

export async function hmac(key: Bytes, message: string): Promise<Bytes> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(message)))
}

export const sha256 = async (message: string): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(message)))

export const hexOf = (bytes: Bytes): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export const base64Of = (bytes: Bytes): string => btoa(String.fromCodePoint(...bytes))

/** The parts of a request that its signature covers. */
export interface Signed {
  body: string
  id: string
  timestamp: string
}

export const messageOf = (form: Form, { body, id, timestamp }: Signed): string =>
  form === 'plain' ? body : `${id}.${timestamp}.${body}`

/** The header as the server writes it; undefined for a secret that cannot be one. */
export async function signatureOf(form: Form, secret: string, signed: Signed): Promise<string | undefined> {
  const key = form === 'plain' ? encoder.encode(secret) : decoded(secret)
  if (key === undefined || key.length === 0) return undefined
  const signature = await hmac(key, messageOf(form, signed))
  return form === 'plain' ? `sha256=${hexOf(signature)}` : `v1,${base64Of(signature)}`
}

/** Reads headers as they are pasted: lines of a request, with or without the marks of curl, or a JSON object. */
export function headersIn(text: string): ReadonlyMap<string, string> {
  const lines = text.trim().startsWith('{') ? linesOfJson(text) : text.split('\n')
  const found = new Map<string, string>()
  for (const line of lines) {
    const [, name, value] = /^[<>\s"']*([a-z0-9_-]+)["']?\s*[:=]\s*["']?(.*?)["',]*\s*$/i.exec(line) ?? []
    const [bare] = /^\s*(sha256=[0-9a-f]{64}|v1,\S+( v1,\S+)*)\s*$/i.exec(line) ?? []
    if (bare !== undefined)
      found.set(bare.startsWith('v1,') ? signatureHeader.standard : signatureHeader.plain, bare.trim())
    else if (name !== undefined && value !== undefined) found.set(plainName(name), value)
  }
  return found
}

function linesOfJson(text: string): string[] {
  try {
    return Object.entries(JSON.parse(text) as Record<string, unknown>).map(
      ([name, value]) => `${name}: ${String(value)}`,
    )
  } catch {
    return text.split('\n')
  }
}

/** PHP and CGI write `HTTP_X_SERVICE_SIGNATURE`. */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^http-/, '')
