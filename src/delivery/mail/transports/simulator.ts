/** Takes mail for addresses at the simulator domain: every outcome can be had without a socket. */
import type { Clock } from '../../../core/clock.ts'
import { ownReply } from '../../../mail/replies/reply.ts'
import type { Result } from '../../../smtp/client/attempt.ts'
import { Transcript } from '../../../smtp/client/transcript.ts'
import type { Outgoing, Sent, Transport } from './transport.ts'

export interface SimulatorOptions {
  clock: Clock
  /** Ends early, without an error, when the signal aborts. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>
}

const SLOW_MS = 10_000

export class SimulatorTransport implements Transport {
  readonly #options: SimulatorOptions

  constructor(options: SimulatorOptions) {
    this.#options = options
  }

  async send(mail: Outgoing): Promise<Sent> {
    const { clock, wait } = this.#options
    const startedAt = clock.now()
    const part = partOf(mail.to)
    if (part === 'slow') await wait(SLOW_MS, mail.signal)
    const result = await play(part, mail)
    const pretend = pretences[part]
    return {
      result,
      peer: undefined,
      milliseconds: clock.now() - startedAt,
      transcripts: [simulated(mail, result, () => clock.now())],
      ...(pretend ? { pretend } : {}),
    }
  }

  async stop(): Promise<void> {
    // Nothing is kept open.
  }
}

/** `bounced+whatever@…` plays `bounced`. */
const partOf = (address: string): string =>
  address.slice(0, address.lastIndexOf('@')).replace(/\+.*$/, '').toLowerCase()

const pretences: Readonly<Record<string, Sent['pretend']>> = { complained: 'complaint', suppressed: 'suppression' }

async function play(part: string, mail: Outgoing): Promise<Result> {
  if (mail.signal?.aborted) return { kind: 'returned', reason: 'given up' }
  if (part === 'suppressed') return { kind: 'declined', reply: ownReply(550, '5.7.1', 'simulated suppression') }
  if (part === 'bounced') {
    return { kind: 'refused', stage: 'rcpt', reply: ownReply(550, '5.1.1', 'simulated: no such user here') }
  }
  const pause = part === 'deferred' ? pauses[mail.attempts] : undefined
  if (pause !== undefined) {
    const text = `simulated: not now, try again in ${pause} second${pause === 1 ? '' : 's'}`
    return { kind: 'refused', stage: 'rcpt', reply: ownReply(451, '4.7.1', text) }
  }
  return accept(part, mail)
}

/** What a server that answers like this would have heard and said. */
function simulated({ to }: Outgoing, result: Result, now: () => number): Transcript {
  const transcript = new Transcript(now)
  if (result.kind !== 'refused' && result.kind !== 'accepted') return transcript
  const { code, enhanced, text } = result.reply
  transcript.said(result.kind === 'refused' ? `RCPT TO:<${to}>` : '.')
  transcript.heard({ kind: 'reply', code, lines: [[enhanced, text].filter(Boolean).join(' ')] })
  return transcript
}

/** How many seconds `deferred` asks for after the first and the second attempt. */
const pauses: readonly number[] = [1, 2]

/** Content and permission are asked for as on a real connection, so that what fails there fails here too. */
async function accept(part: string, mail: Outgoing): Promise<Result> {
  let size = 0
  for await (const chunk of mail.content()) size += chunk.length
  if (!(await mail.beforeDot())) return { kind: 'withheld' }
  const words = part === 'quarantined' ? 'simulated: message quarantined' : `simulated: ${size} octets taken`
  return { kind: 'accepted', reply: ownReply(250, part === 'quarantined' ? '2.6.0' : '2.0.0', words) }
}
