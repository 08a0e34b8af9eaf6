import { decodeCharset, guessText } from '../parse/charset.ts'
import { readEmails } from '../parse/addresses.ts'
import { firstField, readFields, type Field } from '../parse/fields.ts'
import type { MimeMessage } from '../parse/mime-message.ts'
import { contentOf, defaultLimits } from '../parse/parts.ts'
import { saidBeside } from './bounce-text.ts'
import { judge, oneLine } from './judgement.ts'
import type { RecipientReport } from './kinds.ts'
import { partsOf } from './returned.ts'
import { splitAtReturned } from './returned-text.ts'

/** RFC 3464 §2.3, one for each block that names a recipient; from a part of its own or from the words of the report. */
export function readDeliveryStatus(message: MimeMessage): RecipientReport[] {
  const parts = partsOf(message.root).filter(({ type }) => statusTypes.test(type))
  const said = splitAtReturned(message.text ?? '').words
  const words = oneLine(said, MAX_WORDS_LENGTH)
  const beside = saidBeside(parts.length > 0 ? said : '')
  const own = parts.flatMap((part) => reportsIn(textOf(contentOf(part).subarray(0, MAX_LENGTH)), { beside, words }))
  if (own.length > 0) return own
  // Where the boundaries are broken, or a gateway made one text of all, the fields stand among the words.
  const isReport = message.root.type === 'multipart/report' || /^[ \t]*reporting-mta:/im.test(said)
  const text = message.text ?? ''
  return isReport ? reportsIn(text.slice(0, MAX_LENGTH), { beside: new Map(), words }) : []
}

/** These parts name no charset. Japanese in seven bits says so itself, by the escape sequence that begins it. */
const textOf = (bytes: Buffer): string =>
  (bytes.includes('\u001b$B') ? decodeCharset('iso-2022-jp', bytes) : undefined) ?? guessText(bytes)

/** RFC 6533 §3 defines the second type. */
const statusTypes = /^message\/(?:global-)?delivery-status$/
const MAX_LENGTH = 1024 * 1024
const MAX_WORDS_LENGTH = 20_000
const MAX_RECIPIENTS = 1_000

function reportsIn(text: string, said: Omit<Context, 'reportingMta'>): RecipientReport[] {
  const blocks = text.replaceAll(/\r\n?/g, '\n').split(/\n[ \t]*\n/, MAX_BLOCKS)
  const about = blocks.map(
    (block) => readFields(Buffer.from(block.replace(/^\n+/, '')), 0, defaultLimits.headerBytes).fields,
  )
  const reportingMta = about.map((fields) => valueOf(fields, 'reporting-mta')).find((mta) => mta !== undefined)
  return about
    .flatMap(perRecipient)
    .slice(0, MAX_RECIPIENTS)
    .flatMap((fields) => reportFrom(fields, { ...said, reportingMta }) ?? [])
}

const MAX_BLOCKS = 5_000

/** Where the empty line between two recipients is missing, a second Final-Recipient begins the second. */
function perRecipient(fields: readonly Field[]): Field[][] {
  const groups: Field[][] = [[]]
  let seen = new Set<string>()
  for (const field of fields) {
    const name = field.name.toLowerCase()
    if (!recipientNames.has(name) || !seen.has(name)) groups.at(-1)?.push(field)
    else {
      groups.push([field])
      seen = new Set()
    }
    seen.add(name)
  }
  return groups
}

const recipientNames = new Set(['original-recipient', 'final-recipient'])

interface Context {
  /** The text of the report for people, by recipient. */
  beside: ReadonlyMap<string, string>
  words: string
  reportingMta: string | undefined
}

function reportFrom(fields: readonly Field[], { beside, words, reportingMta }: Context): RecipientReport | undefined {
  const [original, final] = [addressIn(fields, 'original-recipient'), addressIn(fields, 'final-recipient')]
  const recipient = original ?? final ?? addressIn(fields, 'x-actual-recipient')
  const status = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(valueOf(fields, 'status') ?? '')?.[1]
  const action = actionFrom(valueOf(fields, 'action') ?? '', status)
  if (recipient === undefined || action === undefined) return undefined
  const own = valueOf(fields, 'diagnostic-code') ?? remarkIn(fields)
  const diagnostic = own ?? beside.get(recipient.toLowerCase())
  const host = typed(valueOf(fields, 'remote-mta')) ?? typed(reportingMta)
  const category = valueOf(fields, 'x-powermta-bouncecategory')?.trim()
  return {
    recipient,
    action,
    ...judge({ action, status, diagnostic, host, category, words, isBeside: own === undefined }),
  }
}

/** Some servers put their words into a comment: `Status: 5.1.1 (unknown user)`. */
const remarkIn = (fields: readonly Field[]): string | undefined =>
  /\(([^()]*\p{L}[^()]*)\)/u.exec(firstField(fields, 'status')?.raw ?? '')?.[1]

const valueOf = (fields: readonly Field[], name: string): string | undefined => firstField(fields, name)?.value

/** The value has a type in front: `dns; mx.example.com` or `dns;mx.example.com (192.0.2.1)`. */
const typed = (value: string | undefined): string | undefined =>
  value
    ?.replace(/^[^;]*;/, '')
    .trim()
    .split(/[\s([]/)[0]

/** Reads `rfc822; ann@example.com` and `utf-8; \x{FC}ber@example.com` (RFC 6533 §3). */
function addressIn(fields: readonly Field[], name: string): string | undefined {
  const value = valueOf(fields, name)
  if (value === undefined) return undefined
  const [, type = '', written = value] = /^\s*([\w-]+)\s*;(.*)$/s.exec(value) ?? []
  if (/^x-?400$/i.test(type)) return undefined
  const plain = /^utf-8$/i.test(type) ? written.replaceAll(/\\x\{([0-9a-f]{2,6})\}/gi, character) : written
  return readEmails(plain)[0]
}

function character(whole: string, hex: string): string {
  const point = Number.parseInt(hex, 16)
  return point > 0x1f && point <= 0x10ffff ? String.fromCodePoint(point).toWellFormed() : whole
}

/** RFC 3464 §2.3.3 has five words. Where none of them is there, the class of the status says it. */
function actionFrom(written: string, status: string | undefined): RecipientReport['action'] | undefined {
  const word = /[a-z]+/i.exec(written)?.[0].toLowerCase() ?? ''
  const known = actions.find(([start]) => word.startsWith(start))?.[1]
  return known ?? byClass[status?.[0] ?? '']
}

const actions: readonly (readonly [string, RecipientReport['action']])[] = [
  ['fail', 'failed'],
  ['undeliver', 'failed'],
  ['error', 'failed'],
  ['delay', 'delayed'],
  ['deliver', 'delivered'],
  ['relay', 'relayed'],
  ['expand', 'expanded'],
]

const byClass: Readonly<Record<string, RecipientReport['action']>> = { 2: 'delivered', 4: 'delayed', 5: 'failed' }
