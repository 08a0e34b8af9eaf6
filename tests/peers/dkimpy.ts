import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { privateFolder } from './foreground.ts'
import { debianPython } from './packages.ts'
import { selectorsOf, type Judge } from './verdict.ts'

const script = `
import json, sys
import dkim, dns.resolver

resolver = dns.resolver.Resolver(configure=False)
host, port = sys.argv[1].split(':')
resolver.nameservers, resolver.port = [host], int(port)

def txt(name, timeout=5):
    return b''.join(resolver.resolve(name.decode(), 'TXT')[0].strings)

def verdict(message, i):
    try:
        return dkim.DKIM(message).verify(idx=i, dnsfunc=txt)
    except dkim.DKIMException as problem:
        print(problem, file=sys.stderr)
        return False

def verdicts(path):
    message = open(path, 'rb').read()
    count = sum(name.lower() == b'dkim-signature' for name, _ in dkim.DKIM(message).headers)
    return [verdict(message, i) for i in range(count)]

print(json.dumps([verdicts(path) for path in sys.argv[2:]]))
`

/** `dns` as in `DNS_SERVERS`. */
export function dkimpy(dns: string): Judge {
  const folder = privateFolder('dkimpy')
  return async (messages) => {
    const files = messages.map((message, i) => {
      writeFileSync(join(folder, `${i}.eml`), message)
      return join(folder, `${i}.eml`)
    })
    const { stdout } = await promisify(execFile)(debianPython, ['-c', script, dns, ...files])
    const judged = JSON.parse(stdout) as boolean[][]
    return messages.map((message, at) => {
      const selectors = Object.values(selectorsOf(message))
      return Object.fromEntries(selectors.map((selector, i) => [selector, judged[at]?.[i] === true ? 'pass' : 'fail']))
    })
  }
}
