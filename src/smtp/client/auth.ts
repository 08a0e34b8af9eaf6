import type { Transcript } from './transcript.ts'
import type { ReplyOrClosed, Wire } from './wire.ts'

export interface Credentials {
  user: string
  password: string
}

/**
 * Authenticates with the two mechanisms that every smarthost has (RFC 4954). Returns undefined on success, otherwise
 * the reply.
 */
export async function authenticate(
  wire: Wire,
  { user, password }: Credentials,
  offered: ReadonlySet<string>,
  timeoutMs: number,
  transcript: Transcript,
): Promise<ReplyOrClosed | undefined> {
  // PLAIN takes one round trip; the client also tries it where the server announces no mechanism.
  const isLogin = offered.has('LOGIN') && !offered.has('PLAIN')
  const commands = isLogin
    ? ['AUTH LOGIN', base64(user), base64(password)]
    : [`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`]
  for (const command of commands) {
    wire.write(`${command}\r\n`)
    transcript.said(STRUCK_OUT)
    const answer = await wire.readReply(timeoutMs)
    if (answer.kind === 'closed') return answer
    // An agreement says nothing but that, and may name the account.
    if (answer.code < 400) transcript.heard({ ...answer, lines: ['***'] })
    if (answer.code === 235) return undefined
    if (answer.code === 334) continue
    const refusal = { ...answer, lines: answer.lines.map((line) => withoutSecrets(line, password, commands)) }
    transcript.heard(refusal)
    return refusal
  }
  return { kind: 'closed', reason: 'the server asks for more than name and password', timedOut: false }
}

/** In place of the mechanism, the name and the password. */
const STRUCK_OUT = 'AUTH ***'

/**
 * Many servers repeat a command that they did not understand, or the beginning of it. Their reply becomes an event that
 * every project can read, and the password belongs to the operator.
 */
function withoutSecrets(line: string, password: string, commands: readonly string[]): string {
  const secrets = commands.flatMap((command) => command.split(' ')).filter((word) => !/^(AUTH|PLAIN|LOGIN)$/.test(word))
  const isSecret = (word: string): boolean => secrets.some((one) => one.includes(word))
  const clean = password.length < MIN_LENGTH ? line : line.replaceAll(password, '***')
  return clean.replaceAll(/[\w+/]{4,}=*/g, (word) => (isSecret(word) ? '***' : word))
}

/** A word that is shorter gives nothing away, and may stand in any text. */
const MIN_LENGTH = 4

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')
