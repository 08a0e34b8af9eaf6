import { readFields, type Field } from '../parse/fields.ts'
import type { MimeMessage } from '../parse/mime-message.ts'
import { contentOf, defaultLimits, type Part } from '../parse/parts.ts'
import { splitAtReturned } from './returned-text.ts'

/** RFC 3462 §2, RFC 6533 §4 and §5, and the spellings that are in use. */
const returnedTypes =
  /^(?:message\/(?:rfc822|global|partial|rfc822-headers|global-headers)|text\/rfc822(?:-headers?)?)$/

/** The fields of the message that came back, from a part of its own or from the end of the text. */
export function returnedIn({ root, text }: MimeMessage): readonly Field[] | undefined {
  const fields = partsOf(root)
    .filter(({ type }) => returnedTypes.test(type))
    .map((part) => fieldsFrom(contentOf(part)))
    .find((found) => found.length > 0)
  if (fields !== undefined) return fields
  const { returned } = splitAtReturned(text ?? '')
  const inText = returned === undefined ? [] : fieldsFrom(Buffer.from(returned))
  return inText.length > 0 ? inText : undefined
}

/** Returns every part, outer ones first. */
export const partsOf = (part: Part): Part[] => [part, ...part.parts.flatMap(partsOf)]

function fieldsFrom(bytes: Buffer): readonly Field[] {
  // Some put an empty line in front.
  const start = bytes.subarray(0, 64).findIndex((byte) => byte !== 0x0a && byte !== 0x0d)
  return start < 0 ? [] : readFields(bytes, start, defaultLimits.headerBytes).fields
}
