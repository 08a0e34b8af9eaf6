/** What the sender of a message can prove: SPF, DKIM, DMARC and ARC, judged by `mailauth` and asked with our resolver. */
import type { Answer, Dns } from '../net/dns.ts'

export interface Proofs {
  spf: string
  dkim: string
  dmarc: string
  arc: string
}

export interface Sender {
  /** The address of the client. */
  address: string
  /** What it called itself. */
  helo: string
  /** Empty for the null sender. */
  envelopeFrom: string
}

/** Nobody could be asked, so nothing is held against anybody. */
export const undetermined: Proofs = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror', arc: 'temperror' }

/** Nobody writes more: the library takes half a minute for a header of two megabytes, ten seconds for that many lines. */
const MOST_HEADER_BYTES = 100 * 1024
const MOST_LINES = 500_000
const unreasonable: Proofs = { spf: 'permerror', dkim: 'permerror', dmarc: 'permerror', arc: 'permerror' }

export async function proofsOf(
  message: Buffer,
  { address, helo, envelopeFrom }: Sender,
  { dns, hostname }: { dns: Dns; hostname: string },
): Promise<Proofs> {
  if (!isReasonable(message)) return unreasonable
  // Loaded when it is needed: it is larger than the rest of us.
  const { authenticate } = await import('mailauth')
  const { spf, dkim, dmarc, arc, dmarcSkipReason } = await authenticate(message, {
    ip: address,
    helo,
    sender: envelopeFrom,
    mta: hostname,
    resolver: resolverOn(dns),
    disableBimi: true,
    // RFC 8301 §3.1.
    rejectRsaSha1: true,
  })
  const signatures = dkim.results.map(({ status }) => status.result)
  return {
    spf: wordOf(spf && spf.status.result),
    dkim: signatures.includes('pass') ? 'pass' : wordOf(signatures[0]),
    // RFC 9989 §11.5: a message without an author, or with several, has a reason to be so.
    dmarc: dmarcSkipReason === undefined ? wordOf(dmarc && dmarc.status.result) : 'permerror',
    arc: wordOf(arc && arc.status.result),
  }
}

function isReasonable(message: Buffer): boolean {
  const start = message.subarray(0, MOST_HEADER_BYTES)
  if (start.length < message.length && !start.includes('\r\n\r\n') && !start.includes('\n\n')) return false
  let lines = 0
  for (let at = message.indexOf('\n'); at !== -1; at = message.indexOf('\n', at + 1))
    if (++lines > MOST_LINES) return false
  return true
}

const wordOf = (result: unknown): string =>
  typeof result === 'string' && /^[a-z]{1,20}$/.test(result) ? result : 'none'

/** A message may name as many domains as it likes; we do not ask for all of them in a stranger's name. */
const MOST_QUESTIONS = 100

type Resolve = (name: string, type: string) => Promise<string[][] | string[]>

function resolverOn(dns: Dns): Resolve {
  let asked = 0
  return async (name, type) => {
    if (++asked > MOST_QUESTIONS) throw dnsError('ETIMEOUT')
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

/** Made often and shown to nobody: without a stack, which would be most of the work. */
const dnsError = (code: string): Error =>
  Object.assign(Object.create(Error.prototype) as Error, { code, message: code })
