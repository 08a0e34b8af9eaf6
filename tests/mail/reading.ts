/**
 * A reader of messages, written from the RFCs and on purpose independent of the code under test. It is stricter than
 * mail clients are: whatever a client would have to guess, it throws at.
 */

export interface ReadHeader {
  name: string
  /** Unfolded, nothing decoded. */
  value: string
}

export interface ReadPart {
  headers: ReadHeader[]
  /** `text/plain`; the default of RFC 2045 §5.2 where there is none. */
  type: string
  parameters: Record<string, string>
  disposition?: string
  filename?: string
  contentId?: string
  /** Decoded bytes of a part without parts. */
  content: Buffer
  parts: ReadPart[]
}

/** What no message of ours may have, one sentence each. */
export function wireFaults(message: Buffer): string[] {
  const text = message.toString('latin1')
  const lines = text.split('\r\n')
  return [
    ...(/[^\t\r\n -~]/.test(text) ? ['a byte that is not printable ASCII'] : []),
    ...(lines.some((line) => /[\r\n]/.test(line)) ? ['a bare CR or LF'] : []),
    ...(lines.some((line) => line.length > 998) ? ['a line of more than 998 characters'] : []),
    ...(lines.some((line) => line.startsWith('.')) ? ['a line that begins with a dot'] : []),
    ...(lines.some((line) => line.startsWith('From ')) ? ['a line that begins with From'] : []),
    ...(text.endsWith('\r\n') ? [] : ['no line break at its end']),
  ]
}

/** `lenient` reads what other composers write, whose lines may be longer than they should be. */
export function readMessage(message: Buffer, lenient: 'lenient' | 'strict' = 'strict'): ReadPart {
  return readPart(message.toString('latin1'), lenient === 'strict')
}

function readPart(text: string, strict: boolean): ReadPart {
  const end = text.startsWith('\r\n') ? 0 : text.indexOf('\r\n\r\n') + 2
  if (end === 1) throw new Error('There is no end to the headers.')
  const headers = readHeaders(text.slice(0, end))
  const body = text.slice(end + 2)
  const { value: type, parameters } = readParameters(headerOf(headers, 'content-type') ?? 'text/plain')
  const disposition = readParameters(headerOf(headers, 'content-disposition') ?? '')
  const contentId = headerOf(headers, 'content-id')
  return {
    headers,
    type: type.toLowerCase(),
    parameters,
    ...(disposition.value === '' ? {} : { disposition: disposition.value }),
    ...(disposition.parameters['filename'] === undefined ? {} : { filename: disposition.parameters['filename'] }),
    ...(contentId === undefined ? {} : { contentId: contentId.slice(1, -1) }),
    content: decodeContent(body, headerOf(headers, 'content-transfer-encoding') ?? '7bit', strict),
    parts: type.startsWith('multipart/')
      ? splitParts(body, parameters['boundary'] ?? '').map((part) => readPart(part, strict))
      : [],
  }
}

/** Each field once unfolded; a line that is neither a field nor the continuation of one is an error. */
export function readHeaders(block: string): ReadHeader[] {
  const lines = block.replaceAll(/\r\n([ \t]+[^ \t\r\n])/g, '$1').split('\r\n')
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [, name, value] = /^([!-9;-~]+):(.*)$/s.exec(line) ?? []
      if (name === undefined || value === undefined) throw new Error(`This is no header: ${JSON.stringify(line)}`)
      return { name, value: value.replace(/^ /, '') }
    })
}

export function headerOf(headers: readonly ReadHeader[], name: string): string | undefined {
  const found = headers.filter((header) => header.name.toLowerCase() === name.toLowerCase())
  if (found.length > 1) throw new Error(`There are ${found.length} fields ${name}.`)
  return found[0]?.value
}

/** RFC 2046 §5.1.1. A delimiter is a whole line. */
function splitParts(body: string, boundary: string): string[] {
  if (boundary === '' || boundary.length > 70) throw new Error('A multipart without a usable boundary.')
  const pieces = `\r\n${body}`.split(`\r\n--${boundary}`)
  const [preamble, ...rest] = pieces
  const last = rest.pop()
  if (preamble?.trim() !== '' || last === undefined || !/^--(\r\n)?$/.test(last)) throw new Error('Not well delimited.')
  return rest.map((piece) => {
    if (!piece.startsWith('\r\n')) throw new Error('Something stands behind a delimiter.')
    return piece.slice(2)
  })
}

function decodeContent(body: string, encoding: string, strict: boolean): Buffer {
  if (encoding === '7bit') return Buffer.from(body, 'latin1')
  if (encoding === 'base64') return decodeBase64(body)
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(body, strict)
  throw new Error(`Nobody here uses the encoding ${encoding}.`)
}

function decodeBase64(body: string): Buffer {
  const lines = body.split('\r\n')
  if (lines.some((line, index) => line.length > 76 || (index < lines.length - 1 && line.length !== 76))) {
    throw new Error('A line of base64 has the wrong length.')
  }
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(lines.join(''))) throw new Error('Not base64.')
  return Buffer.from(lines.join(''), 'base64')
}

function decodeQuotedPrintable(body: string, strict: boolean): Buffer {
  for (const line of strict ? body.split('\r\n') : []) {
    if (line.length > 76) throw new Error('A line of quoted-printable is too long.')
    if (/[ \t]$/.test(line)) throw new Error('White space at the end of a line of quoted-printable.')
    if (/=(?![0-9A-F]{2}|$)/.test(line)) throw new Error('An = that means nothing.')
  }
  return Buffer.from(
    body
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}

/** RFC 2047, for fields that people read. */
export function readText(value: string): string {
  const word = /=\?([^?]+)\?([BQbq])\?([^? ]+)\?=/
  const together = new RegExp(`${word.source} +(?=${word.source})`, 'g')
  for (const [whole] of value.matchAll(new RegExp(word.source, 'g'))) {
    if (whole.length > 75) throw new Error('An encoded word is too long.')
  }
  return value
    .replaceAll(together, '=?$1?$2?$3?=')
    .replaceAll(new RegExp(word.source, 'g'), (_, charset: string, encoding: string, text: string) => {
      const bytes = encoding.toUpperCase() === 'B' ? Buffer.from(text, 'base64') : fromQ(text)
      // Fatal: a torn code point would not decode.
      return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes)
    })
}

const fromQ = (text: string): Buffer => {
  if (!/^(?:[A-Za-z0-9!*+/_-]|=[0-9A-F]{2})*$/.test(text)) throw new Error('Not allowed in a Q word.')
  const spaced = text.replaceAll('_', ' ')
  const bytes = spaced.replaceAll(/=(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}

/** RFC 2045 §5.1 and RFC 2231. */
function readParameters(field: string): { value: string; parameters: Record<string, string> } {
  const [, value = '', rest = ''] = /^([^;]*)(.*)$/s.exec(field) ?? []
  const single: Record<string, string> = {}
  const numbered = new Map<string, string[]>()
  const item = /; *([^\s=;*]+)(\*\d+)?(\*)?=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/gy
  let end = 0
  for (const match of rest.matchAll(item)) {
    const [whole, name = '', number, extended, quoted, bare = ''] = match
    end += whole.length
    const text = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare
    if (number !== undefined) numbered.set(name, [...(numbered.get(name) ?? []), text])
    else if (name in single) throw new Error(`Twice the parameter ${name}.`)
    else single[name] = extended === undefined ? text : percentDecoded(text)
  }
  if (end !== rest.length) throw new Error(`These are no parameters: ${JSON.stringify(rest)}`)
  for (const [name, pieces] of numbered) single[name] = percentDecoded(pieces.join(''))
  return { value, parameters: single }
}

function percentDecoded(text: string): string {
  if (!text.toUpperCase().startsWith("UTF-8''")) throw new Error('An extended parameter without its charset.')
  return decodeURIComponent(text.slice("UTF-8''".length))
}
