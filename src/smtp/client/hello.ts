/** Opens a session: the client reads the greeting, sends EHLO, starts TLS and sends EHLO again, then authenticates. */
import { replyFrom } from '../../mail/replies/reply.ts'
import type { Result, Stage, Timeouts } from './attempt.ts'
import { authenticate, type Credentials } from './auth.ts'
import type { Transcript } from './transcript.ts'
import { noCapabilities, parseCapabilities, type Capabilities } from './capabilities.ts'
import type { ReplyOrClosed, Wire } from './wire.ts'

export interface Introduction {
  /** The name we give in EHLO, always the same. */
  name: string
  timeouts: Timeouts
  /** `demanded` ends the session without TLS; `never` does not use TLS even where the server offers it. */
  tls: 'if offered' | 'demanded' | 'never'
  /** Encrypts the connection and returns undefined, or the reason why that failed. */
  encrypt: () => Promise<string | undefined>
  credentials?: Credentials | undefined
  transcript: Transcript
}

export type Introduced =
  | { kind: 'introduced'; capabilities: Capabilities }
  | { kind: 'failed'; result: Result & { kind: 'refused' | 'lost' } }

export async function introduce(wire: Wire, introduction: Introduction): Promise<Introduced> {
  const greeting = await hear(wire, introduction.transcript, introduction.timeouts.greeting)
  if (greeting.kind === 'closed' || greeting.code !== 220) return failed('greeting', greeting)
  const hello = await sendEhlo(wire, introduction)
  if (hello.kind === 'failed') return hello
  const secured = await startTls(wire, introduction, hello.capabilities)
  if (secured.kind === 'failed') return secured
  const { credentials, timeouts, transcript } = introduction
  if (credentials === undefined) return secured
  const refusal = await authenticate(wire, credentials, secured.capabilities.auth, timeouts.command, transcript)
  return refusal ? failed('auth', refusal) : secured
}

/** RFC 5321 §3.2: a server that does not know EHLO gets a HELO, and has no capabilities. */
async function sendEhlo(wire: Wire, { name, timeouts, transcript }: Introduction): Promise<Introduced> {
  const answer = await ask(wire, transcript, `EHLO ${name}\r\n`, timeouts.command)
  if (answer.kind === 'reply' && answer.code === 250) {
    return { kind: 'introduced', capabilities: parseCapabilities(answer.lines) }
  }
  if (answer.kind === 'closed' || answer.code < 500) return failed('ehlo', answer)
  const second = await ask(wire, transcript, `HELO ${name}\r\n`, timeouts.command)
  if (second.kind === 'closed' || second.code !== 250) return failed('ehlo', second)
  return { kind: 'introduced', capabilities: noCapabilities }
}

async function startTls(wire: Wire, introduction: Introduction, capabilities: Capabilities): Promise<Introduced> {
  const { tls, timeouts, encrypt, transcript } = introduction
  const plain: Introduced = { kind: 'introduced', capabilities }
  if (tls === 'never') return plain
  if (!capabilities.startTls) return tls === 'demanded' ? withoutTls('the server offers no TLS') : plain
  const answer = await ask(wire, transcript, 'STARTTLS\r\n', timeouts.command)
  if (answer.kind === 'closed' || answer.code === 421) return failed('tls', answer)
  if (answer.code !== 220) return tls === 'demanded' ? withoutTls('the server refused to start TLS') : plain
  const reason = await encrypt()
  if (reason !== undefined) return withoutTls(reason)
  // RFC 3207 §4.2: the client must forget the capabilities that it learned before TLS.
  return sendEhlo(wire, introduction)
}

function ask(wire: Wire, transcript: Transcript, command: string, timeoutMs: number): Promise<ReplyOrClosed> {
  wire.write(command)
  transcript.said(command)
  return hear(wire, transcript, timeoutMs)
}

async function hear(wire: Wire, transcript: Transcript, timeoutMs: number): Promise<ReplyOrClosed> {
  const answer = await wire.readReply(timeoutMs)
  if (answer.kind === 'reply') transcript.heard(answer)
  return answer
}

const withoutTls = (reason: string): Introduced => ({
  kind: 'failed',
  result: { kind: 'lost', stage: 'tls', reason, timedOut: false },
})

/** A reply of a kind that has no place here is as good as none. */
function failed(stage: Stage, answer: ReplyOrClosed): Introduced {
  if (answer.kind === 'closed') {
    return { kind: 'failed', result: { kind: 'lost', stage, reason: answer.reason, timedOut: answer.timedOut } }
  }
  if (answer.code < 400) {
    const reason = `an unexpected reply: ${answer.code}`
    return { kind: 'failed', result: { kind: 'lost', stage, reason, timedOut: false } }
  }
  return { kind: 'failed', result: { kind: 'refused', stage, reply: replyFrom(answer.code, answer.lines) } }
}
