/** The built portal, which is committed: that it is fresh, small, and marked as what it is. No package of it is needed. */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { BUILT_FILE, portalFingerprint } from '../scripts/portal-sources.ts'
import { testDirectory } from './support/posthouse-process.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'portal/dist')

test('portal/dist is fresh', () => {
  const built = readFileSync(join(root, BUILT_FILE), 'utf8').trim()
  expect(built, 'portal/dist is not built from these sources: run npm run build:portal').toBe(portalFingerprint(root))
})

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>

/** Everything that the browser fetches for these entries before they run. */
function filesOf(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    const chunk = manifest[name]
    if (chunk === undefined) throw new Error(`the manifest has no ${name}`)
    if (found.has(chunk.file)) continue
    for (const file of [chunk.file, ...(chunk.css ?? [])]) found.add(file)
    filesOf(chunk.imports ?? [], found)
  }
  return found
}

const KB = 1000
const sizeOf = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length, 0)

const pages = Object.keys(manifest).filter((name) => name.startsWith('src/pages/'))
/** Parts of the overview that are not seen first come after it. */
const firstView = ['index.html', 'src/pages/overview/overview.tsx']

test('what is fetched before the first page can be used is at most 170 KB, and before somebody signs in 95 KB', () => {
  expect(sizeOf(filesOf(firstView))).toBeLessThanOrEqual(170 * KB)
  expect(sizeOf(filesOf(['door.html']))).toBeLessThanOrEqual(95 * KB)
})

test('every other page takes at most 60 KB more', () => {
  expect(pages.length).toBeGreaterThan(10)
  const there = filesOf(firstView)
  const sizes = pages.map((page) => [page, sizeOf([...filesOf([page])].filter((file) => !there.has(file)))] as const)
  expect(sizes.filter(([, size]) => size > 60 * KB)).toEqual([])
})

test('it is at most 2.5 MB, without source maps and compressed copies, and every file of it is named in the manifest', () => {
  const files = globSync('assets/**', { cwd: dist }).filter((file) => statSync(join(dist, file)).isFile())
  expect(files.reduce((sum, file) => sum + statSync(join(dist, file)).size, 0)).toBeLessThanOrEqual(2.5 * KB * KB)
  expect(files.filter((file) => /\.(map|gz|br)$/.test(file))).toEqual([])
  const named = new Set(Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]))
  expect(files.filter((file) => !named.has(file))).toEqual([])
})

test('a page names only files that are there, and runs nothing that its policy would refuse', () => {
  for (const name of ['index.html', 'door.html']) {
    const page = readFileSync(join(dist, name), 'utf8')
    const named = [...page.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, file]) => file!)
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((file) => !existsSync(join(dist, file)))).toEqual([])
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/)
    for (const place of ['nonce="{nonce}"', 'data-scheme=""']) expect(page.split(place)).toHaveLength(2)
  }
})

test('git and the pages that show it know that the folder is generated', () => {
  expect(readFileSync(join(root, '.gitattributes'), 'utf8')).toMatch(
    /^portal\/dist\/\*\* linguist-generated=true -diff$/m,
  )
})

test('the fingerprint follows the sources, the client and the versions of packages, and nothing else', () => {
  const copy = testDirectory()
  for (const path of ['portal', 'packages', 'package-lock.json'])
    cpSync(join(root, path), join(copy, path), { recursive: true })
  const write = (path: string, text: string): string => {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), text)
    return portalFingerprint(copy)
  }
  const first = portalFingerprint(copy)
  expect(first).toBe(portalFingerprint(root))
  expect(write('portal/dist/assets/new.js', 'x')).toBe(first)
  expect(write('portal/node_modules/x/index.js', 'x')).toBe(first)
  const second = write('portal/src/new.ts', 'x')
  expect(second).not.toBe(first)
  const third = write('packages/sdk/src/new.ts', 'x')
  expect(third).not.toBe(second)
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>
  }
  const withVersion = (name: string): string => {
    const { packages } = lock
    const changed = { ...packages, [name]: { ...packages[name], version: '0.0.0' } }
    return write('package-lock.json', JSON.stringify({ ...lock, packages: changed }))
  }
  expect(withVersion('node_modules/react')).not.toBe(third)
  expect(withVersion('node_modules/pino')).toBe(third)
})
