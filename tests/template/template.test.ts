import { expect, test } from 'vitest'
import type { Variables } from '../../src/template/evaluate.ts'
import { parseTemplate } from '../../src/template/parse.ts'
import { render } from '../../src/template/render.ts'
import type { Context, Problem } from '../../src/template/syntax.ts'
import { variablesOf } from './variables.ts'

const NOW = Date.UTC(2026, 1, 3, 4, 5, 6)

function rendered(source: string, variables: Variables = {}, context: Context = 'text'): string {
  const parsed = parseTemplate(source, context)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const result = render(parsed.template, variables, { now: () => NOW })
  if (!result.ok) throw new Error(result.problem.message)
  return result.output
}

const problemsOf = (source: string, context: Context = 'text'): string[] => {
  const parsed = parseTemplate(source, context)
  return parsed.ok ? [] : parsed.problems.map(told)
}

const told = ({ line, column, message }: Problem): string => `${line}:${column} ${message}`

test('a template greets its reader', () => {
  const source = 'Hi {{ firstName | default: "there" }}{% if orders.size > 1 %}, {{ orders.size }} orders{% endif %}!'
  expect(rendered(source, { firstName: 'Ann', orders: [1, 2] })).toBe('Hi Ann, 2 orders!')
  expect(rendered(source, { firstName: '', orders: [] })).toBe('Hi there!')
  expect(rendered(source)).toBe('Hi there!')
})

test('names have digits and letters of any language, and no curly quotes', () => {
  expect(rendered('{{ a0 }} {{ z9 }} {{ größe }} {{ 名 }}', { a0: '1', z9: '2', größe: '3', 名: '4' })).toBe('1 2 3 4')
  for (const quoted of ['“x”', '”x“']) expect(problemsOf(`{{ ${quoted} }}`)).toHaveLength(1)
})

test('all problems are told at once, each with its line and column', () => {
  const source = `Hi {{ name | shout }},
{% if %}a{% endif %}
  {{ order. }} {{ "open }}
{% include "footer" %}
{% for in items %}{% endfor %}
{% unless x %}`
  expect(problemsOf(source)).toEqual([
    '1:14 there is no filter shout',
    '2:7 a value is expected here',
    '3:13 a property is expected after the dot',
    '3:16 there is a quote in this output that is never closed',
    '4:1 there is no tag include',
    '5:11 in is expected here, as in {% for item in items %}',
    '6:1 this unless is never closed by {% endunless %}',
  ])
})

test('problems of the language and of the HTML are told together', () => {
  expect(problemsOf('{{ a | b }}\n<a onclick="{{ c }}">', 'html')).toEqual([
    '1:8 there is no filter b',
    '2:13 a value cannot stand in the attribute onclick',
  ])
})

test('a hundred problems are enough', () => {
  expect(problemsOf('{{ }}\n'.repeat(5000))).toHaveLength(100)
})

const mistakes: [source: string, problem: string][] = [
  ['{{ }}', '1:4 a value is expected here'],
  ['{{ a b }}', '1:6 "b" is not expected here'],
  ['{{ a | }}', '1:8 the name of a filter is expected after |'],
  ['{{ a | append }}', '1:8 append needs one argument'],
  ['{{ a | slice: 1, 2, 3 }}', '1:21 slice takes 2 arguments'],
  ['{{ a | upcase: 1 }}', '1:16 upcase takes no arguments'],
  ['{{ a[1 }}', '1:8 the bracket is not closed by ]'],
  ['{{ a == b }}', '1:6 == belongs in an if, not into a value'],
  ['{{ a and b }}', '1:6 and belongs in an if, not into a value'],
  ['{{ (1) }}', '1:6 round brackets are for ranges only, as in (1..5)'],
  ['{{ (1..2 }}', '1:10 the range is not closed by )'],
  ['{{ nil.size }}', '1:4 nil has no properties'],
  ['{{{ a }}}', '1:3 a value is expected here'],
  ['{{ “a” }}', '1:4 a value is expected here'],
  ['{% if a === b %}{% endif %}', '1:11 a value is expected here'],
  ['{% if a | size %}{% endif %}', '1:9 a condition takes no filters: assign the filtered value to a name first'],
  ['{% if not a %}{% endif %}', '1:11 "a" is not expected here'],
  ['{% if a == b == c %}{% endif %}', '1:14 "== c" is not expected here'],
  ['{% if a %}{% else if b %}{% endif %}', '1:19 else takes no condition: write elsif'],
  ['{% if a %}{% else %}{% elsif b %}{% endif %}', '1:30 elsif comes after else'],
  ['{% if a %}{% endfor %}{% endif %}', '1:11 endfor does not fit here: if of line 1 is still open'],
  ['{% endif %}', '1:1 endif does not fit here: nothing is open'],
  ['{% else %}', '1:1 else belongs in an if, a case or a for'],
  ['{% when 1 %}', '1:1 when belongs in a case'],
  ['{% for a of b %}{% endfor %}', '1:10 in is expected here, as in {% for item in items %}'],
  ['{% for a in b limit 3 %}{% endfor %}', '1:21 a colon is expected here'],
  ['{% for a in b step: 3 %}{% endfor %}', '1:15 only limit, offset and reversed can follow here'],
  ['{% break %}', '1:1 break belongs in a for'],
  ['{% assign a 1 %}', '1:13 = is expected here, as in {% assign name = value %}'],
  ['{% assign 1 = 1 %}', '1:11 a name is expected here'],
  ['{% capture %}{% endcapture %}', '1:12 a name is expected here'],
  ['{% case a %}x{% when 1 %}{% endcase %}', '1:1 there is something between this case and its first when'],
  ['{% %}', '1:1 the name of a tag is expected here'],
  ['{% raw %}', '1:1 this {% raw %} is never closed by {% endraw %}'],
  ['a\nb {{ c', '2:3 this {{ is never closed by }}'],
]

test.each(mistakes)('%s is a mistake', (source, problem) => {
  expect(problemsOf(source)).toEqual([problem])
})

const reads: [source: string, variables: string[]][] = [
  ['plain', []],
  ['{{ b }}{{ a }}{{ b }}', ['a', 'b']],
  ['{{ order.total | plus: order.tax | default: none }}', ['none', 'order.tax', 'order.total']],
  ['{{ a["b"].c }}{{ d[e.f].g }}{{ h[0].i }}', ['a.b.c', 'd', 'e.f', 'h']],
  ['{{ list.size }}{{ list.first.name }}', ['list']],
  ['{% for item in order.items limit: most %}{{ item.name }}{{ forloop.index }}{% endfor %}', ['most', 'order.items']],
  ['{% for a in b %}{% endfor %}{{ a.c }}', ['a.c', 'b']],
  [
    '{% if a == b.c or d contains "x" %}{{ e }}{% elsif f %}{% else %}{{ g }}{% endif %}',
    ['a', 'b.c', 'd', 'e', 'f', 'g'],
  ],
  ['{% assign x = y %}{{ x.z }}', ['y']],
  ['{{ x }}{% assign x = 1 %}{{ x }}', ['x']],
  ['{% if y %}{% assign x = 1 %}{% endif %}{{ x }}', ['x', 'y']],
  ['{% if y %}{% assign x = 1 %}{% else %}{% assign x = 2 %}{% endif %}{{ x }}', ['y']],
  ['{% capture x %}{{ y }}{% endcapture %}{{ x }}', ['y']],
  ['{% case a %}{% when b %}{{ c }}{% else %}{{ d }}{% endcase %}', ['a', 'b', 'c', 'd']],
  ['{% for i in (from..to) %}{{ i }}{% else %}{{ nothing }}{% endfor %}', ['from', 'nothing', 'to']],
  ['{% raw %}{{ a }}{% endraw %}{% comment %}{{ b }}{% endcomment %}', []],
]

test.each(reads)('%s reads %j', (source, variables) => {
  const parsed = parseTemplate(source, 'text')
  expect(parsed.ok && variablesOf(parsed.template)).toEqual(variables)
})

test('now is what the caller says, and without a zone it is UTC', () => {
  expect(rendered('{{ "now" | date: "%Y-%m-%d %H:%M" }} {{ "today" | date: "%Y" }}')).toBe('2026-02-03 04:05 2026')
  expect(rendered('{{ "2026-07-01 10:00" | date: "%H:%M %z" }}')).toBe('10:00 +0000')
  expect(rendered('{{ "July 1, 2026" | date: "%F" }}')).toBe('2026-07-01')
})

test('a moment is shown in the zone that is named, with its summer time', () => {
  const shown = (moment: string, zone: string) => rendered('{{ m | date: "%H:%M %:z", z }}', { m: moment, z: zone })
  expect(shown('2026-01-01T12:00:00Z', 'Europe/Vienna')).toBe('13:00 +01:00')
  expect(shown('2026-07-01T12:00:00Z', 'Europe/Vienna')).toBe('14:00 +02:00')
  expect(shown('2026-07-01T12:00:00Z', 'Asia/Kolkata')).toBe('17:30 +05:30')
  expect(shown('2026-07-01T00:30:00Z', '-03:30')).toBe('21:00 -03:30')
  expect(shown('2026-07-01T12:00:00Z', 'Atlantis')).toBe('12:00 +00:00')
  expect(rendered('{{ d | date: "%F" }}{{ e | date: "%F" }}', { d: new Date(0), e: new Date(Number.NaN) })).toBe(
    '1970-01-01',
  )
})

test('amounts look as they should', () => {
  expect(rendered('{{ total | times: 1.2 | round: 2 }}', { total: 19.99 })).toBe('23.99')
  expect(rendered('{{ "12.50" | plus: 0 }} {{ "12.50" }}')).toBe('12.5 12.50')
})

test('a header is one line, whatever its template or values say', () => {
  expect(rendered('\n Hello\r\n{{ name }}\t!\n', { name: 'A\r\nBcc: b@c.d' }, 'header')).toBe('Hello A Bcc: b@c.d !')
})
