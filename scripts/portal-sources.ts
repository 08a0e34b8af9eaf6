import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { neededBy, type LockedPackages } from './lock.mjs'

/** Where the build writes the fingerprint of what it was made from. */
export const BUILT_FILE = 'portal/dist/.built'

/**
 * A hash over everything that the built portal follows from: its sources, those of the client, and the versions of its
 * packages. It is computed without those packages, so that `npm test` can tell whether `portal/dist` is stale.
 */
export function portalFingerprint(root: string): string {
  const hash = createHash('sha256')
  const part = (name: string, content: string | Buffer): void => {
    hash.update(`${name}\0`).update(content).update('\0')
  }
  for (const path of sourcesIn(root)) part(path, readFileSync(join(root, path)))
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: LockedPackages }
  const needed = Object.entries(neededBy(packages, 'portal')).toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [path, { version = '', integrity = '' }] of needed) part(path, `${version} ${integrity}`)
  return hash.digest('hex')
}

const sourcesIn = (root: string): string[] =>
  globSync(['portal/**', 'packages/sdk/**'], { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/').replace(/^\//, ''))
    .filter((path) => !/^portal\/dist\/|(^|\/)node_modules\//.test(path))
    .toSorted()
