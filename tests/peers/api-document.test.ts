/** What other people's tools make of openapi.json. They come from npm, each at one version, into a folder of their own. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

// The generator needs the API of TypeScript 5, which ours does not have any more.
const tools = [
  'openapi-typescript@7.13.0',
  'typescript@5.9.3',
  '@redocly/cli@2.73.0',
  '@stoplight/spectral-cli@6.16.3',
] as const

const document = fileURLToPath(new URL('../../openapi.json', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'posthouse-tools-'))
const MAX_INSTALL_MS = 300_000

beforeAll(() => {
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact']
  execFileSync('npm', ['install', ...options, ...tools], { cwd: folder, stdio: 'pipe' })
}, MAX_INSTALL_MS)

afterAll(() => rmSync(folder, { recursive: true }))

/** Its status and all that it said. */
function run(tool: string, ...args: string[]): { status: number | null; said: string } {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const program = join(folder, 'node_modules', '.bin', tool)
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' })
  return { status, said: `${stdout}${stderr}` }
}

test('openapi-typescript makes types with the names that one expects, and they compile', () => {
  expect(run('openapi-typescript', document, '--output', 'types.ts')).toMatchObject({ status: 0 })
  const types = readFileSync(join(folder, 'types.ts'), 'utf8')
  expect(types).not.toContain('@enum {unknown}')
  const use = `import type { components, operations } from './types.ts'
    type Shapes = components['schemas']
    export const names: [Shapes['Email']['id'], Shapes['Webhook']['url'], Shapes['Contact']['email']] = ['', '', '']
    export const sent: operations['sendEmail']['requestBody']['content']['application/json'] = { from: '', to: '' }
    // @ts-expect-error There is no such status.
    export const status: Shapes['Email']['status'] = 'lost'
  `
  writeFileSync(join(folder, 'use.ts'), use)
  const options = ['--strict', '--noEmit', '--allowImportingTsExtensions', '--module', 'nodenext']
  expect(run('tsc', ...options, 'use.ts')).toEqual({ status: 0, said: '' })
})

test('redocly finds nothing wrong with it but what no operation can be answered with, and a word where an id could be', () => {
  const { status, said } = run('redocly', 'lint', '--extends=recommended', '--format=json', document)
  expect(status, said).toBe(0)
  const { problems } = JSON.parse(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1)) as {
    problems: { message: string }[]
  }
  // No id is the word `invitations`.
  const twoWays = (path: string): string =>
    `Paths should resolve unambiguously. Found two ambiguous paths: \`/people/invitations/{id}\` and \`${path}\`.`
  expect(problems.map(({ message }) => message)).toEqual([
    twoWays('/people/{id}/sessions'),
    twoWays('/people/{id}/recovery'),
    'Component: "MethodNotAllowed" is never used.',
  ])
})

test('spectral finds no error in it', () => {
  writeFileSync(join(folder, 'rules.json'), '{"extends":["spectral:oas"]}')
  const { status, said } = run('spectral', 'lint', '--ruleset=rules.json', '--fail-severity=error', document)
  expect(status, said).toBe(0)
  expect(said).toContain('(0 errors')
})
