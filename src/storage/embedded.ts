/**
 * The PostgreSQL that comes with us, for everybody who does not name one in DATABASE_URL.
 *
 * The postmaster runs in a process group of its own, so that Ctrl-C reaches us and not it: we stop it last. When we
 * are killed it goes on, and the next start finds it through `postmaster.pid` and adopts it.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SetupError } from '../core/errors.ts'
import { locateBinaries } from './embedded-binaries.ts'
import { isUnavailable } from './outage.ts'
import { clusterIn, DATABASE, prepareCluster } from './embedded-cluster.ts'
import {
  isAlive,
  launchPostmaster,
  logOf,
  runningPostmaster,
  stopPostmaster,
  untilGone,
} from './embedded-postmaster.ts'

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
  /** Extra settings as `name=value`; an adopted server keeps those it has. */
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
  const cluster = await prepareCluster(resolve(options.dataDir), binaries, options.progress ?? (() => {}))
  const socket = socketDirectory(cluster)
  const launch = () => launchPostmaster(cluster, binaries, options.settings ?? [])
  const { pid, adopted } = await untilServing(cluster, urlOf(socket, 'postgres'), launch, options.signal)
  return {
    url: urlOf(socket, DATABASE),
    pid,
    adopted,
    exited: untilGone(pid),
    stop: () => stopPostmaster(pid),
  }
}

/** Whether there is a database in this data directory, running or not. */
export const hasEmbedded = (dataDir: string): boolean => existsSync(clusterIn(resolve(dataDir)))

/**
 * Adopts the server that runs on this cluster or launches one, and looks again when that one ends: a server that was
 * found may have been stopping, another start may have launched its own first, and sessions of a killed predecessor
 * may need a moment to notice that they are orphans.
 */
async function untilServing(
  cluster: string,
  url: string,
  launch: () => number,
  signal: AbortSignal | undefined,
): Promise<{ pid: number; adopted: boolean }> {
  for (const deadline = Date.now() + READY_TIMEOUT_MS; ; await sleep(POLL_MS * 5)) {
    const running = runningPostmaster(cluster)
    const pid = running ?? launch()
    try {
      if (await answers(url, pid, deadline, signal)) return { pid, adopted: running !== undefined }
    } catch (error) {
      if (running === undefined) await stopPostmaster(pid)
      throw error
    }
    const end = endOf(logOf(cluster))
    const willPass = running !== undefined || runningPostmaster(cluster) !== undefined || /still in use/.test(end)
    if (!willPass) throw new SetupError(`PostgreSQL did not start. The end of ${logOf(cluster)}:\n${end}`)
  }
}

/** False when the server ended first. */
async function answers(url: string, pid: number, deadline: number, signal?: AbortSignal): Promise<boolean> {
  for (; Date.now() < deadline; await sleep(POLL_MS)) {
    signal?.throwIfAborted()
    if (!isAlive(pid)) return false
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ONE_ATTEMPT_MS })
    client.on('error', () => {})
    try {
      await client.connect()
      await ensureDatabase(client)
      return true
    } catch (error) {
      // Not yet, or not any more: it is starting, recovering after a crash, or being stopped by its last user.
      if (!isUnavailable(error)) throw error
    } finally {
      await client.end().catch(() => {})
    }
  }
  throw new SetupError(`PostgreSQL is not ready after ${READY_TIMEOUT_MS / 1000} s; see postgres.log beside it.`)
}

const endOf = (file: string): string => readFileSync(file, 'utf8').trimEnd().split('\n').slice(-8).join('\n')

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

/** Port and encryption are said although they are the defaults: PGPORT and PGSSLMODE are meant for other servers. */
const urlOf = (socket: string, database: string): string =>
  `postgres://${DATABASE}@/${database}?host=${encodeURIComponent(socket)}&port=5432&sslmode=disable`

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
  if (rowCount !== 0) return
  try {
    await client.query(`create database ${DATABASE}`)
  } catch (error) {
    if ((error as pg.DatabaseError).code !== '42P04') throw error // duplicate_database: another start was quicker
  }
}
