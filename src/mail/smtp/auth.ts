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
    if (heard.kind === 'gone' || heard.code !== 334) return heard
  }
  return { kind: 'gone', reason: 'the server asks for more than name and password', timedOut: false }
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')
