import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateFolder, startDaemon, type Daemon } from './foreground.ts'
import { readMaildir, type Arrived } from './maildir.ts'
import { searchPath } from './packages.ts'

export interface Postfix extends Daemon {
  received(): Arrived[]
  /** Replaces a file in the private folder. */
  setFile(path: string, content: string): void
}

interface Options {
  program: string
  address: string
  port: number
  domain: string
  /** Of main.cf, beside or instead of those below. `$here` is the private folder. */
  settings?: Record<string, string>
  files?: readonly (readonly [path: string, content: string])[]
}

/** Postfix at its strictest, for every mailbox of one domain, in a Maildir. */
export async function startPostfix({
  program,
  address,
  port,
  domain,
  settings = {},
  files = [],
}: Options): Promise<Postfix> {
  const folder = privateFolder('postfix')
  for (const name of ['etc', 'spool', 'data', 'mail']) mkdirSync(join(folder, name))
  for (const name of ['data', 'mail']) execFileSync('chown', ['postfix:', join(folder, name)])
  const owner = execFileSync('id', ['-u', 'postfix'], { encoding: 'utf8' }).trim()
  const complete = { ...own(folder, domain, owner), ...strict, ...settings }
  const lines = Object.entries(complete).map(
    ([name, value]) => `${name} = ${value.replaceAll('$here', folder)}
`,
  )
  writeFileSync(join(folder, 'etc', 'main.cf'), lines.join(''))
  writeFileSync(join(folder, 'etc', 'master.cf'), services(address, port))
  for (const [path, content] of files) writeFileSync(join(folder, path), content)
  const log = join(folder, 'data', 'log')
  execFileSync(program, ['-c', join(folder, 'etc'), 'check'])
  // What `postfix start-fg` runs as well, but as a child of a child, which would outlive it.
  const master = join(execFileSync('postconf', ['-dh', 'daemon_directory'], inDebian).trim(), 'master')
  const daemon = await startDaemon([master, '-s', '-c', join(folder, 'etc')], { address, port })
  return {
    ...daemon,
    log: () => (existsSync(log) ? readFileSync(log, 'utf8') : daemon.log()),
    received: () => readMaildir(join(folder, 'mail', 'inbox')),
    setFile: (path, content) => writeFileSync(join(folder, path), content),
  }
}

const inDebian = { encoding: 'utf8', env: { PATH: searchPath } } as const

const own = (folder: string, domain: string, owner: string): Record<string, string> => ({
  compatibility_level: '3.6',
  queue_directory: `${folder}/spool`,
  data_directory: `${folder}/data`,
  maillog_file: `${folder}/data/log`,
  maillog_file_prefixes: folder,
  myhostname: `mx.${domain}`,
  mydestination: '',
  mynetworks: '192.0.2.1/32',
  // Where it listens is said with the service; here it would have to be an address that is configured.
  inet_interfaces: '127.0.0.1',
  inet_protocols: 'ipv4',
  alias_maps: '',
  alias_database: '',
  smtpd_peername_lookup: 'no',
  virtual_mailbox_domains: domain,
  virtual_mailbox_base: `${folder}/mail`,
  virtual_mailbox_maps: 'static:inbox/',
  virtual_uid_maps: `static:${owner}`,
  virtual_gid_maps: `static:${owner}`,
  message_size_limit: '52428800',
  virtual_mailbox_limit: '0',
})

const strict: Record<string, string> = {
  smtpd_forbid_bare_newline: 'reject',
  smtpd_forbid_bare_newline_exclusions: '',
  smtpd_forbid_unauth_pipelining: 'yes',
  smtpd_helo_required: 'yes',
  smtpd_helo_restrictions: 'reject_invalid_helo_hostname, reject_non_fqdn_helo_hostname',
  smtpd_sender_restrictions: 'reject_non_fqdn_sender',
  smtpd_recipient_restrictions: 'reject_non_fqdn_recipient, reject_unauth_destination',
  smtpd_relay_restrictions: 'reject_unauth_destination',
  smtpd_data_restrictions: 'reject_unauth_pipelining, reject_multi_recipient_bounce',
  strict_rfc821_envelopes: 'yes',
  strict_8bitmime_body: 'yes',
  strict_7bit_headers: 'yes',
  strict_mime_encoding_domain: 'yes',
  strict_smtputf8: 'yes',
  message_reject_characters: '\\0',
  disable_vrfy_command: 'yes',
  // One mistake of ours is one too many.
  smtpd_soft_error_limit: '1',
  smtpd_hard_error_limit: '2',
}

/** No service leaves the private folder for a chroot, so that all of them read the same tables. */
const services = (address: string, port: number): string =>
  [
    `${address}:${port} inet n - n - - smtpd`,
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'proxymap unix - - n - - proxymap',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'virtual unix - n n - - virtual',
    'smtp unix - - n - - smtp',
    'relay unix - - n - - smtp',
    'anvil unix - - n - 1 anvil',
    'postlog unix-dgram n - n - 1 postlogd',
    '',
  ].join('\n')
