/**
 * Faults on purpose, and what is left of our promises: `npm run chaos`, or `npm run chaos -- kills` for a part of it.
 * With `--mutations` the source is broken on purpose, one promise at a time, and each has to be seen broken.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { chaosMutations } from './mutations/index.ts'
import { runMutations } from './mutate.ts'

const asked = process.argv.slice(2)
const parts = asked.filter((word) => word !== '--mutations')

if (parts.length < asked.length) {
  process.exitCode = runMutations(chaosMutations.filter(({ promise }) => parts.length === 0 || parts.includes(promise)))
} else {
  const files = parts.map((part) => `tests/chaos/${part}`)
  const { status } = spawnSync('vitest', ['run', '--config', 'tests/chaos/vitest.config.ts', ...files], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}
