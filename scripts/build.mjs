// Writes `dist/`: the source without its types, line for line, which is what `npm start` runs. Node could strip types
// itself, but its TypeScript parser then stays in the memory of every process (about 23 MB each).
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const [source, target] = [join(root, 'src'), join(root, 'dist')]

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

const builtName = (name) => name.replace(/\.ts$/, '.js')

/** A built file has the time of its source, so a source that is older than before is noticed, too. */
function isBuilt(from, to) {
  const built = statSync(to, { throwIfNoEntry: false })
  return built !== undefined && Math.abs(built.mtimeMs - statSync(from).mtimeMs) < 1
}

/** Files that are named by a path, in an import or for a process or a thread, have their new names. */
const withoutTypes = (code) =>
  stripTypeScriptTypes(code).replaceAll(
    /(['"])((?:\.\.?\/)*[\w./-]+)\.ts\1/g,
    (_, quote, path) => `${quote}${path}.js${quote}`,
  )

function build(name) {
  const [from, to] = [join(source, name), join(target, builtName(name))]
  if (isBuilt(from, to)) return
  mkdirSync(dirname(to), { recursive: true })
  // Under another name first: two commands may build at the same time, and a node may be starting.
  const draft = `${to}.${process.pid}`
  if (name.endsWith('.ts')) writeFileSync(draft, withoutTypes(readFileSync(from, 'utf8')))
  else copyFileSync(from, draft)
  const { atime, mtime } = statSync(from)
  utimesSync(draft, atime, mtime)
  renameSync(draft, to)
}

// Node 24 warns that stripping types is new.
process.removeAllListeners('warning')
const names = filesIn(source)
names.forEach(build)
mkdirSync(target, { recursive: true })
const wanted = new Set(names.map(builtName))
for (const name of filesIn(target))
  if (!wanted.has(name) && !/\.\d+$/.test(name)) rmSync(join(target, name), { force: true })
