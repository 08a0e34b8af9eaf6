import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { expect, test } from 'vitest'
import { instrument } from '../../src/mail/compose/instrument-html.ts'
import { leastWork } from '../support/eventually.ts'
import { runs } from '../support/runs.ts'
import { seedFor } from '../support/seed.ts'

const DETOUR = 'https://t.example/?u='
const rewriteLink = (target: string): string => `${DETOUR}${encodeURIComponent(target)}`

/** Every link as a reader of the message finds it, in order. */
function targetsIn(html: string): string[] {
  const targets: string[] = []
  const parser = new Parser({
    onopentag: (name, { href }) => {
      if ((name === 'a' || name === 'area') && href !== undefined) targets.push(href)
    },
  })
  parser.end(html)
  return targets
}

/** Where a link leads in the end. */
const followed = (target: string): string =>
  target.startsWith(DETOUR) ? decodeURIComponent(target.slice(DETOUR.length)) : target

/** As a browser takes an address. */
const taken = (target: string): string => target.replaceAll(/[\t\n\r]/g, '').replaceAll(/^[\0- ]+|[\0- ]+$/g, '')

const isWeb = (target: string): boolean => /^https?:\/\//i.test(taken(target)) && URL.canParse(taken(target))

const words = fc.constantFrom(
  'x',
  'grün',
  ' ',
  '\r\n',
  '&amp;',
  '&',
  '<',
  '>',
  '"',
  "'",
  '--',
  '=',
  '/',
  '&#104;',
  '\u{1f600}',
)
const address = fc
  .tuple(
    fc.constantFrom(
      'https://e.com/',
      'http://e.com',
      'HTTPS://E.COM/?',
      'mailto:',
      '#',
      '//e.com/',
      '',
      ' https://e.com/',
      'https://',
    ),
    fc.array(fc.constantFrom('a', '&b=1', '&amp;c=2', '?', '%20', '&copy=', '&lt', 'ü', '/', '&#38;', '.', '+'), {
      maxLength: 6,
    }),
  )
  .map(([start, rest]) => start + rest.join(''))
const quoted = fc.tuple(fc.constantFrom('"', "'", ''), address).map(([quote, text]) => `${quote}${text}${quote}`)
const attribute = fc.oneof(
  quoted.map((value) => `href=${value}`),
  quoted.map((value) => `HREF = ${value}`),
  quoted.map((value) => `title=${value}`),
  fc.constantFrom('href', 'class', '/', 'id="a>b"', 'data-x=\'<a href="https://e.com">\''),
)
const tag = fc
  .tuple(
    fc.constantFrom('a', 'A', 'area', 'p', 'link', 'body', 'v:rect', 'abbr'),
    fc.array(attribute, { maxLength: 4 }),
  )
  .map(([name, attributes]) => `<${[name, ...attributes].join(' ')}>`)
const piece = fc.oneof(
  words,
  tag,
  tag,
  fc.constantFrom(
    '</a>',
    '</body>',
    '</p',
    '<!--',
    '-->',
    '<!-->',
    '<![if mso]>',
    '<![endif]>',
    '<!doctype html>',
    '<?x?>',
  ),
  fc.constantFrom('<script>', '</script>', '<style>', '</style>', '<title>', '</title>', '<textarea>', '</textarea>'),
)
const document = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''))

test('who follows the links arrives where they led before, and everything else is the same', () => {
  fc.assert(
    fc.property(document, (html) => {
      const after = instrument(html, { rewriteLink })
      const [old, now] = [targetsIn(html), targetsIn(after)]
      expect(now.map(followed).map(taken)).toEqual(old.map(taken))
      expect(now.filter((target) => target.startsWith(DETOUR))).toHaveLength(old.filter(isWeb).length)
      expect(withoutLinks(after)).toBe(withoutLinks(html))
    }),
    { numRuns: runs(5_000), seed: seedFor('marks') },
  )
})

test('what we add takes nothing away, and is always read as what it is', () => {
  const unsubscribeFooter = { url: 'https://own.example/u/token', sender: 'Us' }
  const additions =
    /<div style="display:none[^"]*">Preview<\/div>|<p style="margin[^"]*">You receive.*?<\/p>|<img src="https:\/\/own\.example\/o\.gif"[^>]*>/gs
  fc.assert(
    fc.property(document, (html) => {
      const after = instrument(html, { unsubscribeFooter, preview: 'Preview', pixel: 'https://own.example/o.gif' })
      expect(after.replaceAll(additions, '')).toBe(html)
      expect(targetsIn(after).filter((target) => target === unsubscribeFooter.url)).toHaveLength(1)
    }),
    { numRuns: runs(3_000), seed: seedFor('additions') },
  )
})

/** All that is said of an a or area, without the targets; and all that is no link, as it stands. */
function withoutLinks(html: string): string {
  let rest = ''
  const parser = new Parser(
    {
      onopentag: (name, attributes) =>
        (rest += `<${name} ${JSON.stringify({ ...attributes, href: 'href' in attributes })}>`),
      ontext: (text) => (rest += text),
      oncomment: (text) => (rest += `<!--${text}-->`),
      onclosetag: (name) => (rest += `</${name}>`),
    },
    { decodeEntities: false },
  )
  parser.end(html)
  return rest
}

const MB = 1024 * 1024
const filled = (piece: string, bytes = 2 * MB): string => piece.repeat(Math.floor(bytes / piece.length))

const hostile: [what: string, html: string][] = [
  ['nested elements', filled('<b>')],
  ['nested tables', filled('<table><tr><td>')],
  ['links', filled('<a href="https://e.com">')],
  ['links without an end', filled('<a href="https://e.com" ')],
  ['attributes', `<a ${filled('href=x ')}>`],
  ['an address', `<a href="https://e.com/${filled('x')}">`],
  ['white space in an address', `<a href="${filled(' ')}x">`],
  ['entities', `<a href="${filled('&amp;')}">`],
  ['ampersands', filled('&')],
  ['opening brackets', filled('<')],
  ['comments that never end', filled('<!--')],
  ['ends of bodies', filled('</body>')],
  ['ends without an end', filled('</body ')],
  ['scripts', filled('<script>')],
  ['conditions', filled('<!--[if mso]>-')],
  ['much more than anybody writes', filled('<a href="https://e.com">', 20 * MB)],
]

test.each(hostile)('%s take neither much time nor much room', async (_, html) => {
  const took = await leastWork(2_000, () => {
    const after = instrument(html, {
      rewriteLink,
      preview: 'P',
      unsubscribeFooter: { url: 'https://own.example/u/t', sender: 'Us' },
      pixel: 'https://p.example',
    })
    expect(after.length).toBeLessThan(html.length + 200_000)
  })
  expect(took).toBeLessThan(2_000)
})
