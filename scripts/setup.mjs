// Runs before `npm start`, `npm test` and their like, on whatever Node the machine has (18 or newer): installs what is
// missing and makes sure that there is a Node that can run us. `npm start` needs what running needs; with the word `all` the tools for
// tests come too, and with the word `portal` also what builds and tests the portal. Nothing but built-in modules and our
// own files may be imported here: on a fresh clone there is nothing else.
import { spawnSync } from 'node:child_process'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { neededBy } from './lock.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const modules = join(root, 'node_modules')
const wantsPortal = process.argv[2] === 'portal'
const wantsTools = process.argv[2] === 'all' || wantsPortal
const platform = `${process.platform}-${process.arch}`
const bundled = join(modules, '.bin', 'node')
/** Passwords are hashed with argon2, which Node has from this version on. */
const MIN_NODE = '24.7'
const WAIT_MS = 200
const MAX_WAIT_MINUTES = 10

const locked = packagesIn(join(root, 'package-lock.json')) ?? {}
const wanted = wantsPortal ? locked : neededBy(locked, '')
const nodePackage = `node_modules/node-${platform}`
if (!(nodePackage in wanted)) refuseOldNode()
if (!isInstalled()) alone(() => isInstalled() || install())
if (existsSync(bundled) && spawnSync(bundled, ['--version']).status !== 0) {
  // Built for another C library than this system's (Alpine's, say). npm would prefer it to one that works.
  rmSync(bundled)
}
if (!existsSync(bundled)) refuseOldNode()

function refuseOldNode() {
  const [[major, minor], [minMajor, minMinor]] = [process.versions.node, MIN_NODE].map((text) =>
    text.split('.').map(Number),
  )
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return
  console.error(
    `Posthouse needs Node ${MIN_NODE} or newer, brings none that runs on ${platform}, and found ${process.version}: ` +
      'install the newest Node 24 and run the command again.',
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
  // The root, the workspaces and the links to them come with the clone.
  if (!path.includes('node_modules/') || link || (!wantsTools && dev)) return true
  // What is optional is for another platform, or could not be had; whoever needs it says so.
  if (found === undefined) return Boolean(optional)
  return found.version === version && found.integrity === integrity
}

/** Of those who start together one installs, and the others wait for it. One that was killed is not waited for. */
function alone(work) {
  const lock = join(root, '.installing')
  const giveUpAt = Date.now() + MAX_WAIT_MINUTES * 60_000
  for (let waitedFor; !taken(lock);) {
    const holder = holderOf(lock)
    if (holder === undefined) rmSync(lock, { force: true })
    else {
      if (Date.now() > giveUpAt) giveUp(holder, lock)
      if (holder !== waitedFor) {
        console.error(
          `Waiting for process ${holder}, which installs the dependencies (remove ${lock} if it does not) …`,
        )
      }
      waitedFor = holder
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS)
    }
  }
  process.once('exit', () => rmSync(lock, { force: true }))
  work()
}

/** The file has its content before it has its name: one that is empty is nobody's. */
function taken(lock) {
  const draft = `${lock}.${process.pid}`
  try {
    writeFileSync(draft, String(process.pid))
    linkSync(draft, lock)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** The process that the file names, if it runs and is not this one: after a restart of a container pids come again. */
function holderOf(lock) {
  let pid
  try {
    pid = Number(readFileSync(lock, 'utf8'))
    if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return undefined
    process.kill(pid, 0)
    return pid
  } catch (error) {
    return error.code === 'EPERM' ? pid : undefined
  }
}

function giveUp(holder, lock) {
  console.error(
    `Process ${holder} is still there after ${MAX_WAIT_MINUTES} minutes: end it, or remove ${lock} if it installs nothing, ` +
      'and run the command again.',
  )
  process.exit(1)
}

function install() {
  // Tools that are there stay: whoever has them runs the tests here. The same holds for the portal's packages, of which
  // npm writes down the links between workspaces.
  const before = Object.values(packagesIn(join(modules, '.package-lock.json')) ?? {})
  const withPortal = wantsPortal || before.some(({ link }) => link)
  const withTools = wantsTools || withPortal || before.some(({ dev }) => dev)
  console.log('Installing dependencies (once, about 20 seconds) …')
  const set = [...(withTools ? [] : ['--omit=dev']), ...(withPortal ? [] : ['--no-workspaces'])]
  // Warnings about the machine's own Node are noise: the server runs on the Node that gets installed here.
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
