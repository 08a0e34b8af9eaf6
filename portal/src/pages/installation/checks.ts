/** What the server has seen of its surroundings, as checks in words: how each came out, and what to do about it. */
import type { StateTone } from '../../kit/badge.tsx'
import { words } from '../../words/words.ts'
import type { Installation } from './data.ts'

export interface Check {
  name: string
  tone: StateTone
  /** In a word or two. */
  state: string
  /** What it means, and what to do. */
  sentence: string
}

const CERTIFICATE_DAYS = 14
const DAY_MS = 86_400_000

export const checksOf = (seen: Installation, now: number): Check[] => [
  outgoing(seen),
  names(seen),
  certificate(seen, now),
  publicUrl(seen),
  ...(seen.master.backedUpHint ? [masterKey()] : []),
]

const tonesOfOutgoing = { open: 'ok', relay: 'ok', blocked: 'bad', unknown: 'none' } as const

function outgoing({ smtp }: Installation): Check {
  const { name, states, sentences } = words.installation.outgoing
  const tone = tonesOfOutgoing[smtp.outgoing]
  return { name, tone, state: states[smtp.outgoing], sentence: sentences[smtp.outgoing] }
}

function names({ smtp: { hostname, addresses, outgoing: way } }: Installation): Check {
  const { name, fits, differs, unknown, relay, sentences } = words.installation.names
  const check = { name, sentence: sentences.fits(hostname) }
  if (way === 'relay') return { ...check, tone: 'ok', state: relay, sentence: sentences.relay }
  if (addresses.length === 0) return { ...check, tone: 'none', state: unknown, sentence: sentences.unknown(hostname) }
  const wrong = addresses.filter(({ matches }) => !matches).map(({ address }) => address)
  if (wrong.length === 0) return { ...check, tone: 'ok', state: fits }
  return { ...check, tone: 'warn', state: differs, sentence: sentences.differs(hostname, wrong.join(', ')) }
}

function certificate({ tls: { expiresAt } }: Installation, now: number): Check {
  const { name, left, none, sentences } = words.installation.certificate
  if (expiresAt === null) return { name, tone: 'none', state: none, sentence: sentences.none }
  const days = Math.floor((Date.parse(expiresAt) - now) / DAY_MS)
  return days < CERTIFICATE_DAYS
    ? { name, tone: 'warn', state: left(Math.max(0, days)), sentence: sentences.ending }
    : { name, tone: 'ok', state: left(days), sentence: sentences.valid }
}

function publicUrl({ publicUrl: { url, https } }: Installation): Check {
  const { name, secure, insecure, sentences } = words.installation.publicUrl
  return https
    ? { name, tone: 'ok', state: secure, sentence: sentences.secure(url) }
    : { name, tone: 'warn', state: insecure, sentence: sentences.insecure(url) }
}

/** Until the operator has said so there is a notice in its place. */
function masterKey(): Check {
  const { name, kept, sentences } = words.installation.masterKey
  return { name, tone: 'ok', state: kept, sentence: sentences.kept }
}
