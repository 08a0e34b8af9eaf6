import { bytesOf } from '../../core/answer-bytes.ts'
import type { Sender } from './authentication.ts'

const PATIENCE_MS = 10_000
/** It names every rule that applied, and some of those quote the message. */
const MAX_BYTES = 1024 * 1024

/** Asks rspamd for the score of a message; null when it does not answer: a filter that is down must not delay mail. */
export async function spamScore(url: string, message: Buffer, sender: Sender): Promise<number | null> {
  try {
    const response = await fetch(new URL('checkv2', url.endsWith('/') ? url : `${url}/`), {
      method: 'POST',
      headers: headersOf(sender),
      body: new Uint8Array(message),
      redirect: 'manual', // Somebody's mail is for the one whom the operator named.
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const { score } = JSON.parse((await bytesOf(response, MAX_BYTES)).toString()) as { score?: unknown }
    return response.ok && typeof score === 'number' ? storable(score) : null
  } catch {
    return null
  }
}

/** It is kept in four octets; one that does not fit there would make the whole message unreadable. */
function storable(score: number): number | null {
  const rounded = Math.fround(score)
  return Number.isFinite(rounded) ? rounded : null
}

/** A header carries only ASCII, and names and addresses may be in any script. */
const headersOf = ({ address, helo, envelopeFrom }: Sender): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ IP: address, Helo: helo, From: envelopeFrom }).filter(([, value]) => /^[!-~]+$/.test(value)),
  )
