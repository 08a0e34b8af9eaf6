// Runs before `npm start`, `npm test` and their like, on whatever Node the machine has (18 or newer): installs what is
// missing and makes sure that Node 24 is there. `npm start` needs what running needs; with the word `all` the tools for
// tests come too. Nothing but built-in modules may be imported here: on a fresh clone there is nothing else.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const modules = join(root, 'node_modules')
const wantsTools = process.argv[2] === 'all'
const platform = `${process.platform}-${process.arch}`
const bundled = join(modules, '.bin', 'node')
const WAIT_MS = 200

const wanted = packagesIn(join(root, 'package-lock.json')) ?? {}
const nodePackage = `node_modules/node-${platform}`
if (!(nodePackage in wanted)) refuseOldNode()
if (!isInstalled()) alone(() => isInstalled() || install())
if (existsSync(bundled) && spawnSync(bundled, ['--version']).status !== 0) {
  // Built for another C library than this system's (Alpine's, say). npm would prefer it to one that works.
  rmSync(bundled)
}
if (!existsSync(bundled)) refuseOldNode()

function refuseOldNode() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return
  console.error(
    `Posthouse needs Node 24 or newer, brings none that runs on ${platform}, and found ${process.version}: ` +
      'install Node 24 and run the command again.',
  )
  process.exit(1)
}

/** The packages of a lock file; undefined when it is not there, or was never finished. */
function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

/**
 * npm writes down what it has installed when it is done with it. That is compared by content: times say nothing about a
 * tree that was copied, and an installation that broke off has written nothing.
 */
function isInstalled() {
  const present = packagesIn(join(modules, '.package-lock.json'))
  return present !== undefined && Object.keys(wanted).every((path) => isThere(path, wanted[path], present[path]))
}

function isThere(path, { dev, optional, version, integrity, link }, found) {
  if (path === '' || link || (!wantsTools && dev)) return true
  // What is optional is for another platform, or could not be had; whoever needs it says so.
  if (found === undefined) return Boolean(optional)
  return found.version === version && found.integrity === integrity
}

/** Of those who start together one installs, and the others wait for it. One that was killed is not waited for. */
function alone(work) {
  const lock = join(root, '.installing')
  while (!taken(lock)) {
    if (isHeld(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS)
    else rmSync(lock, { force: true })
  }
  process.once('exit', () => rmSync(lock, { force: true }))
  work()
}

function taken(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** Whether the process that the file names still runs; one that was only just made names none yet. */
function isHeld(lock) {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function install() {
  // Tools that are there stay: whoever has them runs the tests here.
  const before = packagesIn(join(modules, '.package-lock.json')) ?? {}
  const withTools = wantsTools || Object.values(before).some(({ dev }) => dev)
  console.log('Installing dependencies (once, about 20 seconds) …')
  const set = withTools ? [] : ['--omit=dev']
  // Warnings about the machine's own Node are noise: the server runs on the Node 24 that gets installed here.
  const npm = spawnSync('npm', ['ci', ...set, '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0) {
    console.error('\nnpm ci failed; its message is above. Posthouse was not started.')
    process.exit(1)
  }
  // 70 MB of headers to compile add-ons with, of which we have none.
  rmSync(join(root, nodePackage, 'include'), { recursive: true, force: true })
}
