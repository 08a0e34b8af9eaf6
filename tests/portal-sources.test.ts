import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contrast, tokensIn } from './support/contrast.ts'
import { portalFindings } from './support/portal-rules.ts'

const root = new URL('..', import.meta.url).pathname

const files = new Map(
  globSync('portal/src/**/*.{ts,tsx,css}', { cwd: root }).map((path) => [path, readFileSync(join(root, path), 'utf8')]),
)

test('the sources of the portal keep its rules', () => {
  expect(files.size).toBeGreaterThan(60)
  expect(portalFindings(files)).toEqual([])
})

const TEXT = 4.5
const CONTROL = 3
const states = ['ok', 'info', 'warn', 'bad', 'plan']

/** Every colour that stands on another somewhere, and how much they must differ. */
const pairs: [front: string, back: string, least: number][] = [
  ...['ink', 'quiet', 'accent', ...states].flatMap((front): [string, string, number][] =>
    ['card', 'ground', 'sunken'].map((back) => [front, back, TEXT]),
  ),
  ...states.flatMap((state): [string, string, number][] => [
    [state, `${state}-soft`, TEXT],
    ['ink', `${state}-soft`, TEXT],
    ['accent', `${state}-soft`, TEXT],
  ]),
  ['on-accent', 'accent', TEXT],
  ['card', 'ink', TEXT],
  ['edge', 'card', CONTROL],
  ['edge', 'ground', CONTROL],
  ['accent', 'ground', CONTROL],
]

test('every pair of colours can be told apart, in both schemes', () => {
  const tokens = tokensIn(files.get('portal/src/kit/tokens.css')?.split('@media')[0] ?? '')
  const ratios = pairs.flatMap(([front, back, least]) =>
    (['light', 'dark'] as const).map((scheme) => ({
      pair: `${front} on ${back}, ${scheme}`,
      ratio: contrast(tokens.get(front)?.[scheme] ?? '#ffffff', tokens.get(back)?.[scheme] ?? '#ffffff'),
      least,
    })),
  )
  expect(ratios.length).toBeGreaterThan(70)
  expect(ratios.filter(({ ratio, least }) => ratio < least)).toEqual([])
})

test('the contrast of two colours is what WCAG says', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrast('#ffffff', '#ffffff')).toBe(1)
})

const PAGE = 'portal/src/pages/keys/list.tsx'
const STYLE = 'portal/src/kit/a.module.css'

/** One made-up file per rule; the finding must name the reason, not just exist. */
const offences: [rule: string, path: string, text: string, finding: RegExp][] = [
  ['a colour in a style sheet', STYLE, '.a { color: #123456; }', /a colour of its own/],
  ['a colour by its name', STYLE, '.a { background: white; }', /a colour of its own/],
  ['a colour by a function', STYLE, '.a {\n  box-shadow: 0 0 4px rgb(0 0 0 / 20%);\n}', /a colour of its own/],
  ['a colour in code', 'portal/src/kit/a.tsx', `const blue = '#3b4fd0'`, /a colour of its own/],
  ['a side', STYLE, '.a { margin-left: 4px; }', /a physical direction/],
  ['a place', STYLE, '.a { color: inherit; left: 0 }', /a physical direction/],
  ['a width', STYLE, '.a { width: 4px; }', /a physical direction/],
  ['text at a side', STYLE, '.a { text-align: right; }', /a physical direction/],
  ['a request', 'portal/src/kit/a.tsx', `await fetch('/api/v1/emails')`, /calls fetch/],
  ['HTML as text', 'portal/src/kit/a.tsx', '<p dangerouslySetInnerHTML={{ __html: html }} />', /writes HTML/],
  ['CSS in a page', PAGE, `import styles from './list.module.css'\n<ListPage />`, /imports CSS/],
  ['a class in a page', PAGE, '<ListPage className="wide" />', /a look of its own/],
  ['a call in a page', PAGE, `import { call } from '../../shell/api.ts'\n<ListPage />`, /done by data\.ts/],
  ['a list that is none', PAGE, '<Table rows={rows} />', /is a list and no ListPage/],
  ['a table of its own', PAGE, '<ListPage /><table></table>', /a table of its own/],
  ['text between tags', PAGE, '<ListPage /><Button tone="main">Send again</Button>', /outside of words: Send again/],
  ['text on lines of its own', PAGE, '<ListPage /><p>\n  Nothing here.\n</p>', /outside of words: Nothing here/],
  ['text before a value', PAGE, '<ListPage /><p>Sent to {name}</p>', /outside of words: Sent to/],
  ['text behind a value', PAGE, '<ListPage /><p>{count} emails</p>', /outside of words: emails/],
  ['text in an attribute', PAGE, '<ListPage title="Keys" />', /outside of words: Keys/],
  ['a row for nobody', 'portal/src/routes.tsx', `{ path: '/x', page: () => import('./main.tsx') }`, /who may see it/],
  [
    'a row without a page',
    'portal/src/routes.tsx',
    `{ path: '/x', page: () => import('./pages/x.tsx'), scope: 'anybody' }`,
    /has no Page/,
  ],
]

test.each(offences)('it finds %s', (_rule, path, text, finding) => {
  const found = portalFindings(
    new Map([
      [path, text],
      ['portal/src/main.tsx', 'export const Page = () => null'],
    ]),
  )
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(finding)
})

test('what is allowed is not found', () => {
  const page = `
    import type { RowOf } from '../../shell/api.ts'
    const label = count > 3 && isOpen ? words.keys.many : words.keys.few
    export const Page = () => <ListPage title={words.keys.title} icon="key" rows={(found) => keys(project.id, found)} />`
  const style = `.a { color: var(--ink); border: 1px solid currentcolor; inline-size: 4px; inset-inline-start: 0; }
    @media (width <= 720px) { .a { border-color: CanvasText; background: transparent; } }`
  expect(
    portalFindings(
      new Map([
        [PAGE, page],
        [STYLE, style],
      ]),
    ),
  ).toEqual([])
})
