/** Records as lines of a zone file (RFC 1035 §5), which most DNS panels can import. */
import type { AnyRecordView } from './schema.ts'

type ZoneRecord = Pick<AnyRecordView, 'type' | 'name' | 'value' | 'priority' | 'ttl' | 'status'>

export const zoneFile = (domain: string, missing: readonly ZoneRecord[]): string =>
  [
    missing.length === 0 ? `; ${nameIn(domain)} lacks no record.` : `; The records that ${nameIn(domain)} lacks.`,
    ...missing.flatMap((record) => [
      ...(record.status === 'mismatch' ? ['; Instead of what is there of this kind now:'] : []),
      lineOf(record),
    ]),
    '',
  ].join('\n')

const lineOf = (record: ZoneRecord): string =>
  `${nameIn(record.name)}\t${record.ttl}\tIN\t${record.type}\t${dataOf(record)}`

function dataOf({ type, value, priority }: ZoneRecord): string {
  if (type === 'TXT') return stringsOf(value).map(quoted).join(' ')
  return type === 'MX' ? `${priority ?? 0} ${nameIn(value)}` : nameIn(value)
}

/** With the final dot, so that nothing is appended to it; what is special in a zone file is written as a number. */
const nameIn = (name: string): string => `${[...Buffer.from(name)].map(nameByte).join('')}.`

const nameByte = (byte: number): string => {
  const character = String.fromCharCode(byte)
  return /[\w.-]/.test(character) ? character : decimal(byte)
}

/** RFC 1035 §3.3: a string has at most 255 bytes, and a TXT record as many strings as it takes. */
function stringsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text)
  const count = Math.max(1, Math.ceil(bytes.length / MAX_STRING))
  return Array.from({ length: count }, (_, place) => bytes.subarray(place * MAX_STRING, (place + 1) * MAX_STRING))
}

const MAX_STRING = 255

const quoted = (bytes: Buffer): string => `"${[...bytes].map(stringByte).join('')}"`

const stringByte = (byte: number): string =>
  byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c ? decimal(byte) : String.fromCharCode(byte)

const decimal = (byte: number): string => `\\${String(byte).padStart(3, '0')}`
