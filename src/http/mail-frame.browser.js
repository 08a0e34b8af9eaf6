// The one script of `/mail-frame`. The page around it has no origin and may fetch nothing. It gets a mail from the page
// that shows it, makes the mail fit to be looked at, and shows it in a second frame in which nothing runs at all:
// whatever is missed here is held there.
const CUT = 'base, link, meta[http-equiv], script, template, iframe, frame, frameset, object, embed'
const PICTURES = ['src', 'srcset', 'background', 'poster', 'style']

const STYLE = `
  a[href]:is(:hover, :focus-visible)::after {
    all: initial; content: attr(href); position: fixed; inset: auto auto 0 0; z-index: 2147483647; padding: 2px 8px;
    max-width: 100%; box-sizing: border-box; overflow-wrap: anywhere; font: 12px/16px system-ui, sans-serif;
    background: #1b1f29; color: #fff; pointer-events: none;
  }
  details[data-leads-elsewhere] { display: inline-block; outline: 2px dotted #b01e31; outline-offset: 2px }
  details[data-leads-elsewhere] > summary { cursor: pointer }
`

addEventListener('message', ({ source, data }) => {
  if (source === parent) show(data)
})
parent.postMessage({ kind: 'ready' }, '*')

function show({ html, images = {}, scheme = 'light', allowImages = false }) {
  const mail = new DOMParser().parseFromString(html, 'text/html')
  for (const element of mail.querySelectorAll(CUT)) element.remove()
  putImagesIn(mail, images)
  decideScheme(mail, scheme)
  const links = [...mail.querySelectorAll('a, area')].flatMap(prepareLink)
  const remoteImages = remoteImagesIn(mail)
  if (!allowImages) hideRemoteImages(mail)
  mail.head.append(elementOf(mail, 'style', { textContent: STYLE }))
  // The names in links would be looked up ahead, which tells others that the mail is read.
  mail.head.prepend(elementOf(mail, 'meta', { httpEquiv: 'x-dns-prefetch-control', content: 'off' }))
  const frame = document.createElement('iframe')
  frame.title = 'Content of the email'
  frame.sandbox = 'allow-popups allow-popups-to-escape-sandbox'
  frame.srcdoc = (mail.compatMode === 'BackCompat' ? '' : '<!doctype html>') + mail.documentElement.outerHTML
  frame.addEventListener('load', () => parent.postMessage({ kind: 'shown', links, remoteImages }, '*'))
  document.body.replaceChildren(frame)
}

const elementOf = (mail, name, properties) => Object.assign(mail.createElement(name), properties)

/** Every text that is an attribute of this name or the content of a style element is replaced by what `change` makes of it. */
function changeTexts(mail, attributes, change) {
  for (const style of mail.querySelectorAll('style')) style.textContent = change(style.textContent)
  for (const name of attributes) {
    for (const element of mail.querySelectorAll(`[${name}]`)) {
      element.setAttribute(name, change(element.getAttribute(name)))
    }
  }
}

function putImagesIn(mail, images) {
  changeTexts(mail, PICTURES, (text) =>
    text.replaceAll(/cid:([^\s"'()<>]+)/gi, (whole, name) => {
      const id = decoded(name)
      return Object.hasOwn(images, id) ? images[id] : whole
    }),
  )
}

function decoded(name) {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The system's colour scheme does not count: conditions on it always hold or never do, and the page gets the chosen one. */
function decideScheme(mail, scheme) {
  changeTexts(mail, ['media', 'style'], (text) =>
    text
      .replaceAll(/\(\s*prefers-color-scheme\s*(?::\s*([\w-]+)\s*)?\)/gi, (_, wanted = scheme) =>
        wanted.toLowerCase() === scheme ? '(min-width: 0)' : '(max-width: 0)',
      )
      .replaceAll(
        /(^|[\s;{])color-scheme\s*:\s*([^;}!]+)/gi,
        (_, before, known) => `${before}color-scheme: only ${oneOf(known, scheme)}`,
      ),
  )
  const declared = [...mail.querySelectorAll('meta[name="color-scheme" i]')]
  const known = declared.map(({ content }) => content).join(' ')
  for (const meta of declared) meta.remove()
  mail.head.prepend(elementOf(mail, 'meta', { name: 'color-scheme', content: `only ${oneOf(known, scheme)}` }))
}

const oneOf = (known, scheme) => {
  const knows = (word) => new RegExp(`\\b${word}\\b`, 'i').test(known)
  if (knows(scheme)) return scheme
  return knows('dark') && !knows('light') ? 'dark' : 'light'
}

/** A link opens a page of its own that knows nothing of this one. What is no address of the world outside leads nowhere. */
function prepareLink(link) {
  const address = URL.parse(link.getAttribute('href') ?? link.getAttribute('xlink:href') ?? '')
  for (const name of ['href', 'xlink:href', 'ping', 'download', 'attributionsrc']) link.removeAttribute(name)
  if (address === null || !['http:', 'https:', 'mailto:', 'tel:'].includes(address.protocol)) return []
  link.setAttribute('href', address.href)
  link.setAttribute('target', '_blank')
  link.setAttribute('rel', 'noopener noreferrer')
  const text = link.textContent.replaceAll(/\s+/g, ' ').trim()
  const leadsElsewhere = namesAnotherHost(text, address)
  if (leadsElsewhere) askFirst(link, address)
  return [{ text, href: address.href, leadsElsewhere }]
}

function namesAnotherHost(text, { protocol, hostname }) {
  const [, named] = /^(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?=$|[/:?#\s])/iu.exec(text) ?? []
  if (named === undefined || !protocol.startsWith('http')) return false
  const host = URL.parse(`http://${named}`)?.hostname ?? ''
  const bare = (name) => name.replace(/^www\./, '')
  return bare(host) !== bare(hostname) && !hostname.endsWith(`.${bare(host)}`)
}

/** The first click shows where it leads, the second one goes there. */
function askFirst(link, { href }) {
  const details = elementOf(link.ownerDocument, 'details', {})
  const summary = elementOf(link.ownerDocument, 'summary', {})
  details.setAttribute('data-leads-elsewhere', '')
  summary.append(...link.childNodes)
  link.replaceWith(details)
  link.append(href)
  details.append(summary, link)
}

/** How many pictures others would hand out, by whether they come encrypted: the others are never loaded. */
function remoteImagesIn(mail) {
  const addresses = new Set()
  const note = (text) => {
    const pictures = text.replaceAll(/@import[^;]*;|@font-face\s*\{[^}]*\}/gi, '')
    for (const [address] of pictures.matchAll(/https?:\/\/[^\s"'()<>]+/gi)) addresses.add(address)
    return text
  }
  changeTexts(mail, PICTURES, note)
  const secure = [...addresses].filter((address) => /^https:/i.test(address)).length
  return { https: secure, http: addresses.size - secure }
}

/** Their text is shown instead, without the mark of a picture that failed. */
function hideRemoteImages(mail) {
  for (const image of mail.querySelectorAll('img, source, input, video, audio')) {
    image.removeAttribute('srcset')
    image.removeAttribute('poster')
    if (!/^data:/i.test(image.getAttribute('src') ?? 'data:')) image.removeAttribute('src')
  }
}
