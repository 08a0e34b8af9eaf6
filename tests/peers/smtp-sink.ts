import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateFolder, startDaemon, type Daemon } from './foreground.ts'

export interface SmtpSink extends Daemon {
  /** The recipients of every mail that it said yes to, once for each time. */
  taken(): string[]
}

interface Options {
  program: string
  address: string
  port: number
  /** Its own words for what it shall do wrong: `-q .`. */
  faults?: readonly string[]
}

/** Postfix's sink, which is one of the few servers that misbehave on request. */
export async function startSmtpSink({ program, address, port, faults = [] }: Options): Promise<SmtpSink> {
  const folder = join(privateFolder('smtp-sink'), 'taken')
  mkdirSync(folder)
  chmodSync(folder, 0o777)
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const daemon = await startDaemon(
    [program, ...user, '-d', join(folder, 'mail.'), ...faults, `inet:${address}:${port}`, '10'],
    { address, port },
  )
  return { ...daemon, taken: () => dumps(folder) }
}

const dumps = (folder: string): string[] =>
  readdirSync(folder).flatMap((file) => {
    const text = readFileSync(join(folder, file), 'latin1')
    return [...text.matchAll(/^X-Rcpt-Args: <(.*?)>/gm)].map(([, to = '']) => to)
  })
