import { decodeWords, encodeWords } from './encoded-word.ts'
import { parseMailHost } from './domain-name.ts'
import { refused, understood, type Parsed } from './parsed.ts'

/** A mailbox is what a message shows of an address: a name and an email address. */
export type Mailbox = Pick<Address, 'name' | 'email'>

/** An Address is one mailbox after parsing. */
export interface Address {
  /** The name is decoded; it is empty where there is none. */
  readonly name: string
  /**
   * The local part is kept as written: only its host knows whether upper and lower case are the same (RFC 5321 §2.4).
   */
  readonly local: string
  /** The domain is in lower case and A-labels: DKIM and DMARC compare this name. */
  readonly domain: string
  /** The email address is `local@domain`. */
  readonly email: string
  /** The local part is not ASCII: only servers with the extension SMTPUTF8 (RFC 6531) can take it. */
  readonly needsSmtpUtf8: boolean
}

/** RFC 5321 §4.5.3.1 allows 64 octets before the @, and 256 for a path with its angle brackets. */
const MAX_LOCAL_LENGTH = 64
const MAX_EMAIL_LENGTH = 254
const MAX_NAME_LENGTH = 256
const MAX_INPUT_LENGTH = 2000

const CONTROL = 'must not contain line breaks or other control characters'

/**
 * Reads `ann@example.com`, `<ann@example.com>` and `Ann Example <ann@example.com>`. The rest of what RFC 5322 allows
 * is refused: comments, groups, routes, quoted local parts and addresses of hosts without a name are either never
 * meant, or another parser on the way reads a different mailbox.
 */
export function parseAddress(input: string): Parsed<Address> {
  if (input.length > MAX_INPUT_LENGTH) return refused('is too long for an address')
  if (hasControl(input)) return refused(CONTROL)
  if (!input.isWellFormed()) return refused('is not well-formed Unicode')
  const text = input.replaceAll(/^ +| +$/g, '')
  if (text === '') return refused('is empty')
  if (!text.endsWith('>')) return parseMailbox('', text)
  const open = text.lastIndexOf('<')
  if (open < 0) return refused('ends with > but has no < before it')
  const name = parseName(text.slice(0, open))
  return name.ok ? parseMailbox(name.value, text.slice(open + 1, -1)) : name
}

/**
 * Two addresses with the same key are the same person: contacts, tags and duplicates are compared by it. Mail is sent
 * to the key as well, so it only joins what is certainly the same letter: a sigma at the end of a word has two forms,
 * and upper case does not tell which. Suppressions fold more (`address_fold` in the database), because no mail is sent
 * by them.
 */
export function addressKey({ email }: Pick<Address, 'email'>): string {
  const key = email.normalize('NFC').toLowerCase()
  return /[σς]/.test(key) ? key.replaceAll(/[σς]/g, 'Σ').toLowerCase() : key
}

/** Returns the part behind the @. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

/** Returns the mailbox as it stands in a header field, in words: the field may be folded between them, but not inside. */
export function addressWords({ name, email }: Mailbox): string[] {
  if (name === '') return [email]
  return [...nameWords(name), `<${email}>`]
}

function nameWords(name: string): string[] {
  // A name that looks like an encoded word has to become one, or its reader decodes what was never encoded.
  if (/[^ -~]|=\?/.test(name)) return encodeWords(name)
  if (/^[\w!#$%&'*+\-/=?^`{|}~ ]+$/.test(name)) return name.split(' ')
  return [`"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`]
}

/** Quoted strings, words, and the first character that may stand in neither. */
const phrase = /"((?:[^"\\]|\\.)*)"|([^"<>()[\]:;@\\,]+)|(.)/gsu

function parseName(text: string): Parsed<string> {
  let name = ''
  for (const [, quoted, bare, stray] of text.matchAll(phrase)) {
    if (stray !== undefined) return refused(strayProblem(stray))
    name += quoted?.replaceAll(/\\(.)/gsu, '$1') ?? decodeWords(bare ?? '')
  }
  // An encoded word can carry what its outside does not show.
  if (hasControl(name)) return refused(CONTROL)
  const tidy = name.replaceAll(/ +/g, ' ').replaceAll(/^ | $/g, '')
  return tidy.length > MAX_NAME_LENGTH
    ? refused(`has a name of more than ${MAX_NAME_LENGTH} characters`)
    : understood(tidy)
}

function strayProblem(character: string): string {
  if (character === '<') return 'has more than one <'
  if (character === '"') return 'has a name whose quotation mark is not closed'
  return `has ${character} in its name: put the name in double quotes, or give one address at a time`
}

function parseMailbox(name: string, spec: string): Parsed<Address> {
  const at = spec.lastIndexOf('@')
  if (at < 0) return refused(spec.includes('>') ? 'has something behind the >' : 'lacks an @')
  const local = spec.slice(0, at)
  const problem = localProblem(local)
  if (problem !== undefined) return refused(problem)
  const host = parseMailHost(spec.slice(at + 1))
  if (!host.ok) return host
  const email = `${local}@${host.value}`
  if (Buffer.byteLength(email) > MAX_EMAIL_LENGTH) return refused(`is longer than ${MAX_EMAIL_LENGTH} bytes`)
  return understood({ name, local, domain: host.value, email, needsSmtpUtf8: !/^[ -~]*$/.test(local) })
}

const atom = /^[\w!#$%&'*+\-/=?^`{|}~\p{L}\p{M}\p{N}\p{S}\p{P}]+$/u

function localProblem(local: string): string | undefined {
  if (local === '') return 'has nothing before the @'
  if (/[,;]/.test(local)) return 'must be a single address'
  if (/[<>]/.test(local)) return 'must end with the address in angle brackets'
  // `"ann"@example.com` is the same mailbox as `ann@example.com` in another spelling: one of them is enough.
  if (local.includes('"')) return 'must not have quotation marks in the part before the @'
  if (/[()[\]:\\@ ]/.test(local) || !atom.test(local)) {
    return 'has a character before the @ that an address cannot have there'
  }
  if (/^\.|\.\.|\.$/.test(local)) return 'has a dot before the @ that does not stand between two characters'
  if (Buffer.byteLength(local) > MAX_LOCAL_LENGTH) return `has more than ${MAX_LOCAL_LENGTH} bytes before the @`
  // A variation selector behind a letter is invisible, and a host that folds names as Unicode says drops it.
  if (/\p{Default_Ignorable_Code_Point}/u.test(local)) return 'has an invisible character before the @'
  return hasLookAlike(local) ? 'has a look-alike of a plain character before the @' : undefined
}

/**
 * A full-width ＠ or the Kelvin sign becomes ASCII when a host on the way normalises (NFKC), and the address becomes
 * another one.
 */
const hasLookAlike = (local: string): boolean => /[\0-\x7f]/.test(local.replaceAll(/[\0-\x7f]/g, '').normalize('NFKC'))

const hasControl = (text: string): boolean => /[^ -~\u00a0-\uffff]/.test(text)
