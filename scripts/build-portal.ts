/** Builds `portal/dist`, which is committed, and writes down what it was made from: `npm run build:portal`. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUILT_FILE, portalFingerprint } from './portal-sources.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const vite = join(root, 'node_modules/vite/bin/vite.js')
const { status } = spawnSync(process.execPath, [vite, 'build', 'portal'], { cwd: root, stdio: 'inherit' })
if (status !== 0) process.exit(1)
writeFileSync(join(root, BUILT_FILE), `${portalFingerprint(root)}\n`)
