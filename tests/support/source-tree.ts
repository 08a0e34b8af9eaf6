import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** The text of files by their path from the root of the repository. Made-up ones serve as well as those on disk. */
export type SourceTree = ReadonlyMap<string, string>

export interface Import {
  /** As written: a package, `node:fs`, or a relative path. */
  specifier: string
  /** Where a relative path leads, from the root; undefined for packages. */
  target: string | undefined
  /** What stands between `import` and `from`; empty for `import '…'` and `import('…')`. */
  clause: string
}

/** TypeScript files below these folders; a folder that is not there yet has none. */
export function readSources(root: string, folders: readonly string[]): SourceTree {
  const files = folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(ts|tsx|mts)$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replace(/^\//, ''))
        .filter((path) => !path.includes('node_modules/')),
    )
  return new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

/**
 * Comments out of the way, so that a sentence about an import is none. No parser: it knows comments as our formatter
 * leaves them, on lines of their own or behind a space.
 */
export const codeOf = (text: string): string =>
  text
    .replaceAll(/^\s*\/\*[\s\S]*?\*\//gm, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/ \/\/ .*$/gm, '')

const statement = /^\s*(?:import|export)\b(?<clause>[^'"`;=()]*?)\bfrom\s*['"](?<specifier>[^'"]+)['"]/gm
const bare = /^\s*import\s*['"](?<specifier>[^'"]+)['"]/gm
const call = /\bimport\s*\(\s*['"](?<specifier>[^'"]+)['"]/g

/** Everything a file names of other files: imports, re-exports, types in place, and what is loaded while running. */
export function importsOf(path: string, text: string): Import[] {
  const code = codeOf(text)
  return [statement, bare, call]
    .flatMap((form) => [...code.matchAll(form)])
    .map(({ groups }) => {
      const { specifier = '', clause = '' } = groups ?? {}
      const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined
      return { specifier, target, clause: clause.trim() }
    })
}

/** `import(name)`: nobody can tell where it leads. */
export const hasOpaqueImport = (text: string): boolean => /\bimport\s*\(\s*(?!['"\s])/.test(codeOf(text))

/** `type A` or `{ type A, type B }`: nothing is loaded for it. */
const isErased = (clause: string): boolean => /^type\b/.test(clause) || /^\{\s*(type\s+[^,}]+,?\s*)+\}$/.test(clause)

/** The files and packages that are loaded with a file, without those that it loads later. */
export function loadedWith(tree: SourceTree, entry: string): Set<string> {
  const loaded = new Set<string>()
  const load = (path: string): void => {
    if (loaded.has(path)) return
    loaded.add(path)
    const code = codeOf(tree.get(path) ?? '').replaceAll(call, '')
    for (const { specifier, target, clause } of importsOf(path, code)) {
      if (!isErased(clause)) load(target ?? specifier)
    }
  }
  load(entry)
  return loaded
}
