import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { testDirectory } from '../support/posthouse-process.ts'

const script = fileURLToPath(new URL('../../scripts/setup.mjs', import.meta.url))

/** A project with the real script, and an `npm` that writes down how it was called. */
class FakeProject {
  readonly root = testDirectory()

  constructor({ npmExit = 0 } = {}) {
    this.write('scripts/setup.mjs', readFileSync(script, 'utf8'))
    this.write('package-lock.json', '{}')
    const install = 'mkdir -p node_modules && echo x > node_modules/.package-lock.json'
    const npm = ['#!/bin/sh', 'echo "$@" >> npm-calls', npmExit === 0 ? install : `exit ${npmExit}`]
    this.write('bin/npm', npm.join('\n'), { mode: 0o755 })
  }

  write(file: string, content: string, { mode = 0o644, changedAt = new Date() } = {}): void {
    const path = join(this.root, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content, { mode })
    utimesSync(path, changedAt, changedAt)
  }

  get npmCalls(): string[] {
    const file = join(this.root, 'npm-calls')
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  }

  /** Runs it from somewhere else, as a Node of that version. */
  setUp(version = process.versions.node): { code: number | null; output: string } {
    const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
      Object.defineProperty(process, 'version', { value: 'v${version}' })`
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      // Whatever Node the machine has knows no types.
      ['--no-experimental-strip-types', '--import', `data:text/javascript,${encodeURIComponent(pretend)}`].concat(
        join(this.root, 'scripts', 'setup.mjs'),
      ),
      { encoding: 'utf8', cwd: '/', env: { PATH: `${join(this.root, 'bin')}:${process.env['PATH']}` } },
    )
    return { code: status, output: stdout + stderr }
  }
}

const past = new Date(Date.now() - 60_000)
const future = new Date(Date.now() + 60_000)

test('a fresh clone is installed exactly as the lock file says, and only once', () => {
  const project = new FakeProject()
  const first = project.setUp()
  expect(first).toMatchObject({ code: 0, output: expect.stringMatching(/^Installing dependencies/) })
  expect(project.npmCalls).toEqual([expect.stringMatching(/^ci /)])
  expect(project.setUp()).toEqual({ code: 0, output: '' })
  expect(project.npmCalls).toHaveLength(1)
})

test('a lock file that changed since is installed anew', () => {
  const project = new FakeProject()
  project.write('node_modules/.package-lock.json', '{}', { changedAt: past })
  expect(project.setUp().code).toBe(0)
  expect(project.npmCalls).toHaveLength(1)
})

test('what is newer than the lock file is left alone', () => {
  const project = new FakeProject()
  project.write('node_modules/.package-lock.json', '{}', { changedAt: future })
  expect(project.setUp()).toEqual({ code: 0, output: '' })
  expect(project.npmCalls).toEqual([])
})

test('when the installation fails it says so and nothing is started', () => {
  const { code, output } = new FakeProject({ npmExit: 7 }).setUp()
  expect(code).toBe(1)
  expect(output).toMatch(/npm ci failed.*\n$/)
})

const bundledNode = 'node_modules/.bin/node'

test('an old Node is enough where a bundled one was installed', () => {
  const project = new FakeProject()
  project.write(bundledNode, '#!/bin/sh\necho v24.0.0', { mode: 0o755 })
  expect(project.setUp('18.20.0')).toMatchObject({ code: 0, output: expect.not.stringContaining('needs Node') })
  expect(existsSync(join(project.root, bundledNode))).toBe(true)
})

test('a bundled one that does not run here makes room for the one of the machine', () => {
  const project = new FakeProject()
  project.write(bundledNode, '#!/no/such/loader', { mode: 0o755 })
  expect(project.setUp()).toMatchObject({ code: 0 })
  expect(existsSync(join(project.root, bundledNode))).toBe(false)
  expect(project.setUp('20.1.0')).toMatchObject({ code: 1, output: expect.stringContaining('needs Node 24') })
})

test('without Node 24 and without a bundled one it asks for Node 24', () => {
  const { code, output } = new FakeProject().setUp('20.1.0')
  expect(code).toBe(1)
  expect(output).toMatch(/Posthouse needs Node 24 or newer\. This machine has v20\.1\.0/)
})

test('it needs nothing that is not there before the installation', () => {
  const imports = [...readFileSync(script, 'utf8').matchAll(/^import .* from '(.*)'$/gm)].map(([, name]) => name)
  expect(imports.length).toBeGreaterThan(0)
  expect(imports.filter((name) => !name?.startsWith('node:'))).toEqual([])
})
