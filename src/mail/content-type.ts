import { refused, understood, type Parsed } from './parsed.ts'

/** A ContentType is the value of such a field after parsing (RFC 2045 §5.1). */
export interface ContentType {
  /** The type is in lower case, as in `text/calendar`. */
  readonly type: string
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

const MAX_LENGTH = 255
const token = String.raw`[!#$%&'*+\-.^\w${'`'}{|}~]+`
/** RFC 2231 marks encoded and numbered parameters with other characters; only we write those. */
const attribute = String.raw`[A-Za-z0-9][\w.-]*`
const value = String.raw`(?:(${token})|"((?:[^"\\]|\\.)*)")`
const wholeType = new RegExp(`^(${token}/${token})((?:[ ]*;[ ]*${attribute}=${value})*)[ ]*;?$`)
const oneParameter = new RegExp(`(${attribute})=${value}`, 'g')

/** The type of an attachment, as its sender names it. */
export function parseContentType(input: string): Parsed<ContentType> {
  if (!/^[ -~]+$/.test(input) || input.length > MAX_LENGTH)
    return refused(`must be at most ${MAX_LENGTH} characters of ASCII`)
  const [, name, list] = wholeType.exec(input) ?? []
  if (name === undefined || list === undefined) return refused('must be a content type such as application/pdf')
  const type = name.toLowerCase()
  // The inside of such a part decides how the rest of the message is read, and no encoding may wrap it (§6.4).
  if (type.startsWith('multipart/')) return refused('must not be a multipart type')
  const parameters = Array.from(list.matchAll(oneParameter), ([, key = '', bare, quoted = '']) => {
    return [key.toLowerCase(), bare ?? quoted.replaceAll(/\\(.)/g, '$1')] as const
  })
  if (new Set(parameters.map(([key]) => key)).size < parameters.length) return refused('gives a parameter twice')
  // The name of the file is given once, by us.
  return understood({ type, parameters: parameters.filter(([key]) => key !== 'name' && key !== 'boundary') })
}

/** `parseContentType` reads the result back to the same value. */
export const formatContentType = ({ type, parameters }: ContentType): string =>
  [type, ...parameters.map(([name, value]) => `${name}="${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`)].join('; ')

/** The type of a file by the end of its name, for the kinds that people attach. */
export const contentTypeOfFile = (filename: string): ContentType => ({
  type: byExtension.get(/\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '') ?? OPAQUE,
  parameters: [],
})

/** RFC 2046 §4.5.1: bytes of an unknown type have this one. */
export const OPAQUE = 'application/octet-stream'

const office = 'application/vnd.openxmlformats-officedocument'

const byExtension: ReadonlyMap<string, string> = new Map([
  ['avif', 'image/avif'],
  ['bmp', 'image/bmp'],
  ['css', 'text/css'],
  ['csv', 'text/csv'],
  ['doc', 'application/msword'],
  ['docx', `${office}.wordprocessingml.document`],
  ['eml', 'message/rfc822'],
  ['epub', 'application/epub+zip'],
  ['gif', 'image/gif'],
  ['gz', 'application/gzip'],
  ['heic', 'image/heic'],
  ['htm', 'text/html'],
  ['html', 'text/html'],
  ['ics', 'text/calendar'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['json', 'application/json'],
  ['md', 'text/markdown'],
  ['mp3', 'audio/mpeg'],
  ['mp4', 'video/mp4'],
  ['odp', 'application/vnd.oasis.opendocument.presentation'],
  ['ods', 'application/vnd.oasis.opendocument.spreadsheet'],
  ['odt', 'application/vnd.oasis.opendocument.text'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['ppt', 'application/vnd.ms-powerpoint'],
  ['pptx', `${office}.presentationml.presentation`],
  ['rtf', 'application/rtf'],
  ['svg', 'image/svg+xml'],
  ['tif', 'image/tiff'],
  ['tiff', 'image/tiff'],
  ['txt', 'text/plain'],
  ['vcf', 'text/vcard'],
  ['wav', 'audio/wav'],
  ['webp', 'image/webp'],
  ['xls', 'application/vnd.ms-excel'],
  ['xlsx', `${office}.spreadsheetml.sheet`],
  ['xml', 'application/xml'],
  ['zip', 'application/zip'],
])
