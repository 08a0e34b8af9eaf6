/** Parses one line from the client into a command, or into the answer that refuses it. */
import { isUtf8 } from 'node:buffer'
import * as answers from './answers.ts'
import type { Answer } from './answers.ts'
import { asksForRelay, parsePath, type EnvelopeAddress } from './path.ts'

export type Command =
  | { verb: 'EHLO' | 'HELO'; name: string }
  | { verb: 'MAIL'; from: EnvelopeAddress | undefined; parameters: MailParameters }
  | { verb: 'RCPT'; address: EnvelopeAddress; asksForRelay: boolean; needsSmtpUtf8: boolean }
  | { verb: 'DATA' }
  | { verb: 'STARTTLS' }
  | { verb: 'RSET' | 'NOOP' | 'VRFY' | 'HELP' | 'QUIT' }
  | { verb: 'wrong'; answer: Answer }

export interface MailParameters {
  /** The size is what the client announced; undefined when it announced none. */
  size: number | undefined
  body: '7BIT' | '8BITMIME'
  smtpUtf8: boolean
}

/** RFC 5321 §4.5.3.1.4, with the line end. Parameters of MAIL and RCPT come on top of it. */
const MAX_LINE_LENGTH = 512
const MAX_LINE_LENGTH_WITH_PARAMETERS = 1_024

/** A line without its end. */
export function parseCommand(line: Buffer, hostname: string): Command {
  const text = decoded(line)
  if (text === undefined) return wrong(line.includes(CR) ? answers.badLineEnd : answers.badCharacter)
  const [verb = '', rest = ''] = words(text)
  const takesParameters = verb === 'MAIL' || verb === 'RCPT'
  if (line.length + 2 > (takesParameters ? MAX_LINE_LENGTH_WITH_PARAMETERS : MAX_LINE_LENGTH))
    return wrong(answers.lineTooLong)
  switch (verb) {
    case 'EHLO':
    case 'HELO':
      return /^[!-~]{1,255}$/.test(rest) ? { verb, name: rest } : wrong(answers.badParameters)
    case 'MAIL':
      return parseMail(rest, hostname)
    case 'RCPT':
      return parseRcpt(rest, hostname)
    case 'DATA':
    case 'RSET':
    case 'STARTTLS':
    case 'QUIT':
      return rest === '' ? { verb } : wrong(answers.badParameters)
    case 'VRFY':
      return rest === '' ? wrong(answers.badParameters) : { verb }
    case 'NOOP':
    case 'HELP':
      return { verb }
    case 'EXPN':
    case 'ETRN':
    case 'AUTH':
    case 'BDAT':
    case 'TURN':
      return wrong(answers.notImplemented)
    // A browser was led here: its request has lines that an attacker chose.
    case 'GET':
    case 'POST':
    case 'PUT':
    case 'CONNECT':
    case 'OPTIONS':
      return wrong(answers.wrongProtocol)
    default:
      return wrong(answers.unknownCommand)
  }
}

const CR = 13

const wrong = (answer: Answer): Command => ({ verb: 'wrong', answer })

/** Returns undefined for text with control characters or that is not UTF-8. */
function decoded(line: Buffer): string | undefined {
  const text = line.toString('latin1')
  if (isAscii(text)) return text
  return /^[ -~\u0080-\u00ff]*$/.test(text) && isUtf8(line) ? line.toString('utf8') : undefined
}

/** Text with control characters does not get here: `decoded` refuses it. */
const isAscii = (text: string): boolean => /^[ -~]*$/.test(text)

function words(text: string): [verb: string, rest: string] {
  const space = text.indexOf(' ')
  if (space === -1) return [text.toUpperCase(), '']
  return [text.slice(0, space).toUpperCase(), text.slice(space + 1).replace(/^ +| +$/g, '')]
}

function parseMail(text: string, hostname: string): Command {
  // A space behind the colon is wrong and common.
  const [keyword] = /^FROM: ?/i.exec(text) ?? []
  if (keyword === undefined) return wrong(answers.badParameters)
  const path = parsePath(text.slice(keyword.length), hostname)
  if (!path.ok) return wrong(answers.badSender)
  const { address, rest } = path.value
  const parameters = parseParameters(rest)
  if ('code' in parameters) return wrong(parameters)
  if (!isAscii(text) && !parameters.smtpUtf8) return wrong(answers.needsSmtpUtf8)
  return { verb: 'MAIL', from: address, parameters }
}

function parseRcpt(text: string, hostname: string): Command {
  const [keyword] = /^TO: ?/i.exec(text) ?? []
  if (keyword === undefined) return wrong(answers.badParameters)
  const parsed = parsePath(text.slice(keyword.length), hostname)
  if (!parsed.ok || parsed.value.address === undefined) return wrong(answers.badRecipient)
  const { address, rest } = parsed.value
  if (rest !== '') return wrong(rest.startsWith(' ') ? answers.unknownParameter : answers.badRecipient)
  return { verb: 'RCPT', address, asksForRelay: asksForRelay(parsed.value), needsSmtpUtf8: !isAscii(text) }
}

function parseParameters(text: string): MailParameters | Answer {
  const parameters: MailParameters = { size: undefined, body: '7BIT', smtpUtf8: false }
  if (text === '') return parameters
  if (!text.startsWith(' ')) return answers.badSender
  const seen = new Set<string>()
  for (const parameter of text.slice(1).toUpperCase().split(/ +/)) {
    const [keyword = '', value] = parameter.split('=', 2)
    if (seen.has(keyword)) return answers.badParameters
    seen.add(keyword)
    if (keyword === 'SIZE' && value !== undefined && /^\d{1,20}$/.test(value)) parameters.size = Number(value)
    else if (keyword === 'BODY' && (value === '7BIT' || value === '8BITMIME')) parameters.body = value
    else if (keyword === 'SMTPUTF8' && value === undefined) parameters.smtpUtf8 = true
    else return ['SIZE', 'BODY', 'SMTPUTF8'].includes(keyword) ? answers.badParameters : answers.unknownParameter
  }
  return parameters
}
