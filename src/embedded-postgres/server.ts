/**
 * The PostgreSQL that comes with us, for installations without DATABASE_URL.
 *
 * The postmaster runs in a process group of its own, so that Ctrl-C reaches us and not it: we stop it last. When we are
 * killed it continues, and the next start finds it through `postmaster.pid` and adopts it.
 */
import { existsSync, lstatSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SetupError } from '../core/errors.ts'
import { chownTree, prepareDataDirectory, type User } from './data-directory.ts'
import { Access } from './access.ts'
import { locateBinaries } from './binaries.ts'
import { clusterIn } from '../storage/cluster-folder.ts'
import { prepareCluster } from './cluster.ts'
import { isInUse } from './locks.ts'
import {
  boundLog,
  endOfLog,
  isAlive,
  launchPostmaster,
  logOf,
  runningPostmaster,
  stopPostmaster,
  untilGone,
} from './postmaster.ts'
import { isUnavailable } from '../storage/outage.ts'

export interface EmbeddedPostgres {
  url: string
  /** A superuser reaches the same database with this URL. */
  superuserUrl: string
  pid: number
  /** The server was already running when we came. */
  adopted: boolean
  /** Resolves when the postmaster has ended, for any reason. */
  exited: Promise<void>
  stop(): Promise<void>
  /** Keeps the server's log from growing for ever. */
  boundLog(): void
}

export interface EmbeddedOptions {
  dataDir: string
  /** Extra settings have the form `name=value`; an adopted server keeps its own. */
  settings?: readonly string[]
  /** Told before the slow steps of a first start. */
  progress?: (step: string) => void
  /** Gives up waiting for the server. */
  signal?: AbortSignal
}

const READY_TIMEOUT_MS = 120_000
const ONE_ATTEMPT_MS = 5_000
const POLL_MS = 20

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const binaries = locateBinaries()
  const dataDir = resolve(options.dataDir)
  const user = prepareDataDirectory(dataDir)
  const cluster = clusterIn(dataDir)
  await prepareCluster(cluster, user, binaries, options.progress ?? (() => {}))
  const access = new Access(cluster, socketDirectory(cluster))
  if (user) await giveCluster(cluster, user, access)
  const launch = () => launchPostmaster(cluster, user, binaries, options.settings ?? [])
  const { pid, adopted } = await untilServing(cluster, access, launch, options.signal)
  const { url, superuserUrl } = access
  return {
    url,
    superuserUrl,
    pid,
    adopted,
    exited: untilGone(pid),
    stop: () => stopPostmaster(pid),
    boundLog: () => boundLog(cluster),
  }
}

/** A server that still runs as another user, as one of version 0.1 does, has to end first. */
async function giveCluster(cluster: string, user: User, { superuserUrl }: Access): Promise<void> {
  if (statSync(cluster).uid === user.uid) return
  const running = runningPostmaster(cluster)
  if (running !== undefined) {
    if (await isInUse(superuserUrl)) {
      throw new SetupError(
        `Posthouse is already running with the data directory ${dirname(cluster)}, in an older version. Stop it first.`,
      )
    }
    await stopPostmaster(running)
  }
  const link = lstatSync(cluster)
  if (link.isSymbolicLink() && link.uid !== 0) {
    throw new SetupError(`${cluster} is a link that root has not made. Put the database in its place, or make it anew.`)
  }
  chownTree(realpathSync(cluster), user)
}

/** Tells whether there is a database in this data directory, running or not. */
export const hasEmbedded = (dataDir: string): boolean => existsSync(clusterIn(resolve(dataDir)))

/**
 * Adopts the server that runs on this cluster or launches one, and looks again when that one ends: a server that was
 * found may have been stopping, another start may have launched its own first, and sessions of a killed predecessor
 * may need a moment to notice that they are orphans.
 */
async function untilServing(
  cluster: string,
  access: Access,
  launch: () => number,
  signal: AbortSignal | undefined,
): Promise<{ pid: number; adopted: boolean }> {
  for (const deadline = Date.now() + READY_TIMEOUT_MS; ; await sleep(POLL_MS * 5)) {
    const running = runningPostmaster(cluster)
    const pid = running ?? launch()
    try {
      if (await answers(access, pid, deadline, signal)) return { pid, adopted: running !== undefined }
    } catch (error) {
      if (running === undefined) await stopPostmaster(pid)
      throw error
    }
    const end = endOfLog(cluster)
    const willPass = running !== undefined || runningPostmaster(cluster) !== undefined || /still in use/.test(end)
    if (!willPass) throw new SetupError(`PostgreSQL did not start. The end of ${logOf(cluster)}:\n${end}`)
  }
}

/** False when the server ended first. */
async function answers(access: Access, pid: number, deadline: number, signal?: AbortSignal): Promise<boolean> {
  for (; Date.now() < deadline; await sleep(POLL_MS)) {
    signal?.throwIfAborted()
    if (!isAlive(pid)) return false
    const client = new pg.Client({ connectionString: access.maintenanceUrl, connectionTimeoutMillis: ONE_ATTEMPT_MS })
    client.on('error', () => {})
    try {
      await client.connect()
      await access.establish(client)
      return true
    } catch (error) {
      if (isWrongPassword(error)) access.letIn(pid)
      // The server is starting, recovering after a crash, or being stopped by its last user.
      else if (!isUnavailable(error)) throw error
    } finally {
      await client.end().catch(() => {})
    }
  }
  throw new SetupError(`PostgreSQL is not ready after ${READY_TIMEOUT_MS / 1000} s; see postgres.log beside it.`)
}

/** A socket's address has room for 107 bytes; a data directory deeper than that is reached through a short link. */
const MAX_SOCKET_DIRECTORY_LENGTH = 107 - '/.s.PGSQL.5432'.length

function socketDirectory(cluster: string): string {
  if (Buffer.byteLength(cluster) <= MAX_SOCKET_DIRECTORY_LENGTH) return cluster
  const holder = mkdtempSync(join(tmpdir(), 'posthouse-'))
  const link = join(holder, 's')
  symlinkSync(cluster, link)
  process.once('exit', () => rmSync(holder, { recursive: true, force: true }))
  return link
}

const isWrongPassword = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '28P01'
