import { expect, test } from 'vitest'
import type { Variables } from '../../src/template/evaluate.ts'
import { parseTemplate } from '../../src/template/parse.ts'
import { render } from '../../src/template/render.ts'

const html = (source: string, variables: Variables = {}): string => {
  const parsed = parseTemplate(source, 'html')
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const rendered = render(parsed.template, variables)
  if (!rendered.ok) throw new Error(rendered.problem.message)
  return rendered.output
}

const refusal = (source: string): string | undefined => {
  const parsed = parseTemplate(source, 'html')
  return parsed.ok ? undefined : parsed.problems[0]?.message
}

const places: [sentence: string, source: string, value: unknown, output: string][] = [
  ['text is escaped', '<p>{{ v }}</p>', `<b a="1" c='2'>&`, '<p>&lt;b a=&#34;1&#34; c=&#39;2&#39;&gt;&amp;</p>'],
  ['raw is not', '<p>{{ v | raw }}</p>', '<b>&</b>', '<p><b>&</b></p>'],
  ['raw counts as the last filter only', '{{ v | raw | upcase }}', '<b>', '&lt;B&gt;'],
  ['what is escaped by hand is not escaped again', '{{ v | escape }}', '<', '&lt;'],
  ['a filter after that makes it plain again', '{{ v | escape | upcase }}', '<', '&amp;LT;'],
  ['a title is escaped', '<title>{{ v }}</title>', '</title>', '<title>&lt;/title&gt;</title>'],
  ['an attribute is escaped', '<a title="{{ v }}">', '"><b>', '<a title="&#34;&gt;&lt;b&gt;">'],
  ['so it is in single quotes', "<a title='{{ v }}'>", "' x='", "<a title='&#39; x=&#39;'>"],
  ['missing quotes are added', '<td width={{ v }} class=a>', '1 onload=x', '<td width="1 onload=x" class=a>'],
  ['also around nothing', '<td width={{ v }} class=a>', undefined, '<td width="" class=a>'],
  ['also around a link', '<a href={{ v }}>', 'javascript:1', '<a href="#">'],
  [
    'a link stays as it is',
    '<a href="{{ v }}">',
    'https://a.b/?c=d&e=%20#f',
    '<a href="https://a.b/?c=d&amp;e=%20#f">',
  ],
  ['other schemes stay', '<a href="{{ v }}">', 'myapp://open', '<a href="myapp://open">'],
  ['so do addresses without one', '<a href="{{ v }}">', '/data:x?javascript:1', '<a href="/data:x?javascript:1">'],
  ['and paths that begin like one', '<a href="{{ v }}">', 'data/x', '<a href="data/x">'],
  ['scripts lead nowhere', '<a href="{{ v }}">', 'javascript:alert(1)', '<a href="#">'],
  ['however they are written', '<a href="{{ v }}">', ' \u0001jAvA\tsc\nript\u200b:alert(1)', '<a href="#">'],
  ['documents in an address neither', '<img src="{{ v }}">', 'data:text/html,x', '<img src="#">'],
  ['nor other old friends', "<a href='{{ v }}'>", 'VBScript:x', "<a href='#'>"],
  ['blanks of the author do not count', '<a href=" {{ v }}">', 'javascript:1', '<a href=" #">'],
  ['a name that a colon follows is judged', '<a href="{{ v }}://x">', 'javascript', '<a href="#://x">'],
  ['escaping by hand does not help', '<a href="{{ v | escape }}">', 'javascript:1', '<a href="#">'],
  [
    'after the scheme anything goes',
    '<a href="https://x/{{ v }}">',
    'javascript:1',
    '<a href="https://x/javascript:1">',
  ],
  ['mailto is a scheme', '<a href="mailto:{{ v }}">', 'a@b.c', '<a href="mailto:a@b.c">'],
  ['control characters leave an address', '<a href="{{ v }}">', 'https://x/\u0000a\nb', '<a href="https://x/ab">'],
  ['a style takes a word', '<p style="color: {{ v }}">', 'red', '<p style="color: red">'],
  ['a colour', '<p style="color: {{ v }}">', '#1a2b3c', '<p style="color: #1a2b3c">'],
  ['a function of colours', '<p style="color: {{ v }}">', 'rgba(1, 2, 3, .5)', '<p style="color: rgba(1, 2, 3, .5)">'],
  ['names of fonts', '<p style="font: {{ v }}">', 'Segoe UI, Arial', '<p style="font: Segoe UI, Arial">'],
  ['but no second declaration', '<p style="color: {{ v }}">', 'red; top: 0', '<p style="color: ">'],
  ['and no address', '<p style="color: {{ v }}">', 'url(https://x)', '<p style="color: ">'],
  ['nor in a style sheet', '<style>a { color: {{ v }} }</style>', '} </style>', '<style>a { color:  }</style>'],
  [
    'an address stands in url()',
    '<p style="background: url({{ v }})">',
    'https://x/a.png',
    '<p style="background: url(https://x/a.png)">',
  ],
  [
    'and cannot leave it',
    '<p style="background: url(\'{{ v }}\')">',
    "https://x/'); top: 0 (",
    '<p style="background: url(\'https://x/%27%29;%20top:%200%20%28\')">',
  ],
  [
    'an address in a style sheet knows no entities',
    '<style>a { background: url({{ v }}) }</style>',
    'https://x/?a&b',
    '<style>a { background: url(https://x/?a&b) }</style>',
  ],
  [
    'and cannot end the sheet',
    '<style>a { background: url("{{ v }}") }</style>',
    '</style>"',
    '<style>a { background: url("%3C/style%3E%22") }</style>',
  ],
  ['comments stay closed', '<!-- {{ v }} -->', '--> <b>', '<!-- &#45;&#45;&gt; &lt;b&gt; -->'],
  ['dashes from two sides too', '<!-- -{{ v }}> -->', '-', '<!-- -&#45;> -->'],
  [
    'Outlook reads links',
    '<!--[if mso]><v:rect href="{{ v }}"><![endif]-->',
    'javascript:1',
    '<!--[if mso]><v:rect href="#"><![endif]-->',
  ],
  [
    'in what others see as a comment',
    '<!--[if mso]>{{ v }}<![endif]-->',
    '-->',
    '<!--[if mso]>&#45;&#45;&gt;<![endif]-->',
  ],
  ['and after it all is as before', '<!--[if mso]>x<![endif]-->{{ v }}', 'a-->', '<!--[if mso]>x<![endif]-->a--&gt;'],
  [
    'what others see and Outlook does not',
    '<!--[if !mso]><!--><a href="{{ v }}"><!--<![endif]-->',
    '--',
    '<!--[if !mso]><!--><a href="--"><!--<![endif]-->',
  ],
]

test.each(places)('%s', (_sentence, source, v, output) => {
  expect(html(source, { v })).toBe(output)
})

test('a scheme cannot be put together from pieces', () => {
  const pieces = { a: 'java', b: 'script:alert(1)', list: ['java', 'scr', 'ipt', ':alert(1)'] }
  expect(html('<a href="{{ a }}{{ b }}">', pieces)).toBe('<a href="java#">')
  expect(html('<a href="{% if a %}{{ a }}{% endif %}{{ b }}">', pieces)).toBe('<a href="java#">')
  expect(html('<a href="{% for x in list %}{{ x }}{% endfor %}">', pieces)).toBe('<a href="javascr#:alert(1)">')
  expect(html('<a href="{% case 1 %}{% when 1 %}{{ a }}{% when 1 %}{{ b }}{% endcase %}">', pieces)).toBe(
    '<a href="java#">',
  )
  expect(html('{% capture x %}{{ a }}{{ b }}{% endcapture %}<a href="{{ x }}">', pieces)).toBe('<a href="#">')
  expect(html('<a href="{{ a }}{{ b }}">', { a: 'https://x', b: ':8080/y' })).toBe('<a href="https://x:8080/y">')
})

test('captured HTML stays HTML in text, and is tamed in an attribute', () => {
  const source = '{% capture x %}<b title="t">{{ v }}</b>{% endcapture %}{{ x }}<i title="{{ x }}">'
  expect(html(source, { v: '"&' })).toBe(
    '<b title="t">&#34;&amp;</b><i title="&lt;b title=&#34;t&#34;&gt;&#34;&amp;&lt;/b&gt;">',
  )
})

test('captured HTML does not end a comment', () => {
  expect(html('{% capture x %}{{ v }}{% endcapture %}<!-- {{ x }}> -->', { v: 'a--' })).toBe('<!-- a-&#45;> -->')
  expect(html('{% capture x %}{{ v }}>{% endcapture %}<!-- {{ x }} -->', { v: '--' })).toBe('<!-- -&#45;> -->')
})

test('captured HTML survives stripping, and what is appended to it is escaped', () => {
  expect(html('{% capture x %} <b>{{ v }}</b> {% endcapture %}{{ x | strip | append: v }}', { v: '<' })).toBe(
    '<b>&lt;</b>&lt;',
  )
  expect(html('{% capture x %}https://a/?b={{ v }}{% endcapture %}<a href="{{ x }}">', { v: '1&2' })).toBe(
    '<a href="https://a/?b=1&amp;2">',
  )
})

const refused: [source: string, message: RegExp][] = [
  ['<script>{{ v }}</script>', /inside of a script/],
  ['<script type="application/ld+json">{"a": {{ v | json }}}</script>', /inside of a script/],
  ['<a href="javascript:f({{ v }})">', /address that begins like this/],
  ['<a href="&#32;{{ v }}">', /address that begins like this/],
  ['<a onclick="f({{ v }})">', /attribute onclick/],
  ['<iframe srcdoc="{{ v }}">', /attribute srcdoc/],
  ['<{{ v }}>', /cannot stand here/],
  ['</{{ v }}>', /cannot stand here/],
  ['<h{{ v }}>', /cannot stand here/],
  ['<td {{ v }}>', /cannot stand here/],
  ['<td data-{{ v }}="1">', /cannot stand here/],
  ['<td class={{ v }}x>', /put quotes around/],
  ['<td class=x{{ v }}>', /put quotes around/],
  ['<td class={{ v }}{{ v }}>', /put quotes around/],
  ['{% if v %}<a href="{% endif %}{{ v }}">', /end at different places/],
  ['{% for x in v %}<a title="{% endfor %}">', /end at different places/],
  ['<a {% if v %}href{% else %}onclick{% endif %}="{{ v }}">', /name depends on a condition/],
  ['{% capture x %}<a href="{% endcapture %}{{ x }}{{ v }}">', /captured must not end inside/],
  ['<a title="{% for x in v %}{% if x %}"{% break %}{% endif %}{% endfor %}">', /end at different places/],
]

test.each(refused)('%s is refused when it is written', (source, message) => {
  expect(refusal(source)).toMatch(message)
})

const accepted = [
  '<script>{{ v | raw }}</script>',
  '<td {{ v | raw }}>',
  '<td {% if v %}class="a"{% else %}id="b"{% endif %} title="{{ v }}">',
  '<{% if v %}h1{% else %}h2{% endif %}>{{ v }}',
  '<h{% if v %}1{% else %}2{% endif %}>{{ v }}',
  '<a href="{% if v %}https://x/{{ v }}{% else %}{{ v }}{% endif %}">',
  '{% if v %}<a href="{{ v }}">{% endif %}{{ v }}{% if v %}</a>{% endif %}',
  '{% for x in v %}<tr><td>{{ x }}{% if x %}{% continue %}{% endif %}</td></tr>{% endfor %}',
  '<td style="width:{{ v }}px;height:{{ v }}px" bgcolor="{{ v }}">',
  '<a href="{{ v }}&amp;a={{ v }}&b={{ v }}">',
  'a < {{ v }} and b <3 {{ v }}',
  '<script>if (a < b) "</a>"</script>{{ v }}',
  '<style>a > b { color: red }</style>{{ v }}',
  '<!doctype html><?xml?><![CDATA[x]]>{{ v }}',
  '<br/><img src="a"/>{{ v }}',
  '<a title = "{{ v }}" href=\'{{ v }}\' hidden>{{ v }}',
]

test.each(accepted)('%s is accepted', (source) => {
  expect(refusal(source)).toBeUndefined()
})

test('in text and in headers nothing is escaped', () => {
  for (const context of ['text', 'header'] as const) {
    const parsed = parseTemplate('<a href="{{ v }}"><script>{{ v }}{{ v | escape }}', context)
    expect(parsed.ok && render(parsed.template, { v: '<&' })).toEqual({
      ok: true,
      output: '<a href="<&"><script><&&lt;&amp;',
    })
  }
})
