import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const root = new URL('../..', import.meta.url).pathname

/** What needs the portal's packages, which `npm test` does not install. */
const tools: [question: string, tool: string, ...parameters: string[]][] = [
  ['the types of the portal agree', 'tsc', '-p', 'portal'],
  ['the types of these tests agree', 'tsc', '-p', 'tests/portal'],
  ['nothing of the portal lies around unused', 'knip', '--workspace', 'portal', '--config', 'knip.portal.json'],
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
