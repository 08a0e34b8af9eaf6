import { expect, test } from 'vitest'
import { instrument, withTextFooter } from '../../src/mail/compose/instrument-html.ts'

const rewriteLink = (target: string): string => `https://t.example/?u=${encodeURIComponent(target)}`
const followed = (html: string): string => instrument(html, { rewriteLink })
const over = (target: string): string => `"https://t.example/?u=${encodeURIComponent(target)}"`

const X = 'https://example.com/x?a=1&b=2'

const links: [what: string, before: string, after: string][] = [
  ['double quotes', `<a href="https://e.com/x">y</a>`, `<a href=${over('https://e.com/x')}>y</a>`],
  ['single quotes', `<a href='https://e.com/x'>y</a>`, `<a href=${over('https://e.com/x')}>y</a>`],
  ['no quotes', `<a href=https://e.com/x>y</a>`, `<a href=${over('https://e.com/x')}>y</a>`],
  ['no quotes and a stroke', `<a href=https://e.com/ id=a>y</a>`, `<a href=${over('https://e.com/')} id=a>y</a>`],
  ['a quotation mark inside', `<a href='https://e.com/"x"'>y</a>`, `<a href=${over('https://e.com/"x"')}>y</a>`],
  ['entities', `<a href="https://example.com/x?a=1&amp;b=2">`, `<a href=${over(X)}>`],
  ['entities by number', `<a href="&#104;ttps://example.com/x?a=1&#x26;b=2">`, `<a href=${over(X)}>`],
  ['ampersands that are none', `<a href="${X}&copy=3">`, `<a href=${over(`${X}&copy=3`)}>`],
  ['entities of entities', `<a href="https://e.com/?a&amp;amp;b">`, `<a href=${over('https://e.com/?a&amp;b')}>`],
  ['upper case', `<A CLASS=b HREF="HTTPS://E.COM/X">y</A>`, `<A CLASS=b HREF=${over('HTTPS://E.COM/X')}>y</A>`],
  ['white space', `<a\n\thref\n=\n "\n https://e.com/x \n" >`, `<a\n\thref\n=\n ${over('https://e.com/x')} >`],
  ['a line break inside', `<a href="https://e.com/\n  x">`, `<a href=${over('https://e.com/  x')}>`],
  [
    'other attributes',
    `<a id="href" title='href="z"' href="https://e.com" b>`,
    `<a id="href" title='href="z"' href=${over('https://e.com')} b>`,
  ],
  ['a bracket in an attribute', `<a title=">" href="https://e.com">`, `<a title=">" href=${over('https://e.com')}>`],
  ['no space between attributes', `<a href="https://e.com"class=b>`, `<a href=${over('https://e.com')}class=b>`],
  [
    'the first of two',
    `<a href="https://e.com" href="https://f.com">`,
    `<a href=${over('https://e.com')} href="https://f.com">`,
  ],
  ['an image map', `<map><area href="https://e.com" /></map>`, `<map><area href=${over('https://e.com')} /></map>`],
  [
    'a tag in a tag',
    `<a href="https://e.com"><a href="https://f.com">`,
    `<a href=${over('https://e.com')}><a href=${over('https://f.com')}>`,
  ],
  [
    'every letter of the world',
    `<a href="https://exämple.com/ü?ß=€">`,
    `<a href=${over('https://exämple.com/ü?ß=€')}>`,
  ],
  [
    'revealed to all but Outlook',
    `<!--[if !mso]><!--><a href="https://e.com"><!--<![endif]-->`,
    `<!--[if !mso]><!--><a href=${over('https://e.com')}><!--<![endif]-->`,
  ],
  [
    'conditions without a comment',
    `<![if !mso]><a href="https://e.com"><![endif]>`,
    `<![if !mso]><a href=${over('https://e.com')}><![endif]>`,
  ],
]

test.each(links)('a link is followed, and nothing else changes: %s', (_, before, after) => {
  expect(followed(`<p>ü &amp;\r\n${before}z`)).toBe(`<p>ü &amp;\r\n${after}z`)
})

const untouched: [what: string, html: string][] = [
  ['mail, telephone, places in the page', '<a href="mailto:a@e.com"><a href="tel:+49"><a href="#top"><a href="?x=1">'],
  ['data and scripts', '<a href="data:text/html,x"><a href="javascript:x()"><a href="ftp://e.com/">'],
  ['paths below a base', '<base href="https://e.com/"><a href="x"><a href="/x"><a href="//e.com/x">'],
  ['no target', '<a><a name=x><a href><a href=""><a href= ><a HREF=\'\'>'],
  ['what is no address', '<a href="https://"><a href="https://[x"><a href="http:e.com"><a href="https://a b/">'],
  ['other elements', '<link href="https://e.com"><img src="https://e.com"><abbr href="https://e.com">'],
  [
    'what only Outlook reads',
    '<!--[if mso]><v:rect href="https://e.com"><a href="https://e.com"></v:rect><![endif]-->',
  ],
  ['drawings for Outlook', '<v:roundrect href="https://e.com"></v:roundrect>'],
  ['comments', '<!-- <a href="https://e.com"> --><!-- -- > <a href="https://e.com"> --!>'],
  ['scripts and styles', '<script>"<a href=\'https://e.com\'>"</script><style><a href="https://e.com"></style>'],
  ['fields', '<textarea><a href="https://e.com"></textarea><title><a href="https://e.com"></title>'],
  ['a tag that never ends', 'x <a href="https://e.com" '],
  ['a value that never ends', 'x <a href="https://e.com> y </a>'],
  ['text that looks like it', 'href="https://e.com" &lt;a href="https://e.com"&gt; < a href="https://e.com">'],
  ['an address too long for any proxy', `<a href="https://e.com/${'x'.repeat(9_000)}">`],
]

test.each(untouched)('is left as it is: %s', (_, html) => {
  expect(followed(html)).toBe(html)
})

test('whoever says so keeps a link', () => {
  const html = '<a href="https://own.example/u/1">a</a> <a href="https://e.com">b</a>'
  const additions = {
    rewriteLink: (target: string) => (target.includes('own.example') ? undefined : rewriteLink(target)),
  }
  expect(instrument(html, additions)).toBe(
    `<a href="https://own.example/u/1">a</a> <a href=${over('https://e.com')}>b</a>`,
  )
})

const unsubscribeFooter = { url: 'https://own.example/u/token', sender: 'Allotment & Sons' }
const P = '<footer>'
const withFooter = (html: string): string =>
  instrument(html, { unsubscribeFooter }).replace(/<p style="margin[^"]*">You receive.*?<\/p>/s, P)

const ends: [what: string, before: string, after: string][] = [
  ['before the end of the body', '<html><body>x</body></html>', `<html><body>x${P}</body></html>`],
  ['in any case', '<BODY>x</BODY >\n</HTML>', `<BODY>x${P}</BODY >\n</HTML>`],
  ['without a body', '<p>x</p>', `<p>x</p>${P}`],
  ['with the end of the document only', '<html>x</html>\n', `<html>x${P}</html>\n`],
  ['not into comments', '<body>x</body><!-- </body> -->', `<body>x${P}</body><!-- </body> -->`],
  ['not into scripts', '<body>x</body><script>"</body>"</script>', `<body>x${P}</body><script>"</body>"</script>`],
  ['at the last of several', '<body>x</body>y</body>', `<body>x</body>y${P}</body>`],
  ['before a comment that never ends', '<p>x</p><!-- y', `<p>x</p>${P}<!-- y`],
  ['before a tag that never ends', '<p>x</p><a href="y', `<p>x</p>${P}<a href="y`],
  ['before a style that never ends', '<p>x</p><style>y', `<p>x</p>${P}<style>y`],
  ['after text with a bracket', 'x < y <', `x < y <${P}`],
  ['after an entity', 'x &amp', `x &amp${P}`],
  ['into nothing', '', P],
]

test.each(ends)('the way out stands where it is seen: %s', (_, before, after) => {
  expect(withFooter(before)).toBe(after)
})

test('the way out is there once', () => {
  const link = `<a href="${unsubscribeFooter.url}">no more</a>`
  expect(withFooter(`<body>${link}</body>`)).toBe(`<body>${link}</body>`)
  const preferences = `<a href='${unsubscribeFooter.url}/preferences'>choose</a>`
  expect(withFooter(preferences)).toBe(preferences)
  // Where nobody sees it, it is none.
  for (const hidden of [
    `<!-- ${link} -->`,
    `<script>${link}</script>`,
    `<a href="${unsubscribeFooter.url}x">other</a>`,
  ]) {
    expect(withFooter(hidden)).toBe(`${hidden}${P}`)
  }
})

test('the way out names the sender and leads there', () => {
  const html = instrument('<p>x</p>', { unsubscribeFooter })
  expect(html).toContain('You receive this because you signed up at Allotment &amp; Sons.')
  expect(html).toContain('<a href="https://own.example/u/token" style="color:inherit">Unsubscribe</a>')
  expect(withTextFooter('Hello\n\n', unsubscribeFooter)).toBe(
    'Hello\n\n--\nYou receive this because you signed up at Allotment & Sons.\nUnsubscribe: https://own.example/u/token\n',
  )
  expect(withTextFooter(`Leave: ${unsubscribeFooter.url}`, unsubscribeFooter)).toBe(`Leave: ${unsubscribeFooter.url}`)
})

const withPreview = (html: string): string =>
  instrument(html, { preview: 'News & <more>' }).replace(
    /<div style="display:none[^"]*">News &amp; &lt;more&gt;<\/div>/,
    '<preview>',
  )

const beginnings: [what: string, before: string, after: string][] = [
  ['in the body', '<html><body class="a>b">x', '<html><body class="a>b"><preview>x'],
  ['not into a comment', '<!-- <body> --><body>x', '<!-- <body> --><body><preview>x'],
  [
    'without a body',
    '<!doctype html><html><head><title>t</title></head><p>x',
    '<!doctype html><html><head><title>t</title></head><preview><p>x',
  ],
  ['without anything', 'Hello <b>you</b>', '<preview>Hello <b>you</b>'],
  ['after styles', '<style>p{}</style>\n<p>x</p>', '<style>p{}</style>\n<preview><p>x</p>'],
  ['before an entity', '<style>p{}</style>&amp;x', '<style>p{}</style><preview>&amp;x'],
]

test.each(beginnings)('the preview is the first that is read: %s', (_, before, after) => {
  expect(withPreview(before)).toBe(after)
})

test('all marks at once', () => {
  const html = '<body><a href="https://e.com">x</a></body>'
  const all = instrument(html, { preview: 'P', unsubscribeFooter, rewriteLink, pixel: 'https://t.example/o.gif' })
  expect(all).toMatch(
    /^<body><div style="[^"]*">P<\/div><a href="https:\/\/t\.example\/\?u=https%3A%2F%2Fe\.com">x<\/a><p style=.*Unsubscribe<\/a><\/p><img src="https:\/\/t\.example\/o\.gif" width="1" height="1" alt="" style="display:block;border:0"><\/body>$/,
  )
  expect(instrument(html, {})).toBe(html)
})
