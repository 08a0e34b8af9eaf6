/** Steps stand for time: whatever a template does to whatever value, a step is some microseconds and never a second. */
import { expect, test } from 'vitest'
import { signatureOf } from '../../src/template/filters/table.ts'
import { filters } from '../../src/template/filters/table.ts'
import { parseTemplate } from '../../src/template/parse.ts'
import { render } from '../../src/template/render.ts'
import type { Template } from '../../src/template/syntax.ts'
import { leastWork } from '../support/eventually.ts'

const filterNames = [...filters.keys()].toSorted()

/** Forty times what the dearest filter takes on an idle machine. What is text times pattern takes ten thousand times. */
const MAX_PER_STEP_MS = 0.05
/** For what has nothing to do with the template: compiling code, collecting garbage. */
const MAX_BESIDES_MS = 50

const KILO = 1024
const deep = (levels: number): unknown => Array.from({ length: levels }).reduce((inner) => [inner, 'x'], 'x')
const entries = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))

/** Characters that each filter may have its own trouble with. */
const texts = [
  'a',
  'ab',
  ' ',
  'a ',
  '\r\n',
  '<',
  '<>',
  '<script></script>',
  '<!---->',
  '"',
  '&amp;',
  '%41',
  '1',
  'Σ',
  'İ',
  '\u{1F600}',
  '\ud800',
  '\0',
  '-',
  '%c',
]
const textOf = (unit: string, size: number): string => unit.repeat(Math.ceil(size / unit.length))

const inputsOf = (size: number): unknown[] => [
  ...texts.map((unit) => textOf(unit, size)),
  Array.from({ length: size / 16 }, (_, i) => i * 65_536),
  Array.from({ length: size / 64 }, (_, i) => `${'a'.repeat(60)}${i}`),
  Array.from({ length: size / 32 }, (_, i) => ({ a: i, b: 'x' })),
  Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? i : textOf('1', size))),
  entries(size / 16),
  deep(60),
  1e300,
  -1,
  Number.NaN,
  'now',
  null,
]

/** Searched from either end, it nearly matches for long at every place in a text of that size. */
const almostIn = (size: number): string => `${'a'.repeat(300)}b${'a'.repeat(size / 4)}`

/** Patterns that nearly match everywhere, paths that lead nowhere, numbers beyond everything. */
const argsOf = (size: number): unknown[] => [
  '',
  'a',
  'aaab',
  `${'a'.repeat(30)}b`,
  `${'a'.repeat(30)}b${'a'.repeat(30)}`,
  `${'a'.repeat(size / 2)}b`,
  almostIn(size),
  textOf('a', size),
  textOf('a.', size),
  textOf('1', size),
  textOf('%99Y', Math.min(size, 4 * KILO)),
  1e300,
  -1e300,
  Array.from({ length: 1000 }, (_, i) => i),
]

interface Work {
  template: Template
  variables: Record<string, unknown>
  steps: number
}

const parsed = (source: string): Template => {
  const result = parseTemplate(source, 'html')
  if (!result.ok) throw new Error(result.problems[0]?.message)
  return result.template
}

/** Undefined where the steps stand for the time that was taken. */
async function dearness({ template, variables, steps }: Work): Promise<string | undefined> {
  let spent = 0
  const work = (): void => {
    const shared = { steps }
    render(template, variables, { shared })
    spent = steps - Math.max(0, shared.steps || 0)
  }
  work()
  const most = MAX_BESIDES_MS + spent * MAX_PER_STEP_MS
  const took = await leastWork(most, work)
  return took < most ? undefined : `${took.toFixed(0)} ms for ${spent} steps`
}

const callsOf = (name: string): string[] => {
  const { least = 0, most = 0 } = signatureOf(name) ?? {}
  return ['', ': a', ': a, b'].slice(least, most + 1)
}

/** In a loop, until there are no steps left; and once, for values that take all of them. */
const shapes = (call: string): string[] => [
  `{% for i in (1..300) %}{% assign x = v | ${call} %}{% endfor %}{{ v | ${call} }}`,
  `{% capture m %}{{ v }}{% endcapture %}{{ m | ${call} }}`,
]

async function dearCalls(name: string, size: number, steps: number): Promise<string[]> {
  const found: string[] = []
  const inputs = inputsOf(size)
  const args = argsOf(size)
  for (const call of callsOf(name)) {
    for (const shape of shapes(`${name}${call}`)) {
      const template = parsed(shape)
      for (const [i, v] of inputs.entries()) {
        for (const [j, a] of (call === '' ? [undefined] : args).entries()) {
          // The second argument is another one every time; all pairs would be too many.
          const variables = { v, a, b: args[(i + j) % args.length] }
          const dear = await dearness({ template, variables, steps })
          if (dear !== undefined) found.push(`${name}${call} of input ${i} with argument ${j}: ${dear}`)
        }
      }
    }
  }
  return found
}

test.each(filterNames)('%s takes no more time than it pays for, with 1 KB', async (name) => {
  expect(await dearCalls(name, KILO, 300)).toEqual([])
})

test.each(filterNames)(
  '%s takes no more time than it pays for, with 32 KB',
  async (name) => {
    expect(await dearCalls(name, 32 * KILO, 2_000)).toEqual([])
  },
  60_000,
)

/** The largest that there are: once is enough. */
test.each(filterNames)(
  '%s takes no more time than it pays for, with 2 MB',
  async (name) => {
    const size = 2048 * KILO
    const text = textOf('a', size)
    const ended = `${'a'.repeat(size / 4)}b`
    const found: string[] = []
    for (const call of callsOf(name)) {
      for (const a of call === '' ? [undefined] : [almostIn(size), ended, text]) {
        const variables = { v: text, a, b: '' }
        const dear = await dearness({ template: parsed(`{{ v | ${name}${call} }}`), variables, steps: 200_000 })
        if (dear !== undefined) found.push(`${name}${call}: ${dear}`)
      }
    }
    expect(found).toEqual([])
  },
  60_000,
)

const loop = (body: string): string => `{% for i in (1..3000) %}${body}{% endfor %}`
const half = 'a'.repeat(32 * KILO)

/** What is not a filter: comparisons, tags, and the places where a value is written. */
const others: [what: string, source: string][] = [
  ['contains', loop('{% if t contains almost %}{% endif %}{% if t contains ended %}{% endif %}')],
  ['equals', loop('{% if t == u %}{% endif %}{% if list == other %}{% endif %}')],
  ['an order of texts', loop('{% if t < u %}{% endif %}')],
  ['an order of numbers in texts', loop('{% if digits < 1 %}{% endif %}')],
  ['blank', loop('{% if blanks == blank %}{% endif %}{% if object == empty %}{% endif %}')],
  ['case', loop('{% case t %}{% when u %}{% when almost %}{% endcase %}')],
  ['captures of nothing', loop('{% capture x %}{% endcapture %}'.repeat(3_000))],
  ['loops over nothing', loop('{% for x in nil %}{% endfor %}'.repeat(2_000))],
  ['branches that do nothing', loop('{% if nil %}{% else %}{% endif %}'.repeat(2_000))],
  ['parts of loops', loop('{% for x in list limit: digits offset: digits reversed %}{% break %}{% endfor %}')],
  ['loops over objects', loop('{% for x in object %}{% break %}{% endfor %}')],
  ['sizes of objects', loop('{{ object.size }}')],
  ['ranges of digits', loop('{% for x in (digits..digits) %}{% endfor %}')],
  ['long keys', loop('{{ object[t] }}{{ object[almost] }}')],
  ['names that differ at their end', nested()],
  ['long texts that differ at their end', '{{ long | uniq | size }}'],
  ['quotes in text', loop('{{ quotes }}')],
  ['links after much text', `{{ t }}{{ t }}{{ t }}<a href="${loop('{{ i }}{{ i }}')}">`],
  ['links of controls', loop('<a href="{{ controls }}">')],
  ['styles', loop('<p style="color: {{ t }}">')],
  ['addresses in styles', loop('<p style="background: url({{ brackets }})">')],
  ['addresses in sheets', `<style>${loop('a { background: url({{ brackets }}) }')}</style>`],
  ['comments', loop('<!-- {{ dashes }} -->')],
]

/** Reads of names go past all loops around. */
function nested(): string {
  const names = Array.from({ length: 60 }, (_, i) => `${'n'.repeat(250)}${i + 100}`)
  const heads = names.map((name) => `{% for ${name} in (1..1) %}`).join('')
  return `${heads}${loop(`{{ ${'n'.repeat(250)}999 }}`)}${'{% endfor %}'.repeat(names.length)}`
}

test.each(others)('%s: no more time is taken than is paid for', async (_what, source) => {
  const variables = {
    t: `${half}x`,
    u: `${half}y`,
    almost: almostIn(32 * KILO),
    ended: `${'a'.repeat(16 * KILO)}b`,
    digits: textOf('1', 64 * KILO),
    blanks: ' '.repeat(64 * KILO),
    quotes: '"'.repeat(64 * KILO),
    controls: '\u0001'.repeat(64 * KILO),
    brackets: '('.repeat(64 * KILO),
    dashes: '-'.repeat(64 * KILO),
    list: Array.from({ length: 1000 }, () => half),
    other: Array.from({ length: 1000 }, () => `${half}`),
    long: Array.from({ length: 1200 }, (_, i) => `${'a'.repeat(20_000)}${i + 1_000}`),
    object: entries(5_000),
  }
  expect(await dearness({ template: parsed(source), variables, steps: 10_000 })).toBeUndefined()
})
