import { Liquid } from 'liquidjs'
import { describe, expect, test } from 'vitest'
import { filters } from '../../src/template/filters/table.ts'
import { parseTemplate } from '../../src/template/parse.ts'
import { render } from '../../src/template/render.ts'
import type { Context } from '../../src/template/syntax.ts'

const filterNames = [...filters.keys()].toSorted()

// A date without a zone is UTC to us and local to LiquidJS.
process.env['TZ'] = 'UTC'

/** The reference: the same language, written by others. Dates in UTC, own properties only, nothing unknown let through. */
const settings = { ownPropertyOnly: true, strictFilters: true, timezoneOffset: 0, locale: 'en-US' }
const oracle = new Liquid(settings)
const escapingOracle = new Liquid({ ...settings, outputEscape: 'escape' })

const data = {
  name: 'ann lee',
  title: '  Hello, World!  ',
  html: '<p class="x">Tom & "Jerry\'s"</p>',
  escaped: '1 &lt; 2 & 3',
  lines: 'one\ntwo\r\nthree',
  emoji: 'a😀b😀c',
  csv: 'red,green,,blue,,',
  words: 'the quick brown fox jumps',
  blankText: '   ',
  nothing: null,
  empty_text: '',
  yes: true,
  no: false,
  zero: 0,
  one: 1,
  price: 19.956,
  negative: -7,
  numeric: '42',
  list: ['b', 'a', 'c', 'a'],
  numbers: [3, 1, 2, 10],
  mixed: [1, null, 'x', false],
  none: [],
  nested: [['a', 'b'], ['c']],
  user: { first: 'Bo', address: { city: 'Graz', zip: '8010' }, tags: ['x', 'y'] },
  items: [
    { sku: 'B', price: 10, sold: true, tag: 'new', in: { stock: 3 } },
    { sku: 'a', price: 2.5, sold: false, tag: 'old', in: { stock: 1 } },
    { sku: 'C', price: 7, tag: 'new', in: { stock: 2 } },
  ],
  key: 'city',
  index: 1,
  when: '2024-03-05T09:07:03.045Z',
  stamp: 1_709_629_623,
}

/** Each is rendered by both, as text. */
const sentences: Readonly<Record<string, readonly string[]>> = {
  'outputs and paths': [
    'plain text',
    '{{ name }}',
    '{{name}}',
    'a{{ missing }}b',
    '{{ nothing }}|{{ yes }}|{{ no }}|{{ zero }}|{{ price }}',
    '{{ user.address.city }}',
    '{{ user["address"]["city"] }}',
    "{{ user['address'].zip }}",
    '{{ user.address[key] }}',
    '{{ list[0] }}{{ list[-1] }}{{ list[index] }}{{ list[9] }}',
    '{{ list.first }}{{ list.last }}{{ list.size }}',
    '{{ nested[0][1] }}{{ nested.last.first }}',
    '{{ user.tags[user.tags.size] }}',
    '{{ name.size }} {{ user.size }} {{ none.size }}',
    '{{ user.missing.deeper.still }}',
    '{{ list }}{{ nested }}{{ mixed }}',
    '{{ "double" }}{{ \'single\' }}{{ "it\'s" }}{{ \'a "b"\' }}',
    '{{ "tab\\tnew\\nline \\u0041 \\"q\\"" }}',
    '{{ 1 }}{{ -2 }}{{ 3.50 }}{{ +4 }}',
    '{{ true }}{{ false }}{{ nil }}{{ null }}{{ empty }}{{ blank }}',
    '{{ "}}" }}',
    '{{ items[1].in.stock }}',
    '{{ items.first.sku }}',
    '{{ list["0"] }}{{ items.0.sku }}',
  ],
  'white space': [
    'a  {{- name -}}  b',
    'a \n\t {{- name }} b',
    'a {{ name -}} \n b',
    'a {%- if yes -%} b {%- endif -%} c',
    'a {% if yes %} b {% endif %} c',
    '{%- assign x = 1 -%} {{- x -}} {{ x }}',
    'a\u00a0{{- name }}',
    '{{ name -}} {{ name -}} {{ name }}',
    'a {% comment %} b {% endcomment -%} c',
    ' {% raw -%} {{ x }} {% endraw %} ',
    'a {%- raw %} b {% endraw -%} c',
  ],
  'raw and comments': [
    '{% raw %}{{ name }}{% if %}{% endraw %}',
    '{%raw%}{{{%endraw%}',
    '{% comment %}{{ name }}{% if yes %}{% endcomment %}x',
    "{% # don't look %}x",
    "{% comment %}don't{% endcomment %}x",
    'a { b } c {x} % }} %}',
  ],
  'if and unless': [
    '{% if yes %}a{% else %}b{% endif %}',
    '{% if no %}a{% elsif zero %}b{% else %}c{% endif %}',
    '{% if missing %}a{% elsif nothing %}b{% else %}c{% endif %}',
    '{% if empty_text %}empty is true{% endif %}{% if none %}so is a list{% endif %}',
    '{% unless no %}a{% endunless %}{% unless yes %}b{% else %}c{% endunless %}',
    '{% unless yes %}a{% elsif zero %}b{% endunless %}',
    '{% if one == 1 %}a{% endif %}{% if one == "1" %}b{% endif %}{% if numeric == 42 %}c{% endif %}',
    '{% if one != 2 %}a{% endif %}{% if name != "ann lee" %}b{% endif %}',
    '{% if price > 19 %}a{% endif %}{% if price < 19.956 %}b{% endif %}{% if price >= 19.956 %}c{% endif %}',
    '{% if one <= 1 %}a{% endif %}{% if negative < 0 %}b{% endif %}{% if numeric > 9 %}c{% endif %}',
    '{% if "a" < "b" %}a{% endif %}{% if "B" < "a" %}b{% endif %}{% if "10" < "9" %}c{% endif %}',
    '{% if name contains "lee" %}a{% endif %}{% if list contains "c" %}b{% endif %}{% if list contains "z" %}c{% endif %}',
    '{% if numbers contains 10 %}a{% endif %}{% if numbers contains "10" %}b{% endif %}{% if numeric contains 4 %}c{% endif %}',
    '{% if missing contains "a" %}a{% endif %}{% if user contains "first" %}b{% endif %}',
    '{% if yes and no or yes %}a{% else %}b{% endif %}',
    '{% if no and no or yes %}a{% else %}b{% endif %}',
    '{% if yes or no and no %}a{% else %}b{% endif %}',
    '{% if no or yes and yes or no %}a{% else %}b{% endif %}',
    '{% if one == 1 and name contains "n" or missing %}a{% endif %}',
    '{% if missing == nil %}a{% endif %}{% if nothing == null %}b{% endif %}{% if zero == nil %}c{% endif %}',
    '{% if empty_text == empty %}a{% endif %}{% if none == empty %}b{% endif %}{% if blankText == empty %}c{% endif %}',
    '{% if blankText == blank %}a{% endif %}{% if nothing == blank %}b{% endif %}{% if no == blank %}c{% endif %}',
    '{% if missing == empty %}a{% endif %}{% if user == empty %}b{% endif %}{% if empty == none %}c{% endif %}',
    '{% if name != blank %}a{% endif %}{% if name == blank %}b{% endif %}',
    '{% if list == list %}a{% endif %}{% if nested[1] == list %}b{% endif %}{% if items.first == items[0] %}c{% endif %}',
    '{% if missing < 1 %}a{% elsif missing > 1 %}b{% elsif nil <= 1 %}c{% else %}d{% endif %}',
    '{% if name<"b" %}a{% endif %}{% if one==1 %}b{% endif %}',
    '{% if yes %}{% if no %}a{% else %}b{% endif %}{% else %}c{% endif %}',
    '{% if false %}a{% endif %}{% if true %}b{% endif %}{% if "x" %}c{% endif %}{% if nil %}d{% endif %}',
  ],
  for: [
    '{% for x in list %}{{ x }},{% endfor %}',
    '{% for x in none %}{{ x }}{% else %}none{% endfor %}',
    '{% for x in missing %}{{ x }}{% else %}none{% endfor %}',
    '{% for x in name %}[{{ x }}]{% endfor %}{% for x in empty_text %}a{% else %}b{% endfor %}',
    '{% for pair in user.address %}{{ pair[0] }}={{ pair[1] }};{% endfor %}',
    '{% for i in (1..4) %}{{ i }}{% endfor %}',
    '{% for i in (index..3) %}{{ i }}{% endfor %}{% for i in (3..1) %}{{ i }}{% else %}-{% endfor %}',
    '{% for i in (-1..1) %}{{ i }}{% endfor %}{% for i in (1..numbers.size) %}{{ i }}{% endfor %}',
    '{% for x in list limit: 2 %}{{ x }}{% endfor %}',
    '{% for x in list offset: 2 %}{{ x }}{% endfor %}',
    '{% for x in list limit:2 offset:1 %}{{ x }}{% endfor %}',
    '{% for x in list reversed %}{{ x }}{% endfor %}',
    '{% for x in list reversed limit: 2, offset: 1 %}{{ x }}{% endfor %}',
    '{% for x in list limit: index %}{{ x }}{% endfor %}{% for x in list limit: missing %}{{ x }}{% endfor %}',
    '{% for x in list limit: 0 %}{{ x }}{% else %}none{% endfor %}',
    '{% for x in list offset: 9 %}{{ x }}{% else %}none{% endfor %}',
    '{% for x in list %}{{ forloop.index }}{{ forloop.index0 }}{{ forloop.rindex }}{{ forloop.rindex0 }} {% endfor %}',
    '{% for x in list %}{% if forloop.first %}[{% endif %}{{ x }}{% if forloop.last %}]{% endif %}{% endfor %}',
    '{% for x in list %}{{ forloop.length }}{% endfor %}',
    '{% for x in list %}{% if x == "c" %}{% break %}{% endif %}{{ x }}{% endfor %}.',
    '{% for x in list %}{% if x == "a" %}{% continue %}{% endif %}{{ x }}{% endfor %}.',
    '{% for x in list %}{% for y in numbers %}{% if y == 2 %}{% break %}{% endif %}{{ x }}{{ y }} {% endfor %}{% endfor %}',
    '{% for row in nested %}{{ forloop.index }}:{% for x in row %}{{ forloop.index }}{{ x }}{% endfor %};{% endfor %}',
    '{% for x in list %}{{ x }}{% endfor %}{{ x }}{{ forloop.index }}',
    '{% for name in list %}{{ name }}{% endfor %}{{ name }}',
    '{% for item in items %}{{ item.sku }} {{ item.price }}{% unless forloop.last %}, {% endunless %}{% endfor %}',
    '{% for x in list %}{% capture y %}{{ y }}{{ x }}{% if x == "c" %}{% break %}{% endif %}!{% endcapture %}{% endfor %}{{ y }}',
  ],
  'assign and capture': [
    '{% assign x = name %}{{ x }}',
    '{% assign x = "a" | append: "b" | upcase %}{{ x }}',
    '{% assign name = "other" %}{{ name }}',
    '{% assign x = list | sort %}{{ x | join: "" }}{{ list | join: "" }}',
    '{% assign x = missing %}[{{ x }}]',
    '{% for i in list %}{% assign last_one = i %}{% endfor %}{{ last_one }}',
    '{% assign total = 0 %}{% for item in items %}{% assign total = total | plus: item.price %}{% endfor %}{{ total }}',
    '{% capture x %}a{{ name }}b{% endcapture %}[{{ x }}]{{ x | size }}',
    "{% capture 'with-dash' %}a{% endcapture %}{{ with-dash }}",
    '{% assign x = (1..3) %}{{ x | join: "-" }}',
    '{% assign x = user %}{{ x.address.city }}',
    '{% assign x = empty %}{% if empty_text == x %}a{% endif %}',
    '{% if yes %}{% assign x = 1 %}{% endif %}{{ x }}',
  ],
  case: [
    '{% case name %}{% when "x" %}a{% when "ann lee" %}b{% else %}c{% endcase %}',
    '{% case one %}{% when 2, 1 %}a{% endcase %}{% case one %}{% when 2 or 1 %}b{% endcase %}',
    '{% case missing %}{% when 1 %}a{% else %}b{% endcase %}{% case missing %}{% when nil %}c{% endcase %}',
    '{% case one %}{% when 1 %}a{% when 1 %}b{% else %}c{% endcase %}',
    '{% case one %}\n  {% when 1 %}a{% endcase %}',
    '{% case numeric %}{% when 42 %}a{% when "42" %}b{% endcase %}',
    '{% case none %}{% when empty %}a{% endcase %}{% case blankText %}{% when blank %}b{% endcase %}',
  ],
  'filters of text': [
    '{{ name | upcase }}{{ html | downcase }}{{ name | capitalize }}{{ "ABC dEF" | capitalize }}',
    '[{{ title | strip }}][{{ title | lstrip }}][{{ title | rstrip }}]',
    '{{ lines | strip_newlines }}{{ title | squish }}',
    '{{ name | append: "!" }}{{ name | prepend: one }}{{ missing | append: "x" }}',
    '{{ name | replace: "n", "m" }}{{ name | replace: "n" }}{{ name | replace_first: "n", "m" }}',
    '{{ name | replace_last: "e", "$&" }}{{ name | remove_last: "e" }}{{ name | replace_first: "e", "$1" }}',
    '{{ name | remove: "n" }}{{ name | remove_first: "n" }}{{ name | remove: "zz" }}',
    '{{ words | truncate: 10 }}{{ words | truncate: 10, "" }}{{ words | truncate: 10, "…" }}{{ words | truncate: 100 }}',
    '{{ words | truncate: 2 }}{{ emoji | truncate: 4, "." }}{{ words | truncate }}',
    '{{ words | truncatewords: 3 }}|{{ words | truncatewords: 2, "--" }}|{{ words | truncatewords: 0 }}',
    '{{ csv | split: "," | join: "|" }}{{ name | split: "" | join: "." }}{{ name | split: " " | last }}',
    '{{ name | slice: 0 }}{{ name | slice: 1, 3 }}{{ name | slice: -3, 2 }}{{ emoji | slice: 1, 2 }}{{ name | slice: -99 }}',
    '{{ list | slice: 1, 2 | join }}{{ list | slice: -1 | join }}{{ name | slice: 50, 2 }}',
    '{{ name | size }}{{ list | size }}{{ zero | size }}{{ missing | size }}',
    '{{ name | first }}{{ name | last }}{{ list | first }}{{ list | last }}{{ missing | first }}{{ none | first }}',
  ],
  'filters of HTML and addresses': [
    '{{ html | escape }}{{ escaped | escape_once }}{{ escaped | escape }}{{ missing | escape }}',
    '{{ lines | newline_to_br }}{{ html | strip_html }}',
    '{{ "<script>a</script>b<!-- c -->d<style>e</style>f<g" | strip_html }}',
    '{{ "a b&c=ä/?" | url_encode }}{{ "a+b%26c%C3%A4" | url_decode }}{{ name | url_encode }}',
    '{{ "!*\'()~-._" | url_encode }}{{ one | url_encode }}',
    '{{ html | raw }}',
    '{{ user | json }}{{ list | json }}{{ html | json }}{{ price | json }}{{ yes | json }}{{ nothing | json }}',
  ],
  'filters of numbers': [
    '{{ one | plus: 2 }}{{ numeric | plus: "1" }}{{ missing | plus: 1 }}{{ name | plus: 1 }}',
    '{{ price | minus: 0.5 }}{{ one | times: 2.5 }}{{ 7 | divided_by: 2 }}{{ 8 | divided_by: 2 }}',
    '{{ 7 | modulo: 3 }}{{ negative | modulo: 3 }}{{ 7 | modulo: -3 }}{{ 5.5 | modulo: 2 }}',
    '{{ price | round }} {{ price | round: 2 }} {{ 1.005 | round: 2 }} {{ -1.5 | round }} {{ 1234 | round: -2 }}',
    '{{ price | ceil }}{{ price | floor }}{{ negative | abs }}{{ "-3.7" | floor }}{{ "x" | ceil }}',
    '{{ one | at_least: 5 }}{{ 9 | at_least: 5 }}{{ 9 | at_most: 5 }}{{ negative | at_most: 0 }}',
    '{{ 0.1 | plus: 0.2 }}{{ 1e3 }}{{ 100000000000000000000000 | times: 10 }}',
  ],
  'filters of lists': [
    '{{ list | join }}{{ list | join: ", " }}{{ name | join: "-" }}{{ mixed | join: "," }}{{ none | join }}',
    '{{ list | sort | join }}{{ numbers | sort | join }}{{ items | sort: "price" | map: "sku" | join }}',
    '{{ items | sort: "sku" | map: "sku" | join }}{{ items | sort_natural: "sku" | map: "sku" | join }}',
    '{{ items | sort: "sold" | map: "sku" | join }}{{ items | sort: "in.stock" | map: "sku" | join }}',
    '{{ list | uniq | join }}{{ list | reverse | join }}{{ mixed | compact | size }}',
    '{{ list | concat: numbers | join }}{{ list | concat: missing | size }}{{ missing | concat: list | size }}',
    '{{ items | map: "in.stock" | join }}{{ items | map: "missing" | join: "," }}{{ user | map: "first" }}',
    '{{ items | where: "tag", "new" | map: "sku" | join }}{{ items | where: "sold" | map: "sku" | join }}',
    '{{ items | where: "in.stock", 1 | map: "sku" | join }}{{ items | reject: "tag", "new" | map: "sku" | join }}',
    '{{ items | where: "sold", nil | map: "sku" }}{{ items | where: "sold", false | map: "sku" }}',
    '{{ items | sum: "price" }}{{ numbers | sum }}{{ none | sum }}{{ items | map: "price" | sum }}',
    '{{ "b a C" | split: " " | sort_natural | join }}{{ numbers | sort | reverse | first }}',
  ],
  default: [
    '{{ missing | default: "x" }}{{ nothing | default: "x" }}{{ empty_text | default: "x" }}{{ none | default: "x" }}',
    '{{ no | default: "x" }}{{ no | default: "x", allow_false: true }}{{ zero | default: "x" }}{{ name | default: "x" }}',
    '{{ missing | default: name | upcase }}{{ user.nick | default: user.first }}{{ blankText | default: "x" }}',
  ],
  dates: [
    '{{ when | date: "%Y-%m-%d %H:%M:%S" }}{{ stamp | date: "%Y-%m-%d" }}{{ "1709629623" | date: "%H:%M" }}',
    '{{ when | date: "%a %A %b %B %h %d %e %-d %m %-m %y %Y %C %j" }}',
    '{{ when | date: "%H %k %I %l %M %S %L %p %P %s %u %w %U %W" }}',
    '{{ when | date: "%z %:z %% %n %t %q %-I %_m %^a %^B %#p %10d %05e" }}',
    '{{ when | date }}{{ "soon" | date: "%Y" }}{{ missing | date: "%Y" }}{{ name | date: "%Y" }}',
    '{{ when | date: "%H:%M %z", 480 }}{{ when | date: "%H:%M %z %Z", "America/New_York" }}{{ when | date: "%H", -330 }}',
    '{{ "2024-12-31T23:59:59+02:00" | date: "%d.%m.%Y %H:%M %j %U" }}{{ "2024-02-30" | date: "%d" }}',
    '{{ "2024-02-29" | date: "%d %b" }}{{ "Tue, 05 Mar 2024 09:00:00 +0100" | date: "%d.%m. %H" }}',
    '{{ when | date: "%E %v %Q %" }}{{ when | date: "" }}',
  ],
}

const pairs = Object.entries(sentences).flatMap(([chapter, sources]) =>
  sources.map((source) => [chapter, source] as const),
)

describe('what LiquidJS makes of a template, we make of it', () => {
  test('the table is long enough to mean something, and knows every filter', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(150)
    const unused = filterNames.filter((name) => !pairs.some(([, source]) => source.includes(`| ${name}`)))
    expect(unused).toEqual([])
  })

  test.each(pairs)('%s: %s', (_chapter, source) => {
    expect(rendered(source, 'text')).toBe(oracle.parseAndRenderSync(source, data))
  })

  test('and escapes it where LiquidJS does', () => {
    const plain = pairs.filter(([, source]) => !/capture|newline_to_br|escape/.test(source))
    for (const [, source] of plain) {
      expect(rendered(source, 'html'), source).toBe(escapingOracle.parseAndRenderSync(source, data))
    }
  })
})

/** Where we are meant to differ: what it is, what LiquidJS says, what we say, and why. */
const differences: readonly [source: string, theirs: string, ours: string, why: string][] = [
  ['{{ user }}', '[object Object]', '', 'an object has no text; the filter json writes one'],
  ['{{ 1 | divided_by: 0 }}{{ 1 | modulo: 0 }}', 'InfinityNaN', '', 'neither is a number that a reader knows'],
  ['{% if nothing < 1 %}a{% endif %}', 'a', '', 'nil has no order, whether it was passed or is missing'],
  ['{% if nothing == missing %}a{% endif %}', '', 'a', 'both are nil'],
  ['{% if yes < 2 %}a{% endif %}', 'a', '', 'true is not one'],
  ['{% if "is null" contains nil %}a{% endif %}', 'a', '', 'nil is no text'],
  ['{{ "a b" | truncatewords: 2 }}', 'a b...', 'a b', "nothing was cut; so does Ruby's Liquid"],
  ['{{ "ab" | replace: "", "-" }}', 'a-b', '-a-b-', "as in Ruby's Liquid"],
  ['{{ user | size }}', '0', '3', 'the filter and the property say the same'],
  ['{{ name[0] }}', 'a', '', 'a text has a size and nothing else; slice takes it apart'],
  ['{{ nested | join: "," }}', 'a,b,c', 'ab,c', 'the separator is for the list itself, not for those inside'],
  ['{% raw %}a{%- endraw %}b', 'refused', 'ab', "allowed in Ruby's Liquid"],
  ['{{ when | date: "%F %T %D %R" }}', '%F %T %D %R', '2024-03-05 09:07:03 03/05/24 09:07', 'as in strftime'],
  ['{{ when | date: "%x %X" }}', '3/5/2024 9:07:03 AM', '03/05/24 09:07:03', 'as in strftime, whatever the locale'],
  ['{{ "Order 2024" | date: "%Y" }}', '2024', 'Order 2024', 'prose with a number in it is no date'],
  ['{{ when | date: "%H", "Nowhere/City" }}', 'refused', '09', 'a wrong zone is no reason to lose a message'],
  ['{{ "100%" | url_decode }}', 'refused', '100%', 'nor is a stray percent sign'],
  ['{{ missing | json }}', '', 'null', 'what is written into JSON should be JSON'],
  [
    '{{ forloop }}{% for x in (1..1) %}{{ forloop }}{% endfor %}',
    '{"i":0,"length":1,"name":"x-(1..1)"}',
    '',
    'as objects',
  ],
  ['{% for x in list %}{% cycle "a", "b" %}{% endfor %}', 'abab', 'refused', 'not part of the subset'],
  ['{% include "a" %}', 'refused', 'refused', 'there is nothing that could be loaded'],
  ['{{ name == "x" }}', 'false', 'refused', 'comparisons belong in conditions'],
  ['{% if name | size > 3 %}a{% endif %}', 'refused', 'refused', 'filters do not belong in conditions'],
  ['{% if not no %}a{% endif %}', 'a', 'refused', 'no such word in Liquid; there is unless'],
  ['{{ name | append }}', 'refused', 'refused', 'found when it is written, not when it is sent'],
  ['{{ name | upcase: 1 }}', 'ANN LEE', 'refused', 'an argument that does nothing is a mistake'],
  ['{% break %}x', '', 'refused', 'a jump out of no loop'],
  ['{% case one %}x{% when 1 %}a{% endcase %}', 'a', 'refused', 'the x is lost, which nobody wants'],
  ['{% if yes %}a{% else %}b{% else %}c{% endif %}', 'refused', 'refused', 'two of them'],
  ['{% for x in list offset: continue %}{% endfor %}', '', 'refused', 'not part of the subset'],
]

test.each(differences)('%s differs: %s there, %s here', (source, theirs, ours) => {
  expect(attempt(() => oracle.parseAndRenderSync(source, data))).toBe(theirs)
  expect(attempt(() => rendered(source, 'text'))).toBe(ours)
})

const inHtml: readonly [source: string, ours: string, why: string][] = [
  ['{% capture x %}<b>{{ html }}</b>{% endcapture %}{{ x }}', '<b>&lt;', 'captured HTML was escaped on its way in'],
  ['{{ "a\\n<b>" | newline_to_br }}', 'a<br />\n&lt;b&gt;', 'the breaks are wanted, the rest is not'],
  ['{{ "<" | escape }}{{ "&lt;" | escape_once }}', '&lt;&lt;', 'once is enough'],
  ['{% assign x = "<" | escape %}{{ x }}', '&lt;', 'also on a detour'],
]

test.each(inHtml)('in HTML, %s begins with %s', (source, ours) => {
  expect(rendered(source, 'html').startsWith(ours)).toBe(true)
  expect(escapingOracle.parseAndRenderSync(source, data).startsWith(ours)).toBe(false)
})

function rendered(source: string, context: Context): string {
  const parsed = parseTemplate(source, context)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const result = render(parsed.template, data)
  if (!result.ok) throw new Error(result.problem.message)
  return result.output
}

function attempt(step: () => string): string {
  try {
    return step()
  } catch {
    return 'refused'
  }
}
