/** Which peers this machine has. What is missing is installed where that is allowed, else named and left out. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { TestProject } from 'vitest/node'

interface Peer {
  /** Or several, with spaces between them. */
  package: string
  /** What of it is run. */
  command: string
  /** Answers its version; a command that fails is as good as none. */
  version: readonly [string, ...string[]]
  /** It changes its user, and cannot be run by anybody else. */
  needsRoot?: true
}

/** Debian's own Python, whatever others there are: its packages are for no other. */
export const debianPython = '/usr/bin/python3'

const peers = {
  postfix: { package: 'postfix', command: 'postfix', version: ['postconf', '-dh', 'mail_version'], needsRoot: true },
  smtpSink: { package: 'postfix', command: 'smtp-sink', version: ['postconf', '-dh', 'mail_version'] },
  exim: {
    package: 'exim4-daemon-light',
    command: 'exim4',
    version: ['exim4', '-C', '/dev/null', '-bV'],
    needsRoot: true,
  },
  swaks: {
    package: 'swaks libnet-ssleay-perl',
    command: 'swaks',
    version: ['sh', '-c', 'perl -MNet::SSLeay -e 1 && swaks --version'],
  },
  opendkim: { package: 'opendkim', command: 'opendkim', version: ['opendkim', '-V'] },
  dkimpy: {
    package: 'python3-dkim',
    command: 'dkimverify',
    version: [debianPython, '-c', "import dkim, importlib.metadata as m; print(m.version('dkimpy'))"],
  },
  promtool: { package: 'prometheus', command: 'promtool', version: ['promtool', '--version'] },
  rspamd: { package: 'rspamd', command: 'rspamd', version: ['rspamd', '--version'] },
} as const satisfies Record<string, Peer>

type PeerName = keyof typeof peers

declare module 'vitest' {
  interface ProvidedContext {
    /** The program of each peer that can be tested here. */
    peers: Partial<Record<PeerName, string>>
  }
}

/** Mail servers live where only root looks. */
export const searchPath = [process.env['PATH'], '/usr/local/sbin', '/usr/sbin', '/sbin'].filter(Boolean).join(delimiter)

const isRoot = process.getuid?.() === 0
const names = Object.keys(peers) as PeerName[]

export default function setUp({ provide }: TestProject): () => void {
  const unpacked = mkdtempSync(join(tmpdir(), 'posthouse-peers-'))
  const found = new Map<PeerName, { program: string; version: string }>()
  const lookFor = (places: string) => {
    for (const name of names) {
      const peer = find(peers[name], places)
      if (peer) found.set(name, peer)
    }
  }
  lookFor(searchPath)
  const missing = names.filter((name) => !found.has(name)).map((name) => peers[name].package)
  if (missing.length > 0 && isRoot && has('apt-get')) {
    install([...new Set(missing)], unpacked)
    lookFor([searchPath, join(unpacked, 'usr', 'sbin')].join(delimiter))
  }
  const usable = names.filter((name) => found.has(name) && (isRoot || !('needsRoot' in peers[name])))
  provide('peers', Object.fromEntries(usable.map((name) => [name, found.get(name)!.program])))
  const report = () => {
    for (const name of usable) console.log(`peer ${name}: ${found.get(name)!.version}`)
    for (const name of names.filter((name) => !usable.includes(name))) {
      console.log(`SKIPPED ${name}: ${found.has(name) ? 'only root can run it' : `not installed; ${advice(name)}`}`)
    }
  }
  report()
  return () => {
    rmSync(unpacked, { recursive: true })
    report()
  }
}

const advice = (name: PeerName): string =>
  `as root: apt-get install --no-install-recommends ${peers[name].package}` +
  (name === 'exim' ? ' (on a machine without Postfix: Debian lets only one of them in)' : '')

function find({ command, version }: Peer, places: string): { program: string; version: string } | undefined {
  const env = { ...process.env, PATH: places }
  const at = spawnSync('sh', ['-c', `command -v ${command}`], { env, encoding: 'utf8' })
  const [program, ...args] = version
  const said = spawnSync(program, args, { env, encoding: 'utf8' })
  if (at.status !== 0 || said.status !== 0) return undefined
  return { program: at.stdout.trim(), version: said.stdout.trim().split('\n')[0] ?? '' }
}

const has = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0

function install(packages: readonly string[], unpacked: string): void {
  console.log(`Installing ${packages.join(', ')} …`)
  const restore = forbidServices()
  try {
    for (const one of packages) {
      if (one === peers.exim.package) unpackExim(unpacked)
      else withFreshLists(() => aptInstall(one.split(' ')))
    }
  } finally {
    restore()
  }
}

/** At once, or after asking what there is: a new machine does not know yet. */
const withFreshLists = (attempt: () => boolean): boolean => attempt() || (run('apt-get', ['update', '-q']) && attempt())

/** Nobody's mail server is replaced, and none is started. */
const aptInstall = (packages: readonly string[]): boolean =>
  run('apt-get', ['install', '-y', '-q', '--no-remove', '--no-install-recommends', ...packages])

/** Debian installs one mail server at a time. Exim is one program, which runs from anywhere once it has its libraries. */
function unpackExim(folder: string): void {
  const archives = join(folder, 'archives')
  mkdirSync(archives)
  const download = () => run('sh', ['-c', `cd '${archives}' && apt-get download -q ${peers.exim.package}`])
  if (!withFreshLists(download)) return
  run('sh', ['-c', `dpkg -x '${archives}'/*.deb '${folder}'`])
  const needs = spawnSync('sh', ['-c', `dpkg-deb -f '${archives}'/*.deb Depends`], { encoding: 'utf8' }).stdout
  aptInstall(needs.split(',').flatMap((need) => /^\s*(lib[^\s(|]+)/.exec(need)?.[1] ?? []))
  // It looks for its user before it reads that it shall be another.
  if (!run('id', ['Debian-exim'])) {
    run('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      '--badname',
      'Debian-exim',
    ])
  }
}

const serviceGuard = '/usr/sbin/policy-rc.d'

function forbidServices(): () => void {
  if (existsSync(serviceGuard)) return () => {}
  writeFileSync(serviceGuard, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  return () => rmSync(serviceGuard)
}

function run(command: string, args: readonly string[]): boolean {
  const env = { ...process.env, PATH: searchPath, DEBIAN_FRONTEND: 'noninteractive' }
  const { status, stdout, stderr } = spawnSync(command, args, { env, encoding: 'utf8' })
  if (status !== 0 && command !== 'id') console.log(`${command} ${args.join(' ')}\n${stdout}${stderr}`)
  return status === 0
}
