import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { blocksOf, documents, nameOf, settingsIn, type Block } from './examples/blocks.ts'
import { startInstallation, type Installation } from './examples/installation.ts'
import { openPage, readSettings } from './examples/reading.ts'
import { demandCurl } from './examples/shell.ts'

const root = new URL('..', import.meta.url).pathname
const pages = documents(root)

const unspoken = { reason: 'a drawing of states that no answer of the API names' }

/** The blocks that nobody types here, by how they begin, and why; where a test runs them elsewhere, which. */
const exceptions: Record<string, { reason: string; test?: string }> = {
  'README.md: npm test ': { reason: 'this is a part of it' },
  'docs/webhooks.md: import { createHmac, timingSafeEqual }': {
    reason: 'it is a program',
    test: 'tests/journeys/webhook-example.test.ts',
  },
  'docs/operations.md: export PGPASSFILE': {
    reason: 'it needs tools of the version of the server, which does not bring them',
  },
  'docs/receiving.md: SISIMAI_CORPUS=/path/to/corpus npm run bounces': { reason: 'it needs the mail of other people' },
  'docs/dmarc.md: _dmarc.example.com': { reason: 'it is a record of a zone' },
  'docs/live.md: event: hello': { reason: 'it comes from a stream, which does not end' },
  'docs/live.md: for await (const { event, data }': { reason: 'it is a line of a program' },
  'docs/states.md: live → revoked ': unspoken,
  'docs/states.md: open → ended ': unspoken,
  'docs/states.md: open → accepted ': unspoken,
  'docs/states.md: (new) → subscribed ': unspoken,
  'docs/states.md: unread → read ': unspoken,
  'docs/states.md: pending → active ': unspoken,
  'docs/states.md: enabled  → disabled ': unspoken,
  'docs/states.md: waiting → running ': unspoken,
}
const isException = (block: Block): boolean =>
  Object.keys(exceptions).some((beginning) => nameOf(block).startsWith(beginning))

let installation: Installation
beforeAll(async () => {
  demandCurl()
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const examplesOf = (page: string) => blocksOf(root, page).filter((block) => !isException(block))

const pagesToFollow = pages.filter((page) => examplesOf(page).length > 0)

test.each(pagesToFollow)('everything in %s works as it is written', async (page) => {
  const reader = await openPage(root, page, installation)
  for (const block of examplesOf(page)) await reader.follow(block)
  reader.close()
})

test('the mail of the examples reaches those whom they name', async () => {
  const named = ['ann', 'ben', 'desk', 'you'].map((name) => `${name}@example.org`)
  const missing = () => named.filter((name) => installation.sink.taken.every(({ to }) => to !== name))
  await eventually('everybody has mail', () => missing().length === 0).catch(() => expect(missing()).toEqual([]))
})

test('whoever writes `api` says where it comes from', () => {
  const using = pagesToFollow.filter((page) => examplesOf(page).some(({ text }) => /^api /m.test(text)))
  expect(using.length).toBeGreaterThan(5)
  const silent = using.filter((page) => page !== 'README.md' && !textOf(page).includes('](../README.md#from-a-shell)'))
  expect(silent).toEqual([])
  expect(textOf('README.md')).toContain('## From a shell\n')
})

test('every exception is still there, once, and what is proven elsewhere is', () => {
  const names = pages.flatMap((page) => blocksOf(root, page).map(nameOf))
  for (const [beginning, { test: elsewhere }] of Object.entries(exceptions)) {
    const found = names.filter((name) => name.startsWith(beginning))
    expect(found, `blocks that begin with ${beginning}`).toHaveLength(1)
    if (elsewhere !== undefined) expect(textOf(elsewhere)).toContain(beginning.split(':')[0])
  }
})

test('every script that is named is there', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
  const named = pages.flatMap((page) => textOf(page).match(/(?<=\bnpm (run )?)(test|start|(?<=run )[a-z:]+)\b/g) ?? [])
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})

test('every setting in the text is one, with a value that is taken', () => {
  const lines = pages.flatMap((page) => settingsIn(root, page))
  expect(lines.length).toBeGreaterThan(5)
  for (const line of lines) readSettings(line)
})

test('every link between the pages leads to a heading that is there', () => {
  const links = [...pages, 'CONTRIBUTING.md'].flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)].map(([, path = '', anchor = '']) => ({
      page,
      target: path === '' ? page : join(dirname(page), path),
      anchor,
    })),
  )
  expect(links.length).toBeGreaterThan(30)
  expect(links.filter(({ target }) => !existsSync(join(root, target)))).toEqual([])
  expect(links.filter(({ target, anchor }) => anchor !== '' && !anchorsOf(target).includes(anchor))).toEqual([])
})

/** As GitHub makes them of headings. */
const anchorsOf = (page: string): string[] =>
  [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
