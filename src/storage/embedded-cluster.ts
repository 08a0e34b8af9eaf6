import { spawn } from 'node:child_process'
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { SetupError } from '../core/errors.ts'
import type { Binaries } from './embedded-binaries.ts'
import { isAlive } from './embedded-postmaster.ts'
import { asServerUser, isRoot, NOBODY, pathForServer } from './embedded-user.ts'

/** The user that the database belongs to, and its first database. */
export const DATABASE = 'posthouse'

/** Where the database lies below a data directory. */
export const clusterIn = (dataDir: string): string => join(dataDir, 'postgres')

/** Makes the cluster on the first start; refuses one that this PostgreSQL cannot read. */
export async function prepareCluster(
  dataDir: string,
  binaries: Binaries,
  progress: (step: string) => void,
): Promise<string> {
  prepareDirectory(dataDir)
  const cluster = clusterIn(dataDir)
  if (existsSync(cluster)) refuseOtherMajor(cluster, binaries)
  else await initialise(cluster, binaries, progress)
  return cluster
}

function prepareDirectory(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SetupError(
      `The data directory ${dataDir} is not writable (${reason}). Change its owner or choose another with DATA_DIR.`,
    )
  }
}

function refuseOtherMajor(cluster: string, { major }: Binaries): void {
  const file = join(cluster, 'PG_VERSION')
  if (!existsSync(file)) {
    throw new SetupError(
      `${cluster} is not a database that Posthouse can read. Move it away, or choose another DATA_DIR.`,
    )
  }
  const found = readFileSync(file, 'utf8').trim()
  if (found !== major) {
    throw new SetupError(
      `The data directory was made by PostgreSQL ${found}, this version of Posthouse brings PostgreSQL ${major}. ` +
        'Dump the database with the old version and restore it into a new DATA_DIR (docs/operations.md).',
    )
  }
}

/** Built beside its final place and moved there when complete, so a killed first start leaves nothing half-made. */
async function initialise(cluster: string, binaries: Binaries, progress: (step: string) => void): Promise<void> {
  progress('Creating the database (once) …')
  removeLeftovers(cluster)
  const half = `${cluster}.new.${process.pid}`
  mkdirSync(half, { mode: 0o700 })
  try {
    if (isRoot()) chownSync(half, NOBODY, NOBODY)
    await initdb(half, binaries)
    renameSync(half, cluster)
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    // Somebody else who starts at the same moment was quicker; theirs is as good.
    if (!existsSync(cluster)) throw error
  }
}

/** What starts that were killed have left; what one that is still going has made stays. */
function removeLeftovers(cluster: string): void {
  const halves = readdirSync(dirname(cluster)).filter((name) => name.startsWith(`${basename(cluster)}.new.`))
  for (const name of halves) {
    if (!isAlive(Number(name.split('.').at(-1)))) rmSync(join(dirname(cluster), name), { recursive: true, force: true })
  }
}

async function initdb(directory: string, binaries: Binaries): Promise<void> {
  const program = spawn(
    join(binaries.directory, 'bin', 'initdb'),
    [
      `--pgdata=${pathForServer(directory)}`,
      `--username=${DATABASE}`,
      '--auth=trust', // Only over the socket, which lies in a folder that only its owner may enter.
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--data-checksums',
    ],
    { ...asServerUser(directory), stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = new Promise<string>((resolve) => {
    program.once('error', (error) => resolve(error.message))
    program.once('close', (code, signal) => resolve(code === 0 ? '' : (signal ?? `exit code ${code}`)))
  })
  const said = await text(program.stderr)
  const failure = await ended
  if (failure !== '') throw new SetupError(`initdb failed (${failure}): ${said.trim()}`)
}
