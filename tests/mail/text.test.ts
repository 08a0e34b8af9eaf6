import fc from 'fast-check'
import { convert } from 'html-to-text'
import { expect, test } from 'vitest'
import { textFromHtml } from '../../src/mail/text.ts'
import { leastWork } from '../support/eventually.ts'
import { runs } from '../support/runs.ts'
import { seedFor } from '../support/seed.ts'

const conversions: [what: string, html: string, text: string][] = [
  ['words', 'a  <b>b</b>\n c&nbsp;d &amp; <i>e</i>f', 'a b c d & ef'],
  ['paragraphs', '<p>a</p><p>b<br>c</p><div>d</div><div>e</div>', 'a\n\nb\nc\n\nd\ne'],
  ['headings', '<h1>Title</h1>text<h2>Next</h2>', 'Title\n\ntext\n\nNext'],
  ['many empty lines', '<p>a</p><br><br><p></p><br><p>b</p>', 'a\n\nb'],
  ['links', '<a href="https://example.com/x?a=1&amp;b=2">Shop</a> now', 'Shop (https://example.com/x?a=1&b=2) now'],
  ['a link that says where it leads', '<a href="https://example.com/">example.com</a>', 'example.com'],
  ['an address', '<a href="mailto:a@example.com">a@example.com</a>', 'a@example.com'],
  ['a place in the page', '<a href="#top">top</a> <a href="javascript:x()">x</a>', 'top x'],
  ['an image with a name', '<a href="https://e.com"><img src="x.png" alt="Shop now"></a>', 'Shop now (https://e.com)'],
  ['an image without one', '<a href="https://e.com"><img src="x.png"></a>', 'https://e.com'],
  ['a tracking pixel', 'a<img src="https://t.example/o.gif" width="1" height="1" alt="">', 'a'],
  [
    'lists',
    '<p>a</p><ul><li>b</li><li>c<ol><li>d</li><li>e</li></ol></li></ul>f',
    'a\n\n- b\n- c\n  1. d\n  2. e\n\nf',
  ],
  ['quotes', 'a<blockquote><p>b</p><p>c</p></blockquote>d', 'a\n\n> b\n>\n> c\n\nd'],
  ['tables', '<table><tr><th>Item</th><td>9 €</td></tr><tr><td>Sum</td><td>9 €</td></tr></table>', 'Item 9 €\nSum 9 €'],
  ['code', 'a<pre>  x\n    y  \n</pre>b', 'a\n\n  x\n    y\n\nb'],
  ['a hidden preview', '<div style="color:red; Display : NONE">x</div><div hidden>y</div><p>a</p>', 'a'],
  ['preview padding', 'Hi&zwnj;&nbsp;&#847;&zwnj;&nbsp;&#847; there', 'Hi there'],
  ['what is not text', '<head><title>x</title><style>y</style></head><body>a<script>z</script><!-- c --></body>', 'a'],
  ['conditional comments', '<!--[if mso]><p>x</p><![endif]--><p>a</p>', 'a'],
  ['joiners', '<p>&zwnj; نمی&zwnj;خواهم&zwnj; &zwnj; &zwnj;&zwnj; a</p><p>&zwnj;&nbsp;</p>', 'نمی\u200cخواهم a'],
  ['letters that belong together', 'نمی\u200cخواهم 👩\u200d🚀', 'نمی\u200cخواهم 👩\u200d🚀'],
  ['broken html', '<p>a<b>b</p>c</i><td>d<a href="https://e.com">e', 'ab\n\ncde (https://e.com)'],
  ['nothing', '', ''],
]

test.each(conversions)('%s', (_, html, text) => {
  expect(textFromHtml(html)).toBe(text)
})

test('no word is lost that html-to-text finds', () => {
  const tag = fc.constantFrom('p', 'div', 'b', 'ul', 'li', 'table', 'tr', 'td', 'h1', 'blockquote', 'span', 'pre', 'a')
  const piece = fc.oneof(
    fc.constantFrom('word', 'grün', ' ', '&amp;', '<br>', '<hr>', '<img alt="image">'),
    fc
      .tuple(tag, fc.constantFrom('word', 'other', '<b>in</b>side', ''))
      .map(([name, inner]) => `<${name}>${inner}</${name}>`),
    tag.map((name) => `<${name}>`),
    tag.map((name) => `</${name}>`),
  )
  const words = (text: string) => text.match(/\p{L}+/gu)?.join('') ?? ''
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const html = pieces.join('')
      const selectors = [
        { selector: 'h1', options: { uppercase: false } },
        { selector: 'table', format: 'block' },
      ]
      expect(words(textFromHtml(html))).toBe(words(convert(html, { wordwrap: false, selectors })))
    }),
    { numRuns: runs(500), seed: seedFor('text from html') },
  )
})

const hostile: [what: string, html: string][] = [
  ['nested elements', '<b>'.repeat(200_000)],
  ['nested tables', '<table><tr><td>'.repeat(40_000)],
  ['nested lists', '<ul><li>x'.repeat(60_000)],
  ['nested quotes', `${'<blockquote>'.repeat(300)}${'x<br>'.repeat(90_000)}`],
  ['many paragraphs', '<p>a</p>'.repeat(80_000)],
  ['many links', '<a href="https://example.com">'.repeat(20_000)],
  ['opening brackets', '<'.repeat(600_000)],
  ['ampersands', '&'.repeat(600_000)],
  ['joiners', `a${'&zwnj;&nbsp;'.repeat(40_000)}${'\u200c'.repeat(100_000)}b`],
  ['white space', `a${' '.repeat(600_000)}b`],
  ['attributes', `<p ${'a=b '.repeat(150_000)}>x`],
  ['a long style', `<p style="${'display: '.repeat(60_000)}">x`],
  ['code', `<pre>${`${' '.repeat(500)}x\n`.repeat(1_000)}`],
]

test.each(hostile)('%s take neither much time nor much room', async (_, html) => {
  const took = await leastWork(2_000, () => expect(textFromHtml(html).length).toBeLessThan(600_000))
  expect(took).toBeLessThan(2_000)
})
