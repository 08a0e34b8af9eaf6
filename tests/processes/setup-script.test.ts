import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { neededBy, type LockedPackages } from '../../scripts/lock.mjs'
import { testDirectory } from '../support/posthouse-process.ts'

const scripts = fileURLToPath(new URL('../../scripts/', import.meta.url))
/** The script and the one file of ours that it imports. */
const files = ['setup.mjs', 'lock.mjs']

interface Package {
  version?: string
  dev?: boolean
  optional?: boolean
  link?: boolean
  resolved?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** The root needs whatever lies at the top, unless it says something else. */
const lockOf = (packages: Record<string, Package>): string => {
  const names = Object.keys(packages).map((path) => path.replace('node_modules/', ''))
  const dependencies = Object.fromEntries(names.map((name) => [name, '*']))
  return JSON.stringify({ packages: { '': { name: 'a project', dependencies }, ...packages } })
}

const needed: Record<string, Package> = {
  'node_modules/web': { version: '1.0.0' },
  'node_modules/elsewhere': { version: '1.0.0', optional: true },
}
const tool: Record<string, Package> = { 'node_modules/tool': { version: '2.0.0', dev: true } }
/** A workspace with two packages that nothing in the root needs, and one that it shares with the root. */
const workspace: Record<string, Package> = {
  '': { dependencies: { web: '*' }, devDependencies: { tool: '*' } },
  portal: { devDependencies: { view: '*', tool: '*' } },
  'node_modules/@our/portal': { link: true, resolved: 'portal' },
  'node_modules/view': { version: '3.0.0', dev: true, dependencies: { part: '*' } },
  'node_modules/part': { version: '3.0.0', dev: true },
}

/** A project with the real script, and an `npm` that writes down how it was called and installs as told. */
class FakeProject {
  readonly root = testDirectory()

  constructor({ npm = 'install_as_told' } = {}) {
    for (const file of files) this.write(`scripts/${file}`, readFileSync(join(scripts, file), 'utf8'))
    this.lock({ ...needed, ...tool })
    this.write('run.json', lockOf({ 'node_modules/web': needed['node_modules/web']! }))
    this.write('all.json', lockOf({ 'node_modules/web': needed['node_modules/web']!, ...tool }))
    this.write('portal.json', lockOf({ 'node_modules/web': needed['node_modules/web']!, ...tool, ...workspace }))
    const program = `#!/bin/sh
      install_as_told() {
        mkdir -p node_modules
        case "$*" in
          *--omit=dev*) cp run.json node_modules/.package-lock.json;;
          *--no-workspaces*) cp all.json node_modules/.package-lock.json;;
          *) cp portal.json node_modules/.package-lock.json;;
        esac
      }
      echo "$@" >> npm-calls
      ${npm} "$@"`
    this.write('bin/npm', program, { mode: 0o755 })
  }

  /** What the project wants. */
  lock(packages: Record<string, Package>): void {
    this.write('package-lock.json', lockOf(packages))
  }

  write(file: string, content: string, { mode = 0o644 } = {}): void {
    const path = join(this.root, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content, { mode })
  }

  get npmCalls(): string[] {
    const file = join(this.root, 'npm-calls')
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  }

  /** Runs it from somewhere else, as a Node of that version, after what `before` does to it. */
  setUp(
    version = process.versions.node,
    words: readonly string[] = [],
    before = '',
  ): { code: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, this.#args(version, words, before), this.#options)
    return { code: status, output: stdout + stderr }
  }

  /** With the tools for tests. */
  setUpAll(): { code: number | null; output: string } {
    return this.setUp(process.versions.node, ['all'])
  }

  setUpMeanwhile(): Promise<number | null> {
    const child = spawn(process.execPath, this.#args(process.versions.node, []), this.#options)
    return new Promise((resolve) => child.once('close', resolve))
  }

  #args(version: string, words: readonly string[], before = ''): string[] {
    const pretend = `${before}; Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
      Object.defineProperty(process, 'version', { value: 'v${version}' })`
    // Whatever Node the machine has knows no types.
    const options = ['--no-experimental-strip-types', '--import', `data:text/javascript,${encodeURIComponent(pretend)}`]
    return [...options, join(this.root, 'scripts', 'setup.mjs'), ...words]
  }

  get #options() {
    return {
      encoding: 'utf8' as const,
      cwd: '/',
      timeout: 60_000,
      env: { PATH: `${join(this.root, 'bin')}:${process.env['PATH']}` },
    }
  }
}

const bundledNode = 'node_modules/.bin/node'
const nodePackage = `node_modules/node-${process.platform}-${process.arch}`
const nothing = { code: 0, output: '' }

test('a fresh clone gets what running needs, exactly as the lock file says, and only once', () => {
  const project = new FakeProject()
  expect(project.setUp()).toMatchObject({ code: 0, output: expect.stringMatching(/^Installing dependencies/) })
  expect(project.npmCalls).toEqual([expect.stringMatching(/^ci --omit=dev --no-workspaces /)])
  expect(project.setUp()).toEqual(nothing)
  expect(project.npmCalls).toHaveLength(1)
})

test('the tools for tests come when they are needed, and stay', () => {
  const project = new FakeProject()
  project.setUp()
  expect(project.setUpAll()).toMatchObject({ code: 0 })
  expect(project.npmCalls[1]).toMatch(/^ci --no-workspaces --loglevel/)
  expect([project.setUp(), project.setUpAll()]).toEqual([nothing, nothing])
  project.lock({ ...tool, 'node_modules/web': { version: '1.0.1' } })
  expect(project.setUp()).toMatchObject({ code: 0 })
  expect(project.npmCalls.slice(2)).toEqual([expect.stringMatching(/^ci --no-workspaces --loglevel/)])
})

test('the packages of the portal come when they are asked for and not before, and stay', () => {
  const project = new FakeProject()
  project.lock({ ...needed, ...tool, ...workspace })
  project.setUp()
  project.setUpAll()
  expect(project.npmCalls).toEqual([
    expect.stringMatching(/^ci --omit=dev --no-workspaces /),
    expect.stringMatching(/^ci --no-workspaces --loglevel/),
  ])
  expect([project.setUp(), project.setUpAll()]).toEqual([nothing, nothing])
  expect(project.setUp(process.versions.node, ['portal'])).toMatchObject({ code: 0 })
  expect(project.npmCalls[2]).toMatch(/^ci --loglevel/)
  expect([project.setUp(), project.setUpAll(), project.setUp(process.versions.node, ['portal'])]).toEqual([
    nothing,
    nothing,
    nothing,
  ])
  project.lock({ ...tool, ...workspace, 'node_modules/web': { version: '1.0.1' } })
  project.setUp()
  expect(project.npmCalls.slice(3)).toEqual([expect.stringMatching(/^ci --loglevel/)])
})

test('what start and test install is, package by package, what the root needs: nothing of the portal', () => {
  const lock = readFileSync(join(scripts, '../package-lock.json'), 'utf8')
  const { packages } = JSON.parse(lock) as { packages: LockedPackages }
  const [own, portal] = [neededBy(packages, ''), neededBy(packages, 'portal')]
  const all = Object.keys(packages).filter((path) => path.includes('node_modules/'))
  expect(all.filter((path) => !(path in own) && !(path in portal))).toEqual(['node_modules/@posthouse/portal'])
  for (const name of ['react', '@base-ui/react', '@tanstack/react-router', 'playwright-core', 'axe-core']) {
    expect([name, `node_modules/${name}` in own, `node_modules/${name}` in portal]).toEqual([name, false, true])
  }
  expect(Object.values(portal).filter(({ dev, link }) => !dev && !link)).toEqual([])
})

test('a lock file that wants something else is installed anew, unless only the tools differ', () => {
  const project = new FakeProject()
  project.setUp()
  project.lock({ ...needed, 'node_modules/tool': { version: '3.0.0', dev: true } })
  expect(project.setUp()).toEqual(nothing)
  project.lock({ ...needed, 'node_modules/another': { version: '1.0.0' } })
  project.setUp()
  expect(project.npmCalls).toHaveLength(2)
})

test('a tree that was copied or moved is not installed again: times do not count', () => {
  const project = new FakeProject()
  project.setUp()
  const [past, now] = [new Date(Date.now() - 3_600_000), new Date()]
  utimesSync(join(project.root, 'node_modules/.package-lock.json'), past, past)
  utimesSync(join(project.root, 'package-lock.json'), now, now)
  expect(project.setUp()).toEqual(nothing)
  expect(project.npmCalls).toHaveLength(1)
})

test('an installation that broke off is begun again', () => {
  const project = new FakeProject({ npm: 'mkdir -p node_modules/web && false' })
  expect(project.setUp().code).toBe(1)
  expect(project.setUp().code).toBe(1)
  expect(project.npmCalls).toHaveLength(2)
  project.write('node_modules/.package-lock.json', '{"packages": {"node_mod')
  expect(project.setUp().code).toBe(1)
})

test('an installation that was killed is not waited for', () => {
  const project = new FakeProject()
  project.write('.installing', String(spawnSync('true').pid))
  expect(project.setUp().code).toBe(0)
  expect(project.npmCalls).toHaveLength(1)
})

test.each(['', 'x', '0', 'own'])('a lock that names nobody else (%j) is not waited for', (content) => {
  const project = new FakeProject()
  project.write('.installing', content)
  const own = `process.getBuiltinModule('fs').writeFileSync('${project.root}/.installing', String(process.pid))`
  const { code, output } = project.setUp(process.versions.node, [], content === 'own' ? own : '')
  expect({ code, output }).toEqual({ code: 0, output: expect.not.stringContaining('Waiting') })
  expect(project.npmCalls).toHaveLength(1)
})

test('an installation that does not end is waited for some minutes, and the file to remove is named', () => {
  const project = new FakeProject()
  project.write('.installing', String(process.pid))
  // Each look at the clock is a minute later than the one before.
  const hurry = 'const now = Date.now(); let looks = 0; Date.now = () => now + 60_000 * looks++'
  const { code, output } = project.setUp(process.versions.node, [], hurry)
  expect(code).toBe(1)
  expect(output.match(/^Waiting for process .*$/gm)).toEqual([expect.stringContaining(`process ${process.pid},`)])
  expect(output).toMatch(/still .*: end it, or remove \S+\/\.installing if it installs nothing/)
  expect(project.npmCalls).toEqual([])
})

test('of those that start at once one installs, and the others wait for it', async () => {
  const project = new FakeProject()
  expect(await Promise.all([1, 2, 3].map(() => project.setUpMeanwhile()))).toEqual([0, 0, 0])
  expect(project.npmCalls).toHaveLength(1)
  expect(existsSync(join(project.root, '.installing'))).toBe(false)
})

test('headers that nobody compiles with are removed', () => {
  const project = new FakeProject()
  const files = [`${nodePackage}/include/v8.h`, `${nodePackage}/bin/node`]
  for (const file of files) project.write(file, '')
  project.lock({ ...needed, [nodePackage]: { version: '24.0.0', optional: true } })
  expect(project.setUp().code).toBe(0)
  expect(files.map((file) => existsSync(join(project.root, file)))).toEqual([false, true])
})

test('when the installation fails it says so and nothing is started', () => {
  const { code, output } = new FakeProject({ npm: 'exit 7 #' }).setUp()
  expect(code).toBe(1)
  expect(output).toMatch(/npm ci failed.*\n$/)
})

test('an old Node is enough where a bundled one was installed', () => {
  const project = new FakeProject()
  project.lock({ ...needed, [nodePackage]: { version: '24.0.0', optional: true } })
  project.write(bundledNode, '#!/bin/sh\necho v24.0.0', { mode: 0o755 })
  expect(project.setUp('18.20.0')).toMatchObject({ code: 0, output: expect.not.stringContaining('needs Node') })
  expect(existsSync(join(project.root, bundledNode))).toBe(true)
})

test('a bundled one that does not run here makes room for the one of the machine', () => {
  const project = new FakeProject()
  project.lock({ ...needed, [nodePackage]: { version: '24.0.0', optional: true } })
  project.write(bundledNode, '#!/no/such/loader', { mode: 0o755 })
  expect(project.setUp()).toMatchObject({ code: 0 })
  expect(existsSync(join(project.root, bundledNode))).toBe(false)
  expect(project.setUp('20.1.0')).toMatchObject({ code: 1, output: expect.stringContaining('needs Node 24.7') })
})

test.each(['20.1.0', '22.22.0', '24.6.0'])(
  'with Node %s and without a bundled one it says in one sentence which Node is needed, and installs nothing',
  (version) => {
    const project = new FakeProject()
    expect(project.setUp(version)).toEqual({
      code: 1,
      output:
        `Posthouse needs Node 24.7 or newer, brings none that runs on ${process.platform}-${process.arch}, and found ` +
        `v${version}: install the newest Node 24 and run the command again.\n`,
    })
    expect(project.npmCalls).toEqual([])
  },
)

test.each(['24.7.0', '24.10.1', '25.0.0'])('Node %s is enough where none is bundled', (version) => {
  expect(new FakeProject().setUp(version)).toMatchObject({ code: 0 })
})

test('the Node that is bundled is one that would be enough', () => {
  const lock = readFileSync(join(scripts, '../package-lock.json'), 'utf8')
  const { packages } = JSON.parse(lock) as { packages: Record<string, Package> }
  const bundled = Object.keys(packages).filter((path) => /^node_modules\/node-(linux|darwin)-/.test(path))
  expect(bundled).toHaveLength(2)
  for (const path of bundled) {
    expect(new FakeProject().setUp(packages[path]?.version), path).toMatchObject({ code: 0 })
  }
})

test('it needs nothing that is not there before the installation', () => {
  const imports = files.flatMap((file) =>
    [...readFileSync(join(scripts, file), 'utf8').matchAll(/^import .* from '(.*)'$/gm)].map(([, name]) => name),
  )
  expect(imports.length).toBeGreaterThan(0)
  expect(imports.filter((name) => !name?.startsWith('node:'))).toEqual(['./lock.mjs'])
})
