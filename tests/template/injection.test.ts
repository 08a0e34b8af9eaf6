import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { expect, test } from 'vitest'
import type { Variables } from '../../src/template/evaluate.ts'
import { parseTemplate } from '../../src/template/parse.ts'
import { render } from '../../src/template/render.ts'
import type { Context, Template } from '../../src/template/syntax.ts'
import { runs } from '../support/runs.ts'

/** What has broken out of somewhere before, in any order, between any letters. */
const fragments = [
  ['<', '>', '"', "'", '`', '=', '/', '\\', ' ', '&', ';', ':', '#', '?', '(', ')', '{', '}', '-', '!', '%', '@'],
  ['--', '-->', '--!>', '<!--', '<![endif]-->', ']]>', '<script>', '</script>', '</style>', '</title>', '<b>'],
  ['javascript:', 'JaVaScRiPt', 'java', 'script:', 'vbscript:', 'data:text/html,', 'data', '&#106;', '&colon;'],
  ['onload=', ' onclick=x ', 'url(', 'expression(', '/*', '*/', '{{', '}}', '{%', '%}', '| raw', '&quot;', '&lt;'],
  ['\t', '\n', '\r', '\r\n', '\0', '\u0001', '\f', '\u00a0', '\u2028', '\u200b', '\ufeff', '\ud800', 'č', 'Ċ', 'x'],
].flat()
const value = fc
  .array(
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fragments) }, fc.string({ unit: 'binary', maxLength: 3 })),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''))

const parse = (source: string, context: Context): Template => {
  const parsed = parseTemplate(source, context)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.template
}

const write = (template: Template, variables: Variables): string => {
  const rendered = render(template, variables)
  if (!rendered.ok) throw new Error(rendered.problem.message)
  return rendered.output
}

const page = parse(
  `<!doctype html><html><head><title>{{ v }}</title><style>p { color: {{ v }}; } a > b { top: 0 }</style></head><body>
<!-- {{ v }} --><p class="{{ v }}" style="color: {{ v }}; background: url({{ v }}); top: 0" id='{{ v }}'>{{ v }}</p>
<a href="{{ v }}" title={{ v }} rel=x>{{ v | escape }}</a><a href="{{ a }}{{ b }}">{{ v | newline_to_br }}</a>
<img src={{ v }} alt="{{ v }}"><a href="https://x.example/{{ v }}?q={{ v | url_encode }}">{{ v | strip }}</a>
{% capture c %}<i title="{{ v }}">{{ v }}</i>{% endcapture %}{{ c }}<a href="{{ c }}" title="{{ c }}"></a>
<textarea>{{ v }}</textarea><!-- {{ v }}> <q></q> --><!--[if mso]><u href="{{ v }}" title='{{ v }}'>{{ v }}</u><![endif]-->
{% if v contains "<" %}<a href="{% if a %}{{ a }}{% endif %}{{ b }}"></a>{% else %}<a href="{{ v }}"></a>{% endif %}
<table background="{{ v }}"><tr {% if v %}align="left"{% endif %}><td width={{ v }}>{{ v }}</td></tr></table></body></html>`,
  'html',
)

interface Seen {
  /** Elements with the names of their attributes, in order, and comments as such. */
  shape: string[]
  links: string[]
  styles: string[]
}

function look(html: string): Seen {
  const seen: Seen = { shape: [], links: [], styles: [] }
  const parser = new Parser({
    onopentag(name, attributes) {
      // Breaks come from newline_to_br and are meant.
      if (name !== 'br') seen.shape.push([name, ...Object.keys(attributes)].join(' '))
      for (const attribute of ['href', 'src', 'background']) {
        if (attributes[attribute] !== undefined) seen.links.push(attributes[attribute])
      }
      if (attributes['style'] !== undefined) seen.styles.push(attributes['style'])
    },
    onclosetag(name) {
      if (name !== 'br') seen.shape.push(`/${name}`)
    },
    oncomment(content) {
      seen.shape.push('comment')
      // Outlook reads on.
      const [, inside] = /^\[if mso\]>(.*)<!\[endif\]$/s.exec(content) ?? []
      const inner = inside === undefined ? undefined : look(inside)
      if (inner !== undefined) for (const part of ['shape', 'links', 'styles'] as const) seen[part].push(...inner[part])
    },
  })
  parser.end(html)
  return seen
}

/** The same value, whole and cut in two. */
const variables = (v: string, cut: number): Variables => ({ v, a: v.slice(0, cut), b: v.slice(cut) })

test('values in every place of a page leave its elements, attributes and comments as they are', () => {
  const without = look(write(page, variables('x', 0)))
  const withAngle = look(write(page, variables('x<', 0)))
  expect(without.shape.length).toBeGreaterThan(30)
  fc.assert(
    fc.property(value, fc.nat(12), (v, cut) => {
      const { shape, links, styles } = look(write(page, variables(v, cut)))
      // A value with < goes the other way through the template, which is the author's own doing.
      const intended = v.includes('<') ? withAngle : without
      const wrong = [...links.filter(isDangerous), ...styles.filter((style) => !harmless.test(style))]
      expect({ shape, wrong }).toEqual({ shape: intended.shape, wrong: [] })
    }),
    { numRuns: runs(10_000), seed: 40 },
  )
})

/** Two declarations around an address, no more. */
const harmless = /^color: [^;:"']*; background: url\([^()"'\\\s]*\); top: 0$/

/** Asks the parser of the URL standard, which is what a browser does. */
function isDangerous(link: string): boolean {
  const url = URL.parse(link, 'https://base.example/')
  return url !== null && ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:'].includes(url.protocol)
}

test('values in a header never make a second one', () => {
  const subject = parse('Re: {{ v }} | {{ v | upcase }}\n', 'header')
  fc.assert(
    fc.property(value, (v) => {
      const line = write(subject, { v })
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      expect(line.isWellFormed()).toBe(true)
      expect(line.startsWith('Re:')).toBe(true)
      const letters = (text: string) => text.replaceAll(/[^čĊ]/g, '')
      expect(letters(line)).toBe(letters(`${v}${v.toUpperCase()}`))
    }),
    { numRuns: runs(10_000), seed: 41 },
  )
})

test('č and Ċ, whose low bytes are CR and LF, are letters and stay', () => {
  expect(write(parse('{{ v }}', 'header'), { v: 'a\u010d\u010ab' })).toBe('ačĊb')
  expect(write(parse('{{ v }}', 'header'), { v: 'a\r\n b\u0000c\u2028d\u0085e' })).toBe('a  b c d e')
})
