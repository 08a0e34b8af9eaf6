import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { privateFolder } from './foreground.ts'
import type { Judge, Verdict } from './verdict.ts'

/** The filter itself, in the mode in which it evaluates files and ends. `dns` as in `DNS_SERVERS`. */
export function opendkim(program: string, dns: string): Judge {
  const folder = privateFolder('opendkim')
  const file = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const resolver = file('resolver.conf', forwardTo(dns.replace(':', '@')))
  const configuration = file('opendkim.conf', settings(resolver))
  return async (messages) => {
    const files = messages.map((message, i) => file(`${i}.eml`, message))
    const args = ['-x', configuration, '-vv', '-t', files.join(',')]
    const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 64 * 1024 * 1024 })
    const results = stdout.split("hname='Authentication-Results'").slice(1)
    if (results.length !== messages.length) throw new Error(`${results.length} results: ${stdout}`)
    return results.map(readResults)
  }
}

const forwardTo = (dns: string): string => `
server:
  do-not-query-localhost: no
  module-config: "iterator"
forward-zone:
  name: "."
  forward-addr: ${dns}
`

const settings = (resolver: string): string => `
Mode v
Socket inet:1@127.0.0.1
ResolverConfiguration ${resolver}
AlwaysAddARHeader yes
AuthservID judge
`

const readResults = (text: string): Verdict =>
  Object.fromEntries(
    [...text.matchAll(/^\s*dkim=(\w+)[^;]*?(?:;[^;]*?)??header\.s=(\w+)/gm)].map(([, result, selector = '']) => [
      selector,
      result === 'pass' ? 'pass' : 'fail',
    ]),
  )
