// Runs before `npm start` and `npm test`, on whatever Node the machine has (18 or newer): installs the
// dependencies when they are missing or older than the lock file, and makes sure that Node 24 is there.
// Nothing but built-in modules may be imported here: on a fresh clone there is nothing else.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const installed = join(root, 'node_modules', '.package-lock.json')
const lockFile = join(root, 'package-lock.json')

if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lockFile).mtimeMs) {
  console.log('Installing dependencies (once, about 20 seconds) …')
  // Warnings about the machine's own Node are noise: the server runs on the Node 24 that gets installed here.
  const npm = spawnSync('npm', ['ci', '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0) {
    console.error('\nnpm ci failed; its message is above. Posthouse was not started.')
    process.exit(1)
  }
}

const bundled = join(root, 'node_modules', '.bin', 'node')
if (existsSync(bundled) && spawnSync(bundled, ['--version']).status !== 0) {
  // Built for another C library than this system's (Alpine's, say). npm would prefer it to one that works.
  rmSync(bundled)
}
if (!existsSync(bundled) && Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Posthouse needs Node 24 or newer. This machine has ${process.version}, and there is no bundled Node that runs on ` +
      `${process.platform} ${process.arch}. Install Node 24 and run the command again.`,
  )
  process.exit(1)
}
