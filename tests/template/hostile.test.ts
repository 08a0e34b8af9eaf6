import { expect, test } from 'vitest'
import { defaultLimits } from '../../src/template/budget.ts'
import { MAX_SOURCE_LENGTH, parseTemplate } from '../../src/template/parse.ts'
import { render } from '../../src/template/render.ts'
import type { Context } from '../../src/template/syntax.ts'

const MEGABYTE = 1_000_000

/** What a template comes to: its result, or the first reason why there is none. */
function outcome(source: string, variables: Record<string, unknown> = {}, context: Context = 'html'): string {
  const parsed = parseTemplate(source, context)
  if (!parsed.ok) return `refused: ${parsed.problems[0]?.message ?? ''}`
  const rendered = render(parsed.template, variables)
  return rendered.ok ? rendered.output : `stopped: ${rendered.problem.message}`
}

const flood = (piece: string): string => piece.repeat(Math.floor(MEGABYTE / piece.length))

/** Every one of these is a megabyte, and each is read once from left to right. */
const floods: [piece: string, end: RegExp][] = [
  ['{{', /never closed/],
  ['{%', /never closed/],
  ['{ ', /^(?:\{ )+$/],
  ['{', /never closed/],
  ['{{}}', /a value is expected/],
  ['{%%}', /the name of a tag/],
  ["{{'", /never closed/],
  ["{{\\'}}", /a value is expected|quote/],
  ['{{ a', /never closed/],
  ['{% raw %}', /never closed by \{% endraw %\}/],
  ['{% raw %}{%', /never closed/],
  ['{% comment %}', /never closed by/],
  ['{% if a %}', /nested more than/],
  ['{% for a in b %}', /nested more than/],
  ['{% capture a %}', /nested more than/],
  ['{% endif %}', /does not fit here/],
  ['{% else %}', /belongs in/],
  ['{{ a }}', /more than 10000 tags and outputs/],
  [`${'x'.repeat(200)}{{ a }}`, /^x+$/],
  ['{{ a | b }}', /there is no filter b/],
  ['<', /^<+$/],
  ['<!--', /^/],
  ['<!--[if', /^/],
  ['<a href="', /^/],
  ['<a b=', /^/],
  ['<style>url(', /^/],
  ['<script></scrip', /^/],
  ['\n{{ x | upcase: }}', /a value is expected|takes no arguments/],
  ['\u{1F600}{{ é }}\ud800', /^/],
]

test.each(floods)('a megabyte of %j is read and judged', (piece, end) => {
  expect(outcome(flood(piece)).replace(/^refused: /, '')).toMatch(end)
})

test('one tag of a megabyte is refused where it is too long', () => {
  expect(outcome(`{{ a${flood('.a')} }}`)).toMatch(/at most 16 steps/)
  expect(outcome(`{{ ${flood('a[')} }}`)).toMatch(/nested 4 deep/)
  expect(outcome(`{{ a ${flood('| upcase ')} }}`)).toMatch(/more than 20 filters/)
  expect(outcome(`{{ a | default: 1${flood(',1')} }}`)).toMatch(/takes one argument/)
  expect(outcome(`{% if a ${flood('and a ')} %}{% endif %}`)).toMatch(/more than 50 comparisons/)
  expect(outcome(`{{ ${flood('(')} }}`)).toMatch(/range/)
  expect(outcome(`{{ "${flood('\\u0041')}" }}`, {}, 'text')).toMatch(/^A+$/)
  expect(outcome(`{% case a %}{% when 1${flood(',1')} %}{% endcase %}`)).toMatch(/stopped: .* steps/)
})

test('a source beyond its limit is not even read', () => {
  expect(outcome('x'.repeat(MAX_SOURCE_LENGTH))).toHaveLength(MAX_SOURCE_LENGTH)
  expect(outcome('x'.repeat(MAX_SOURCE_LENGTH + 1))).toMatch(/refused: the template is longer than/)
})

const loop = (body: string, end: number | string = 99_999): string => `{% for i in (1..${end}) %}${body}{% endfor %}`
const text = 'x'.repeat(100_000)

const runaways: [sentence: string, source: string, variables?: Record<string, unknown>][] = [
  ['a loop that counts to a billion', loop('', 1_000_000_000)],
  ['a loop that counts further than numbers go', loop('', '9'.repeat(400))],
  ['a loop that a value makes long', loop('', 'n'), { n: 1e300 }],
  ['a loop from infinity to infinity', '{% for i in (n..n) %}{% endfor %}', { n: Infinity }],
  ['loops in loops', loop(loop(loop('', 99), 99), 99)],
  ['a list of a million', '{% for x in list %}{% endfor %}', { list: Array.from({ length: 1_000_000 }, () => 0) }],
  ['text that doubles', `{% assign x = "ab" %}${loop('{% assign x = x | append: x %}', 40)}`],
  [
    'captures that double',
    `{% capture x %}ab{% endcapture %}${loop('{% capture x %}{{ x }}{{ x }}{% endcapture %}', 40)}`,
  ],
  ['lists that double', `{% assign x = "a b" | split: " " %}${loop('{% assign x = x | concat: x %}', 40)}`],
  ['replacing that multiplies', `{{ t | replace: "x", t }}`, { t: text }],
  ['replacing between all characters', `{{ t | replace: "", t }}`, { t: text }],
  ['joining that multiplies', `{{ t | split: "" | join: t }}`, { t: text }],
  ['line breaks that grow', '{% assign x = t | newline_to_br %}', { t: '\n'.repeat(1_000_000) }],
  ['escaping that grows', '{% assign x = t | escape %}', { t: '"'.repeat(1_000_000) }],
  ['encoding that grows', '{% assign x = t | url_encode %}', { t: '"'.repeat(1_000_000) }],
  ['encoding that triples', loop('{% assign x = t | url_encode %}'), { t: '<'.repeat(100_000) }],
  ['looking for the same again and again', loop('{% if t contains "y" %}{% endif %}'), { t: text }],
  ['comparing the same again and again', loop('{% if t == u %}{% endif %}'), { t: text, u: `${text}` }],
  ['sorting', loop('{% assign x = list | sort %}'), { list: Array.from({ length: 2000 }, (_, i) => `${text}${i}`) }],
  ['sorting naturally', '{{ list | sort_natural }}', { list: Array.from({ length: 2000 }, (_, i) => `${text}${i}`) }],
  ['stripping tags', loop('{% assign x = t | strip_html %}'), { t: '<'.repeat(100_000) }],
  ['printing the same list again and again', loop('{{ list }}'), { list: Array.from({ length: 5000 }, () => 'x') }],
  [
    'printing JSON of the same object in a list',
    '{{ list | json }}',
    { list: Array.from({ length: 9999 }, () => ({ text })) },
  ],
  [
    'counting the keys of a large object',
    loop('{{ o.size }}'),
    { o: Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, i])) },
  ],
  ['dates without end', loop('{{ 0 | date: "%c%c%c%c%c%c%c%c", zone }}'), { zone: 'Nowhere/Land' }],
  ['writing a long text', loop(text)],
  ['writing a long value', loop('{{ t }}'), { t: text }],
  ['writing a long value into a style', loop('<p style="color: {{ t }}">'), { t: `${text};` }],
  ['links in pieces', `<a href="${loop('{{ t }}')}">`, { t: text }],
]

test.each(runaways)('%s is stopped', (_sentence, source, variables = {}) => {
  expect(outcome(source, variables)).toMatch(
    /^stopped: the template (takes more than 100000 steps|makes more than 2097152 char)/,
  )
})

test('a render that was stopped says where', () => {
  const parsed = parseTemplate(`\n  ${loop('{{ i }}', 1_000_000)}`, 'text')
  expect(parsed.ok && render(parsed.template, {})).toEqual({
    ok: false,
    problem: { line: 2, column: 3, message: `the template takes more than ${defaultLimits.steps} steps` },
    limit: 'steps',
  })
})

test('limits are those of the caller', () => {
  const parsed = parseTemplate(loop('{{ i }}', 10), 'text')
  const attempt = (limits: object) => parsed.ok && render(parsed.template, {}, { limits }).ok
  expect(attempt({})).toBe(true)
  expect(attempt({ steps: 30 })).toBe(false)
  expect(attempt({ output: 10 })).toBe(false)
  expect(attempt({ output: 11 })).toBe(true)
})

const walks = [
  ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'prototype'],
  ['v.constructor', 'v.__proto__', 'v["__proto__"]["polluted"]', 'v.constructor.constructor', 'v.toString', 'v.f'],
  ['s.constructor', 's.toUpperCase', 's.__proto__', 'n.toFixed', 'n.constructor', 'b.valueOf', 'l.map', 'l.push'],
  ['l.constructor', 'l["__proto__"]', 'l.concat', 'd.getTime', 'm.size', 'm.get', 'c.secret', 'c.method', 'y', 'g'],
  ['v[k]', 'l[k]', 's[k]', 'v[k][k]', '"x" | map: k', 'l | map: k | first', 'v | map: "constructor.name"'],
  ['l | where: k | first', 'l | sort: k | last | default: ""', 'c | json | remove: "null"'],
].flat()

class Host {
  secret = 'host'
  method = () => 'host'
}

test.each(walks)('{{ %s }} leads nowhere', (path) => {
  const variables = {
    v: { f: () => 'host', [Symbol.iterator]: 'host' },
    s: 'x',
    n: 1,
    b: true,
    l: [{}],
    d: new Date(0),
    m: new Map([['get', 'host']]),
    c: new Host(),
    y: Symbol('host'),
    g: () => 'host',
    k: 'constructor',
  }
  expect(outcome(`{{ ${path} }}`, variables, 'text')).toBe('')
})

test('what somebody else hung on a prototype is not there', () => {
  const all: unknown[] = [Object.prototype, Array.prototype, String.prototype]
  for (const prototype of all) Object.defineProperty(prototype, 'hung', { value: 'host', configurable: true })
  const source = '{{ hung }}{{ v.hung }}{{ v["hung"] }}{{ l.hung }}{{ s.hung }}{{ l | map: "hung" }}{{ v | json }}'
  expect(outcome(source, { v: {}, l: [{}], s: 'x' }, 'text')).toBe('{}')
  for (const prototype of all) Reflect.deleteProperty(Object(prototype), 'hung')
})

test('an assignment cannot reach a prototype either', () => {
  const source = '{% assign __proto__ = "a" %}{% assign constructor = "b" %}{% capture toString %}c{% endcapture %}'
  expect(outcome(`${source}{{ __proto__ }}{{ constructor }}{{ toString }}{{ x.polluted }}`, {}, 'text')).toBe('abc')
  expect('polluted' in {}).toBe(false)
  expect(outcome('{% for __proto__ in (1..2) %}{{ __proto__ }}{% endfor %}', {}, 'text')).toBe('12')
})

test('own properties with such names are only values', () => {
  const variables = JSON.parse('{"__proto__": {"a": 1}, "v": {"constructor": "c", "__proto__": "p", "size": "s"}}')
  expect(outcome('{{ __proto__.a }}{{ v.constructor }}{{ v.__proto__ }}{{ v.size }}', variables, 'text')).toBe('1cps')
})

test('values that refer to themselves are cut off', () => {
  const circle: Record<string, unknown> = { name: 'a', list: [] }
  circle['self'] = circle
  circle['list'] = [circle['list'], 'x']
  const ring: unknown[] = ['x']
  ring.push(ring)
  expect(outcome('{{ v.self.self.self.name }}', { v: circle }, 'text')).toBe('a')
  expect(outcome('{{ v }}', { v: ring }, 'text')).toMatch(/^x{20}$/)
  expect(outcome('{{ v | json }}', { v: ring }, 'text')).toMatch(/null/)
  expect(outcome('{% if v == w %}a{% endif %}', { v: ring, w: ['x', ring] }, 'text')).toBe('')
})

test('a template is data that no render changes', () => {
  const parsed = parseTemplate('{% assign x = l | sort %}{{ x }}{% for i in l reversed %}{{ i }}{% endfor %}', 'html')
  if (!parsed.ok) throw new Error('does not parse')
  const [before, variables] = [JSON.stringify(parsed.template), { l: ['b', 'a'] }]
  expect(render(parsed.template, variables)).toEqual({ ok: true, output: 'abab' })
  expect(render(parsed.template, variables)).toEqual({ ok: true, output: 'abab' })
  expect(JSON.stringify(parsed.template)).toBe(before)
  expect(structuredClone(parsed.template)).toEqual(parsed.template)
  expect(variables).toEqual({ l: ['b', 'a'] })
})
