import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, privateFolder, startDaemon } from './foreground.ts'
import type { Judge, Verdict } from './verdict.ts'

interface Checked {
  symbols: Record<string, { options?: string[] }>
}

/** One worker with the DKIM module and nothing else. `dns` as in `DNS_SERVERS`. */
export async function startRspamd(program: string, dns: string): Promise<Judge> {
  const folder = privateFolder('rspamd')
  const [address, port] = ['127.0.0.1', await freePort()]
  const configuration = join(folder, 'rspamd.conf')
  writeFileSync(join(folder, 'rules.lua'), '')
  writeFileSync(configuration, settings(folder, dns, `${address}:${port}`))
  const isRoot = process.getuid?.() === 0
  if (isRoot) execFileSync('chown', ['-R', '_rspamd:', folder])
  const user = isRoot ? ['-u', '_rspamd', '-g', '_rspamd'] : []
  await startDaemon([program, '-f', ...user, '-c', configuration], { address, port })
  return async (messages) => {
    const verdicts: Verdict[] = []
    for (const message of messages) {
      const answer = await fetch(`http://${address}:${port}/checkv2`, {
        method: 'POST',
        headers: { ip: '203.0.113.9' },
        body: new Uint8Array(message),
      })
      verdicts.push(readSymbols((await answer.json()) as Checked))
    }
    return verdicts
  }
}

function readSymbols({ symbols }: Checked): Verdict {
  const selectors = (symbol: string): string[] =>
    (symbols[symbol]?.options ?? []).flatMap((option) => /:s=(\w+)/.exec(option)?.[1] ?? [])
  const mark = (symbol: string, word: 'pass' | 'fail') => selectors(symbol).map((selector) => [selector, word] as const)
  return Object.fromEntries([
    ...mark('R_DKIM_ALLOW', 'pass'),
    ...['R_DKIM_REJECT', 'R_DKIM_TEMPFAIL', 'R_DKIM_PERMFAIL'].flatMap((symbol) => mark(symbol, 'fail')),
  ])
}

const settings = (folder: string, dns: string, socket: string): string => `
options {
  filters = "dkim";
  tempdir = "${folder}";
  hs_cache_dir = "${folder}";
  control_socket = "${folder}/control.sock mode=0600";
  history_file = "${folder}/history";
  dns { nameserver = ["${dns}"]; timeout = 2s; retransmits = 3; }
}
logging { type = "console"; level = "info"; }
worker "normal" { bind_socket = "${socket}"; count = 1; task_timeout = 20s; }
dkim { time_jitter = 6h; trusted_only = false; check_local = true; check_authed = true; }
lua = "${folder}/rules.lua";
`
