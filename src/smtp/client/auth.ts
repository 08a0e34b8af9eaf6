import type { Heard, Wire } from './wire.ts'

export interface Credentials {
  user: string
  password: string
}

/** RFC 4954 with the two mechanisms that every smarthost has. Undefined when we are in, otherwise what was heard. */
export async function authenticate(
  wire: Wire,
  { user, password }: Credentials,
  offered: ReadonlySet<string>,
  timeoutMs: number,
): Promise<Heard | undefined> {
  // PLAIN takes one round trip; it is also what to try where nothing is announced.
  const isLogin = offered.has('LOGIN') && !offered.has('PLAIN')
  const sayings = isLogin
    ? ['AUTH LOGIN', base64(user), base64(password)]
    : [`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`]
  for (const saying of sayings) {
    wire.send(`${saying}\r\n`)
    const heard = await wire.hear(timeoutMs)
    if (heard.kind === 'reply' && heard.code === 235) return undefined
    if (heard.kind === 'gone') return heard
    if (heard.code !== 334)
      return { ...heard, lines: heard.lines.map((line) => withoutSecrets(line, password, sayings)) }
  }
  return { kind: 'gone', reason: 'the server asks for more than name and password', timedOut: false }
}

/**
 * Many servers repeat what they did not understand, some only the beginning of it. What they say becomes an event that
 * every project can read, and the password is the operator's.
 */
function withoutSecrets(line: string, password: string, sayings: readonly string[]): string {
  const said = sayings.flatMap((saying) => saying.split(' ')).filter((word) => !/^(AUTH|PLAIN|LOGIN)$/.test(word))
  const isSaid = (word: string): boolean => said.some((one) => one.includes(word))
  const clean = password.length < MIN_LENGTH ? line : line.replaceAll(password, '***')
  return clean.replaceAll(/[\w+/]{4,}=*/g, (word) => (isSaid(word) ? '***' : word))
}

/** A word that is shorter gives nothing away, and may stand in any text. */
const MIN_LENGTH = 4

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')
