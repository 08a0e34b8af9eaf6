/** Before all tests: a browser, and proof that the committed portal is what its sources say. */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { buildPortal } from '../../../scripts/portal-build.ts'
import { BUILT_FILE } from '../../../scripts/portal-sources.ts'
import { argumentsHere } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The program, for tests that start a browser of their own. */
    chromium: string
    /** Where the browser that all tests share is connected to. */
    browser: string
  }
}

const root = fileURLToPath(new URL('../../..', import.meta.url))

export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  compareBuilt()
  const program = chromiumHere() ?? installed()
  const browser = await chromium.launchServer({ executablePath: program, args: argumentsHere() })
  provide('chromium', program)
  provide('browser', browser.wsEndpoint())
  return () => browser.close()
}

/** The portal is built into a folder of its own, and must be the committed one byte by byte. */
function compareBuilt(): void {
  const folder = mkdtempSync(join(tmpdir(), 'portal-'))
  try {
    buildPortal(root, folder)
    const [built, committed] = [filesIn(folder), filesIn(join(root, 'portal/dist'))]
    committed.delete(BUILT_FILE.replace('portal/dist/', ''))
    const names = [...new Set([...built.keys(), ...committed.keys()])].toSorted()
    const others = names.filter((name) => built.get(name) !== committed.get(name))
    if (others.length > 0) {
      throw new Error(`portal/dist is not what the sources say (${others.join(', ')}): run npm run build:portal`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const filesIn = (folder: string): Map<string, string> =>
  new Map(
    globSync('**', { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'latin1')]),
  )

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

function chromiumHere(): string | undefined {
  if (process.env['CHROMIUM']) return process.env['CHROMIUM']
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const programs = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return programs.find((program) => spawnSync(program, ['--version']).status === 0)
}

/** On Debian as root it is installed; elsewhere it is said what to do. */
function installed(): string {
  const install = (): boolean =>
    process.getuid?.() === 0 &&
    spawnSync('apt-get', ['install', '-y', '-q', '--no-remove', '--no-install-recommends', 'chromium'], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  const found = install() || (spawnSync('apt-get', ['update', '-q']).status === 0 && install())
  const program = found ? chromiumHere() : undefined
  if (program === undefined) {
    throw new Error('There is no Chromium here: install one, or name its program in the variable CHROMIUM.')
  }
  return program
}
