/** Postfix as a relay on this machine, where it is installed: takes mail, keeps it safe, and hands it to the receiver. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { exportKey, generateRsaKey, importKey } from '../src/mail/compose/dkim-key.ts'
import { reachable, type Receiver } from './mail.ts'
import { freePort } from './node.ts'
import { perSecond } from './table.ts'

const MAILS = 3_000
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` }

const isInstalled = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`], { env, stdio: 'ignore' }).status === 0

/** Mails per second from smtp-source to the receiver; undefined where what it takes is not installed. */
export async function postfixRate(receiver: Receiver, isSigned: boolean): Promise<number | undefined> {
  const needed = ['postfix', 'smtp-source', ...(isSigned ? ['opendkim'] : [])]
  if (!needed.every(isInstalled)) return undefined
  return inFolder(async (folder, children) => {
    const milter = isSigned ? await startOpendkim(folder, children) : undefined
    const port = await startPostfix(folder, { ...passingOn(receiver.port), ...signedBy(milter) }, children)
    await deliver(folder, port, 300)
    const startedAt = performance.now()
    await deliver(folder, port, MAILS)
    return perSecond(MAILS, performance.now() - startedAt)
  })
}

/** A Postfix that takes everything, keeps it safe and throws it away; undefined where it is not installed. */
export async function withDiscardingPostfix<T>(work: (port: number) => Promise<T>): Promise<T | undefined> {
  if (!['postfix', 'smtp-source'].every(isInstalled)) return undefined
  return inFolder(async (folder, children) =>
    work(await startPostfix(folder, { default_transport: 'discard:', default_process_limit: '100' }, children)),
  )
}

/** Sends so many mails of 4 KB over ten sessions, and returns when all of them are taken. */
export async function runSmtpSource(port: number, to: string, mails: number, more: readonly string[]): Promise<void> {
  const source = ['-s', '10', '-l', '4096', '-m', String(mails), '-f', 'shop@bench.example', '-t', to, ...more]
  const child = spawn('smtp-source', [...source, `127.0.0.1:${port}`], { env, stdio: 'ignore' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`smtp-source ended with ${code}`)
}

async function inFolder<T>(work: (folder: string, children: ChildProcess[]) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'posthouse-bench-'))
  execFileSync('chmod', ['755', folder])
  const children: ChildProcess[] = []
  try {
    return await work(folder, children)
  } finally {
    for (const child of children.toReversed()) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

async function deliver(folder: string, port: number, mails: number): Promise<void> {
  await runSmtpSource(port, 'user@sink.test', mails, [])
  while (queued(folder) > 0) await sleep(50)
}

const queued = (folder: string): number =>
  ['maildrop', 'incoming', 'active', 'deferred'].reduce((sum, name) => sum + filesIn(join(folder, 'spool', name)), 0)

const filesIn = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length

const passingOn = (receiverPort: number): Record<string, string> => ({
  relayhost: `[127.0.0.1]:${receiverPort}`,
  smtp_host_lookup: 'native',
  default_process_limit: '100',
})

const signedBy = (milter: number | undefined): Record<string, string> =>
  milter === undefined
    ? {}
    : { smtpd_milters: `inet:127.0.0.1:${milter}`, milter_default_action: 'tempfail', milter_protocol: '6' }

async function startPostfix(folder: string, more: Record<string, string>, children: ChildProcess[]): Promise<number> {
  const port = await freePort()
  for (const name of ['etc', 'spool', 'data']) mkdirSync(join(folder, name))
  execFileSync('chown', ['postfix:', join(folder, 'data')])
  const settings: Record<string, string> = {
    compatibility_level: '3.6',
    queue_directory: `${folder}/spool`,
    data_directory: `${folder}/data`,
    maillog_file: `${folder}/data/log`,
    maillog_file_prefixes: folder,
    myhostname: 'mx.bench.example',
    mydestination: '',
    mynetworks: '127.0.0.0/8',
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    alias_maps: '',
    alias_database: '',
    smtpd_peername_lookup: 'no',
    ...more,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`)
  writeFileSync(join(folder, 'etc', 'main.cf'), lines.join(''))
  writeFileSync(join(folder, 'etc', 'master.cf'), services(port))
  execFileSync('postfix', ['-c', join(folder, 'etc'), 'check'], { env, stdio: 'ignore' })
  const daemons = execFileSync('postconf', ['-dh', 'daemon_directory'], { env, encoding: 'utf8' }).trim()
  children.push(spawn(join(daemons, 'master'), ['-s', '-c', join(folder, 'etc')], { env, stdio: 'ignore' }))
  await reachable(port)
  return port
}

const services = (port: number): string =>
  [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'proxymap unix - - n - - proxymap',
    'smtp unix - - n - - smtp',
    'relay unix - - n - - smtp',
    'error unix - - n - - error',
    'discard unix - - n - - discard',
    'retry unix - - n - - error',
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
    'postlog unix-dgram n - n - 1 postlogd',
    '',
  ].join('\n')

async function startOpendkim(folder: string, children: ChildProcess[]): Promise<number> {
  const port = await freePort()
  const key = importKey(exportKey(await generateRsaKey()))
  writeFileSync(join(folder, 'key.pem'), key.export({ format: 'pem', type: 'pkcs1' }), { mode: 0o600 })
  const settings = {
    Domain: 'bench.example',
    Selector: 'bench',
    KeyFile: join(folder, 'key.pem'),
    Socket: `inet:${port}@127.0.0.1`,
    Mode: 's',
    Canonicalization: 'relaxed/relaxed',
    InternalHosts: '127.0.0.1',
    RequireSafeKeys: 'no',
    Background: 'no',
    UserID: 'root',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`)
  writeFileSync(join(folder, 'opendkim.conf'), lines.join(''))
  children.push(spawn('opendkim', ['-f', '-x', join(folder, 'opendkim.conf')], { env, stdio: 'ignore' }))
  await reachable(port)
  return port
}
