/** Builds `portal/dist`, which is committed, and writes down what it was made from: `npm run build:portal`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPortal } from './portal-build.ts'
import { BUILT_FILE, portalFingerprint } from './portal-sources.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
buildPortal(root, join(root, 'portal/dist'))
writeFileSync(join(root, BUILT_FILE), `${portalFingerprint(root)}\n`)
