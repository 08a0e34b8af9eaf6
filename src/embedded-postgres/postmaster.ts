import { spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from '../core/errors.ts'
import type { User } from './data-directory.ts'
import type { Binaries } from './binaries.ts'

const POLL_MS = 50
/** We look this often whether the server still runs. Starting another one takes longer. */
const WATCH_MS = 250

/** Rows, parameters and statements are customers' data, which a log is no place for; the first line of an error stays. */
const silentAboutRows = [
  'log_error_verbosity=terse',
  'log_min_error_statement=panic',
  'log_parameter_max_length=0',
  'log_parameter_max_length_on_error=0',
]

export const logOf = (cluster: string): string => `${cluster}.log`

const MAX_LOG_SIZE = 10 * 1_048_576

/** The server goes on writing at the end of the file, wherever that is; what was there stays in one older file. */
export function boundLog(cluster: string): void {
  const log = openLog(cluster)
  try {
    if (fstatSync(log).size < MAX_LOG_SIZE) return
    rmSync(`${logOf(cluster)}.1`, { force: true })
    copyTo(`${logOf(cluster)}.1`, log)
    ftruncateSync(log)
  } finally {
    closeSync(log)
  }
}

/** From the file that is open, for its name may mean another one by now. */
function copyTo(path: string, log: number): void {
  const copy = openSync(path, 'wx', 0o600)
  try {
    const chunk = Buffer.alloc(1_048_576)
    for (let size; (size = readSync(log, chunk)) > 0;) writeSync(copy, chunk, 0, size)
  } finally {
    closeSync(copy)
  }
}

/** The last lines that the server wrote. */
export function endOfLog(cluster: string): string {
  const log = openLog(cluster)
  try {
    return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-8).join('\n')
  } finally {
    closeSync(log)
  }
}

/** The file is never opened through a link: the owner of the folder must not lead root elsewhere. */
const openLog = (cluster: string): number =>
  openSync(logOf(cluster), constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)

const always = ['listen_addresses=', 'unix_socket_permissions=0700', ...silentAboutRows]

/**
 * A user that root becomes may not be able to walk the path to the data directory (a clone in a 0700 home). The working
 * directory is entered before the rights are dropped, and /proc/self/cwd names it without a walk.
 */
export const pathForServer = (cluster: string, user: User | undefined): string =>
  user === undefined ? cluster : '/proc/self/cwd'

/** The server has a process group of its own: a signal to ours, like Ctrl-C, is not meant for the database. */
export const asServerUser = (cwd: string, user: User | undefined) => ({
  cwd,
  detached: true,
  env: { TZ: 'UTC' },
  ...user,
})

export function launchPostmaster(
  cluster: string,
  user: User | undefined,
  binaries: Binaries,
  settings: readonly string[],
): number {
  boundLog(cluster)
  const log = openLog(cluster)
  const server = spawn(
    join(binaries.directory, 'bin', 'postgres'),
    ['-D', pathForServer(cluster, user), '-k', '.', ...[...always, ...settings].flatMap((setting) => ['-c', setting])],
    { ...asServerUser(cluster, user), stdio: ['ignore', log, log] },
  )
  closeSync(log)
  // Told by the missing pid; the event alone would end the process.
  server.on('error', () => {})
  server.unref()
  if (server.pid === undefined) throw new SetupError(`${server.spawnfile} cannot be executed.`)
  return server.pid
}

/** The pid of a live postmaster on this cluster. A stale file, or a pid that now belongs to another program, is none. */
export function runningPostmaster(cluster: string): number | undefined {
  const pidFile = join(cluster, 'postmaster.pid')
  if (!existsSync(pidFile)) return undefined
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  // The file of a dead one stays: PostgreSQL reads in it whether sessions of the dead are still at work.
  if (!isAlive(pid)) return undefined
  if (worksIn(pid, cluster)) return pid
  // After a restart of a container small pids are used again, and PostgreSQL would take another process for itself.
  // Both of its lock files name the pid.
  for (const file of [pidFile, join(cluster, '.s.PGSQL.5432.lock')]) rmSync(file, { force: true })
  return undefined
}

function worksIn(pid: number, cluster: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
  } catch {
    // Not Linux, or not allowed to look: root in a container may lack the right to trace. Its name is open to all.
    return nameOf(pid).includes('postgres')
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8')
  } catch {
    return spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return !isZombie(pid)
}

/** In a container whose first process does not wait for children, ended processes stay in the table for ever. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Waits without keeping the process up. */
export async function untilGone(pid: number, everyMs = WATCH_MS): Promise<void> {
  while (isAlive(pid)) await sleep(everyMs, undefined, { ref: false })
}

/** SIGINT is a fast shutdown: sessions are cut, everything committed is on disk. */
export async function stopPostmaster(pid: number): Promise<void> {
  if (isAlive(pid)) process.kill(pid, 'SIGINT')
  const keepAwake = setInterval(() => {}, 1_000)
  await untilGone(pid, POLL_MS)
  clearInterval(keepAwake)
}
