import { spawn } from 'node:child_process'
import { existsSync, lchownSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { SetupError } from '../core/errors.ts'
import { chownTree, userWithName, type User } from './data-directory.ts'
import { SUPERUSER } from './access.ts'
import type { Binaries } from './binaries.ts'
import { asServerUser, isAlive, pathForServer } from './postmaster.ts'

/** Makes the cluster on the first start; refuses one that this PostgreSQL cannot read. */
export async function prepareCluster(
  cluster: string,
  user: User | undefined,
  binaries: Binaries,
  progress: (step: string) => void,
): Promise<void> {
  if (existsSync(cluster)) refuseOtherMajor(cluster, binaries)
  else await initialise(cluster, user, binaries, progress)
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
async function initialise(
  cluster: string,
  user: User | undefined,
  binaries: Binaries,
  progress: (step: string) => void,
): Promise<void> {
  progress('Creating the database (once) …')
  removeLeftovers(cluster)
  const half = `${cluster}.new.${process.pid}`
  mkdirSync(half, { mode: 0o700 })
  try {
    await initdb(half, user && userWithName(user), binaries)
    if (user) chownTree(half, user)
    renameSync(half, cluster)
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    // Another process that starts at the same moment was quicker; its cluster is as good.
    if (!existsSync(cluster)) throw error
  }
}

/** Removes what killed starts have left; the files of a start that still runs stay. */
function removeLeftovers(cluster: string): void {
  const halves = readdirSync(dirname(cluster)).filter((name) => name.startsWith(`${basename(cluster)}.new.`))
  for (const name of halves) {
    if (!isAlive(Number(name.split('.').at(-1)))) rmSync(join(dirname(cluster), name), { recursive: true, force: true })
  }
}

async function initdb(directory: string, user: User | undefined, binaries: Binaries): Promise<void> {
  if (user) lchownSync(directory, user.uid, user.gid)
  const program = spawn(
    join(binaries.directory, 'bin', 'initdb'),
    [
      `--pgdata=${pathForServer(directory, user)}`,
      `--username=${SUPERUSER}`,
      '--auth=trust', // Until it runs for the first time (see `access.ts`).
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--data-checksums',
    ],
    { ...asServerUser(directory, user), stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = new Promise<string>((resolve) => {
    program.once('error', (error) => resolve(error.message))
    program.once('close', (code, signal) => resolve(code === 0 ? '' : (signal ?? `exit code ${code}`)))
  })
  const said = await text(program.stderr)
  const failure = await ended
  if (failure !== '') throw new SetupError(`initdb failed (${failure}): ${said.trim()}`)
}
