import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateFolder, startDaemon, type Daemon } from './foreground.ts'
import { readMaildir, type Arrived } from './maildir.ts'

export interface Exim extends Daemon {
  received(): Arrived[]
}

interface Options {
  program: string
  address: string
  port: number
  domain: string
}

/** Exim with every check of syntax that it has, for every mailbox of one domain, in a Maildir. */
export async function startExim({ program, address, port, domain }: Options): Promise<Exim> {
  const folder = privateFolder('exim')
  for (const name of ['spool', 'log', 'mail']) mkdirSync(join(folder, name))
  const configuration = join(folder, 'exim.conf')
  writeFileSync(configuration, settings(folder, address, port, domain))
  execFileSync('chown', ['-R', 'mail:mail', folder])
  execFileSync('chown', ['root:root', configuration])
  const daemon = await startDaemon([program, '-C', configuration, '-bdf'], { address, port })
  return { ...daemon, received: () => readMaildir(join(folder, 'mail')) }
}

/** Delivers as the user that it receives as: unpacked from its package, it has no other way. */
const settings = (folder: string, address: string, port: number, domain: string): string => `
exim_user = mail
exim_group = mail
deliver_drop_privilege = true
never_users =
spool_directory = ${folder}/spool
log_file_path = ${folder}/log/%s
pid_file_path = ${folder}/exim.pid
primary_hostname = mx.${domain}
local_interfaces = ${address}
daemon_smtp_ports = ${port}
domainlist served = ${domain}
host_lookup =
rfc1413_hosts =
smtputf8_advertise_hosts = *
tls_advertise_hosts =
smtp_enforce_sync = true
helo_verify_hosts =
acl_smtp_rcpt = rcpt
acl_smtp_data = data
begin acl
rcpt:
  deny message = not ours
       !domains = +served
  accept
data:
  deny message = a header that is not well formed
       !verify = header_syntax
  deny message = a name of a header that is not ASCII
       !verify = header_names_ascii
  accept
begin routers
all:
  driver = accept
  domains = +served
  transport = inbox
begin transports
inbox:
  driver = appendfile
  directory = ${folder}/mail
  maildir_format
  create_directory
  delivery_date_add
  envelope_to_add
  return_path_add
  user = mail
  group = mail
`
