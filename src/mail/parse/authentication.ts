/** Authenticates a received message: `mailauth` checks SPF, DKIM, DMARC and ARC, with our resolver. */
import type { Answer, Dns } from '../../net/dns.ts'
import { MAX_HEADER_LENGTH, signaturesIn, withoutSignatures, type Signatures } from './signature-fields.ts'

export interface AuthResults {
  spf: string
  dkim: string
  dmarc: string
  arc: string
  /** The domain of the author, where DMARC passes and so proves it. */
  author?: string
}

export interface Sender {
  /** The SMTP client has this address. */
  address: string
  /** The client gave this name in EHLO. */
  helo: string
  /** The envelope sender is empty for the null sender. */
  envelopeFrom: string
}

/** The DNS could not be asked, so nothing speaks against the sender. */
export const undetermined: AuthResults = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror', arc: 'temperror' }

/** Real mail has fewer lines; the library takes ten seconds for this many. */
const MAX_LINES = 500_000
const unreasonable: AuthResults = { spf: 'permerror', dkim: 'permerror', dmarc: 'permerror', arc: 'permerror' }

export async function authResultsOf(
  message: Buffer,
  sender: Sender,
  { dns, hostname }: { dns: Dns; hostname: string },
): Promise<AuthResults> {
  const { dkim, arc, headerBytes } = signaturesIn(message)
  if (headerBytes > MAX_HEADER_LENGTH || hasManyLines(message, MAX_LINES / bodyHashes(dkim))) return unreasonable
  const context = { ...sender, resolver: resolverOn(dns), hostname }
  const isTooLong = arc > MAX_ARC_SETS
  const checked = withoutSignatures(message, ({ kind, at }) => (kind === 'dkim' ? at >= MAX_SIGNATURES : isTooLong))
  const [authResults, isPartial] = await authenticateWith(checked, context)
  const arcWord = isTooLong ? 'permerror' : authResults.arc
  if (!isPartial) return { ...authResults, arc: arcWord }
  // A signature of a part of the body says nothing about the rest, which an attacker may have added: it does not count.
  const [whole] = await authenticateWith(
    withoutSignatures(checked, ({ kind, at }) => kind === 'dkim' && dkim[at]?.limit !== undefined),
    context,
  )
  return { ...whole, dkim: whole.dkim === 'pass' ? 'pass' : 'policy', arc: arcWord }
}

/** This many signatures are checked, from the top: those of the servers that the message passed last. */
const MAX_SIGNATURES = 10
/** Each set has two signatures. A chain with more sets is not followed. */
const MAX_ARC_SETS = 10

interface AuthContext extends Sender {
  resolver: Resolve
  hostname: string
}

/** The proofs, and whether one of them is a signature of no more than a part of the body. */
async function authenticateWith(
  message: Buffer,
  { address, helo, envelopeFrom, resolver, hostname }: AuthContext,
): Promise<[authResults: AuthResults, isPartial: boolean]> {
  // Loaded when it is needed: it is larger than the rest of us.
  const { authenticate } = await import('mailauth')
  const { spf, dkim, dmarc, arc, dmarcSkipReason } = await authenticate(message, {
    ip: address,
    helo,
    sender: envelopeFrom,
    mta: hostname,
    resolver,
    disableBimi: true,
    // RFC 8301 §3.1 forbids SHA-1.
    rejectRsaSha1: true,
  })
  const signatures = dkim.results.map(({ status }) => status.result)
  const author = dmarc && dmarc.status.result === 'pass' && dmarc.status.header?.from
  const authResults = {
    ...(author && { author: author.toLowerCase() }),
    spf: wordOf(spf && spf.status.result),
    dkim: signatures.includes('pass') ? 'pass' : wordOf(signatures[0]),
    // RFC 9989 §11.5: a message without an author, or with several, cannot pass.
    dmarc: dmarcSkipReason === undefined ? wordOf(dmarc && dmarc.status.result) : 'permerror',
    arc: wordOf(arc && arc.status.result),
  }
  return [authResults, dkim.results.some(({ status }) => status.result === 'pass' && (status.underSized ?? 0) > 0)]
}

/**
 * Tells whether checking a message may delay others. All others take a tenth of a second at worst: the library's work
 * grows with the fields, with the lines and with the signatures of each, and with the square of the length of a
 * signature or of the name of a field.
 */
export const isCostly = (message: Buffer): boolean =>
  message.length > MAX_USUAL_BYTES || hasManyLines(message, MAX_USUAL_LINES) || hasManySignatures(message)

const MAX_USUAL_BYTES = 512 * 1024
const MAX_USUAL_LINES = 10_000
const MAX_USUAL_HEADER_BYTES = 32 * 1024
const MAX_USUAL_SIGNATURES = 8
const MAX_USUAL_SIGNATURE_LENGTH = 2_048

function hasManySignatures(message: Buffer): boolean {
  const { dkim, arc, headerBytes, longest } = signaturesIn(message)
  if (longest > MAX_USUAL_SIGNATURE_LENGTH) return true
  return headerBytes > MAX_USUAL_HEADER_BYTES || dkim.length + 2 * arc > MAX_USUAL_SIGNATURES
}

/** The library goes through all lines once for every length of which signatures say that they cover it. */
const bodyHashes = (signatures: Signatures['dkim']): number =>
  1 + new Set(signatures.slice(0, MAX_SIGNATURES).flatMap(({ limit }) => limit ?? [])).size

function hasManyLines(message: Buffer, most: number): boolean {
  let lines = 0
  for (let at = message.indexOf('\n'); at !== -1; at = message.indexOf('\n', at + 1)) if (++lines > most) return true
  return false
}

const wordOf = (result: unknown): string =>
  typeof result === 'string' && /^[a-z]{1,20}$/.test(result) ? result : 'none'

/** A message may name any number of domains; we ask for a limited number of them, and for a limited time. */
const MAX_QUESTIONS = 60
const ASKING_MS = 8_000

type Resolve = (name: string, type: string) => Promise<string[][] | string[]>

function resolverOn(dns: Dns): Resolve {
  let asked = 0
  const over = new Promise<never>((_, reject) => {
    setTimeout(() => reject(dnsError('ETIMEOUT')), ASKING_MS).unref()
  })
  over.catch(() => {})
  return async (name, type) => {
    if (++asked > MAX_QUESTIONS) throw dnsError('ETIMEOUT')
    return Promise.race([ask(dns, name, type), over])
  }
}

async function ask(dns: Dns, name: string, type: string): Promise<string[][] | string[]> {
  switch (type) {
    case 'TXT':
      return recordsIn(await dns.txt(name)).map((text) => [text])
    case 'A':
      return recordsIn(await dns.a(name))
    case 'AAAA':
      return recordsIn(await dns.aaaa(name))
    case 'CNAME':
      return recordsIn(await dns.cname(name))
    case 'MX': {
      const hosts = recordsIn(await dns.mx(name)).map(({ exchange, preference: priority }) => ({
        exchange,
        priority,
      }))
      // Its declaration knows no MX records; its code does.
      return hosts as unknown as string[]
    }
    default:
      // RFC 7208 §5.5 advises against the only mechanism that needs another type.
      throw dnsError('ENODATA')
  }
}

function recordsIn<T>(answer: Answer<T>): T[] {
  switch (answer.kind) {
    case 'found':
      return [...answer.records]
    case 'empty':
      throw dnsError('ENODATA')
    case 'absent':
      throw dnsError('ENOTFOUND')
    case 'temporary':
      throw dnsError('ESERVFAIL')
  }
}

/** The error has no stack, which would be most of the work: it is made often and never shown. */
const dnsError = (code: string): Error =>
  Object.assign(Object.create(Error.prototype) as Error, { code, message: code })
