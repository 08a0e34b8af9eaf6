import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const root = new URL('..', import.meta.url).pathname

const PRODUCTION = ['--production', '--config', 'knip.production.json', '--include', 'files,exports,types']

/** What looks at the source without running it, as `npm run check` does. */
const tools: [question: string, tool: string, ...parameters: string[]][] = [
  ['the types agree', 'tsc'],
  ['the linter has nothing to say', 'oxlint', '--deny-warnings'],
  ['everything is formatted', 'oxfmt', '--check'],
  ['nothing lies around unused', 'knip'],
  ['nothing is there for tests alone', 'knip', ...PRODUCTION],
]

test.each(tools)(
  '%s: %s',
  (_question, tool, ...parameters) => {
    const { status, stdout, stderr, error } = spawnSync(`node_modules/.bin/${tool}`, parameters, {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
    })
    expect(status, `${error?.message ?? ''}\n${stdout}\n${stderr}`).toBe(0)
  },
  300_000,
)
