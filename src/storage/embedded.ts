/**
 * The PostgreSQL that comes with us, for everybody who does not name one in DATABASE_URL.
 *
 * The postmaster runs in a process group of its own, so that Ctrl-C reaches us and not it: we stop it last. When we
 * are killed it goes on, and the next start finds it through `postmaster.pid` and adopts it.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  closeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SetupError } from '../core/errors.ts'
import { isRoot, locateBinaries, NOBODY, type Binaries } from './embedded-binaries.ts'

export interface EmbeddedPostgres {
  url: string
  pid: number
  /** Whether it was already running when we came. */
  adopted: boolean
  /** Resolves when the postmaster is gone, for whatever reason. */
  exited: Promise<void>
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  /** Extra settings as `name=value`. */
  settings?: readonly string[]
  /** Told before the slow steps of a first start. */
  progress?: (step: string) => void
}

const DATABASE = 'posthouse'
const READY_TIMEOUT_MS = 120_000
const POLL_MS = 20

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = prepareDirectory(resolve(options.dataDir))
  const binaries = locateBinaries()
  const cluster = join(dataDir, 'postgres')
  if (existsSync(cluster)) refuseOtherMajor(cluster, binaries)
  else initialise(cluster, binaries, options.progress ?? (() => {}))

  const socket = socketDirectory(cluster)
  const maintenanceUrl = urlOf(socket, 'postgres')
  const running = runningPostmaster(cluster)
  const pid = running ?? launch(cluster, binaries, options.settings ?? [])
  await untilReady(maintenanceUrl, pid, join(dataDir, 'postgres.log'))
  await createDatabase(maintenanceUrl)
  const exited = untilGone(pid)
  return {
    url: urlOf(socket, DATABASE),
    pid,
    adopted: running !== undefined,
    exited,
    stop: () => stop(pid, exited),
  }
}

/** The address of the database if its postmaster is running now, for commands beside a running server. */
export function embeddedUrlIfRunning(dataDir: string): string | undefined {
  const cluster = join(resolve(dataDir), 'postgres')
  if (!existsSync(cluster) || runningPostmaster(cluster) === undefined) return undefined
  return urlOf(socketDirectory(cluster), DATABASE)
}

function prepareDirectory(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true })
    accessSync(dataDir, constants.W_OK)
    // `nobody` must pass through to its own folder; it cannot list what else is here.
    if (isRoot()) chmodSync(dataDir, 0o711)
    return dataDir
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SetupError(
      `The data directory ${dataDir} is not writable (${reason}). Change its owner or choose another with DATA_DIR.`,
    )
  }
}

function refuseOtherMajor(cluster: string, { major }: Binaries): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (found !== major) {
    throw new SetupError(
      `The data directory was made by PostgreSQL ${found}, this version of Posthouse brings PostgreSQL ${major}. ` +
        'Dump the database with the old version and restore it into a new DATA_DIR (docs/operations.md).',
    )
  }
}

/** Built beside its final place and moved there when complete, so a killed first start leaves nothing half-made. */
function initialise(cluster: string, binaries: Binaries, progress: (step: string) => void): void {
  progress('Creating the database (once) …')
  const half = `${cluster}.new`
  rmSync(half, { recursive: true, force: true })
  mkdirSync(half, { mode: 0o700 })
  if (isRoot()) chownSync(half, NOBODY, NOBODY)
  const { status, stderr, error } = spawnSync(
    join(binaries.directory, 'bin', 'initdb'),
    [
      `--pgdata=${pathForServer(half)}`,
      `--username=${DATABASE}`,
      '--auth=trust', // Only over the socket, which lies in a folder that only its owner may enter.
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--data-checksums',
    ],
    { ...asServerUser(half), encoding: 'utf8' },
  )
  if (status !== 0) throw new SetupError(`initdb failed: ${error?.message ?? stderr.trim()}`)
  renameSync(half, cluster)
}

function launch(cluster: string, binaries: Binaries, settings: readonly string[]): number {
  const log = openSync(`${cluster}.log`, 'a', 0o600)
  const server = spawn(
    join(binaries.directory, 'bin', 'postgres'),
    [
      '-D',
      pathForServer(cluster),
      '-k',
      '.',
      ...['listen_addresses=', 'unix_socket_permissions=0700', ...settings].flatMap((setting) => ['-c', setting]),
    ],
    { ...asServerUser(cluster), detached: true, stdio: ['ignore', log, log] },
  )
  closeSync(log)
  server.unref()
  if (server.pid === undefined) throw new SetupError(`${server.spawnfile} cannot be executed.`)
  return server.pid
}

/**
 * As root we become `nobody`, who may not be able to walk the path to the data directory (a clone in a 0700 home).
 * The working directory is entered before the rights are dropped, and /proc/self/cwd names it without a walk.
 */
const pathForServer = (cluster: string): string => (isRoot() ? '/proc/self/cwd' : cluster)

const asServerUser = (cwd: string) => ({
  cwd,
  env: { PATH: process.env['PATH'], TZ: 'UTC' },
  ...(isRoot() ? { uid: NOBODY, gid: NOBODY } : {}),
})

/** The pid of a live postmaster on this cluster. A stale file, or a pid that now belongs to another program, is none. */
function runningPostmaster(cluster: string): number | undefined {
  const pidFile = join(cluster, 'postmaster.pid')
  if (!existsSync(pidFile)) return undefined
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  if (isAlive(pid) && worksIn(pid, cluster)) return pid
  // After a restart of a container small pids are taken again, and PostgreSQL would take the stranger for itself.
  rmSync(pidFile, { force: true })
  return undefined
}

function worksIn(pid: number, cluster: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
  } catch {
    return spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes('postgres')
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A socket's address has room for 107 bytes; a data directory deeper than that is reached through a short link. */
const LONGEST_SOCKET_DIRECTORY = 107 - '/.s.PGSQL.5432'.length

function socketDirectory(cluster: string): string {
  if (Buffer.byteLength(cluster) <= LONGEST_SOCKET_DIRECTORY) return cluster
  const holder = mkdtempSync(join(tmpdir(), 'posthouse-'))
  const link = join(holder, 's')
  symlinkSync(cluster, link)
  process.once('exit', () => rmSync(holder, { recursive: true, force: true }))
  return link
}

const urlOf = (socket: string, database: string): string =>
  `postgres://${DATABASE}@/${database}?host=${encodeURIComponent(socket)}`

async function untilReady(url: string, pid: number, log: string): Promise<void> {
  for (const start = Date.now(); Date.now() - start < READY_TIMEOUT_MS; await sleep(POLL_MS)) {
    if (!isAlive(pid)) throw new SetupError(`PostgreSQL did not start. The end of ${log}:\n${endOf(log)}`)
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return
    } catch {
      // Not yet: it is starting, or recovering after a crash.
    } finally {
      await client.end().catch(() => {})
    }
  }
  throw new SetupError(`PostgreSQL is not ready after ${READY_TIMEOUT_MS / 1000} s; see ${log}.`)
}

const endOf = (file: string): string => readFileSync(file, 'utf8').trimEnd().split('\n').slice(-8).join('\n')

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`create database ${DATABASE}`)
  } catch (error) {
    if ((error as pg.DatabaseError).code !== '42P04') throw error // duplicate_database
  } finally {
    await client.end()
  }
}

async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(POLL_MS * 5, undefined, { ref: false })
}

/** SIGINT is a fast shutdown: sessions are cut, everything committed is on disk. */
async function stop(pid: number, exited: Promise<void>): Promise<void> {
  if (isAlive(pid)) process.kill(pid, 'SIGINT')
  const keepAwake = setInterval(() => {}, 1_000)
  await exited
  clearInterval(keepAwake)
}
