import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Builds the portal into a folder; throws what Vite says when it cannot. */
export function buildPortal(root: string, folder: string): void {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vite, 'build', 'portal', '--outDir', folder, '--emptyOutDir'],
    // Whatever the caller is: with another environment React would be the one for development.
    { cwd: root, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } },
  )
  if (status !== 0) throw new Error(`The portal could not be built:\n${stdout}${stderr}`)
}
