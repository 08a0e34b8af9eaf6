/**
 * The look that all starters share: one column of 600 pixels, a wordmark, a card, a quiet footer, in the reader's own
 * system font. Built from tables with their styles written on them, because Outlook lays out with Word and Gmail
 * drops what it does not like; what stands in the style sheet is only for clients that understand it (narrow screens
 * and dark mode) and is never needed to read the message. No colour is pure black or white: clients that darken mail
 * by themselves turn those into their opposite, and halos appear. Nothing is loaded from anywhere.
 */

export const light = {
  page: '#f3f2ee',
  card: '#fdfdfb',
  ink: '#25292e',
  soft: '#62686f',
  line: '#e3e1da',
  link: '#1c5d8a',
}
const dark = { page: '#15171a', card: '#1e2125', ink: '#e4e6e8', soft: '#a2a9b0', line: '#363b41', link: '#8cc3ea' }
/** The same in light and in dark. */
const button = { ground: '#1c5d8a', text: '#f9fbfc' }

const fonts = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
const table = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'

export interface Message {
  /** The title that screen readers and browser tabs show. */
  readonly title: string
  /** What inboxes show after the subject. */
  readonly preheader: string
  readonly wordmark: string
  readonly content: readonly string[]
  /** Why the reader got this, and what they can do about it. */
  readonly footer: readonly string[]
}

export const page = ({ title, preheader, wordmark, content, footer }: Message): string => `<!doctype html>
<html lang="en" dir="ltr" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="x-apple-disable-message-reformatting">
  <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
  <meta name="color-scheme" content="light dark">
  <meta name="supported-color-schemes" content="light dark">
  <title>${title}</title>
  <!--[if mso]>
  <xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml>
  <style>table { border-collapse: collapse } td, th, p, h1, h2, a { font-family: 'Segoe UI', Arial, sans-serif !important }</style>
  <![endif]-->
  <style>
${indented(layout, 4)}
  </style>
  <style>
${indented(darkness(), 4)}
  </style>
</head>
<body class="page" style="margin:0;padding:0;width:100%;background-color:${light.page};-webkit-text-size-adjust:100%">
  <div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all">
    ${preheader}
    ${'&#8199;&#847; '.repeat(40).trim()}
  </div>
  <div role="article" aria-roledescription="email" aria-label="${title}" lang="en">
    <table ${table} width="100%" class="page" bgcolor="${light.page}" style="background-color:${light.page}">
      <tr>
        <td align="center" class="outer" style="padding:40px 16px;font-family:${fonts}">
          <!--[if mso]><table ${table} width="600"><tr><td><![endif]-->
          <table ${table} width="100%" style="max-width:600px;margin:0 auto">
            <tr>
              <td class="ink wordmark" style="padding:0 49px 20px;font-size:17px;line-height:24px;font-weight:700;letter-spacing:-0.2px;color:${light.ink}">${wordmark}</td>
            </tr>
            <tr>
              <td class="card line" bgcolor="${light.card}" style="padding:44px 48px 24px;background-color:${light.card};border:1px solid ${light.line};border-radius:10px">
${indented(content.join('\n'), 16)}
              </td>
            </tr>
            <tr>
              <td class="footer" style="padding:24px 49px 0">
${indented(footer.map(footnote).join('\n'), 16)}
              </td>
            </tr>
          </table>
          <!--[if mso]></td></tr></table><![endif]-->
        </td>
      </tr>
    </table>
  </div>
</body>
</html>
`

const layout = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
table { border-spacing: 0; }
.button a:hover { background-color: #174d73 !important; }
@media (max-width: 620px) {
  .outer { padding: 24px 12px !important; }
  .card { padding: 32px 24px 12px !important; }
  .wordmark, .footer { padding-left: 25px !important; padding-right: 25px !important; }
  .button, .button a { display: block !important; text-align: center !important; }
  .wide { width: 100% !important; }
}`

/**
 * Outlook's apps and web pages mark what they have darkened ([data-ogsc]); all others ask the media. A style sheet of
 * its own, because Gmail throws away a whole one when it does not know a part of it.
 */
function darkness(): string {
  const rules = Object.entries({
    page: `background-color: ${dark.page} !important`,
    card: `background-color: ${dark.card} !important`,
    ink: `color: ${dark.ink} !important`,
    soft: `color: ${dark.soft} !important`,
    line: `border-color: ${dark.line} !important`,
    link: `color: ${dark.link} !important`,
  })
  return `@media (prefers-color-scheme: dark) {
${rules.map(([name, rule]) => `  .${name} { ${rule}; }`).join('\n')}
}
${rules.map(([name, rule]) => `[data-ogsc] .${name}, [data-ogsb] .${name} { ${rule}; }`).join('\n')}`
}

export const indented = (text: string, by: number): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : ' '.repeat(by) + line))
    .join('\n')

export const heading = (text: string): string =>
  `<h1 class="ink" style="margin:0 0 20px;font-size:26px;line-height:34px;font-weight:700;letter-spacing:-0.4px;color:${light.ink}">${text}</h1>`

export const subheading = (text: string): string =>
  `<h2 class="ink" style="margin:0 0 6px;font-size:18px;line-height:26px;font-weight:700;letter-spacing:-0.2px;color:${light.ink}">${text}</h2>`

export const paragraph = (text: string, below = 20): string =>
  `<p class="ink" style="margin:0 0 ${below}px;font-size:16px;line-height:26px;color:${light.ink}">${text}</p>`

/** Smaller and greyer: what most readers need not read. */
export const aside = (text: string, below = 12): string =>
  `<p class="soft" style="margin:0 0 ${below}px;font-size:14px;line-height:22px;color:${light.soft}">${text}</p>`

const footnote = (text: string): string =>
  `<p class="soft" style="margin:0 0 8px;font-size:13px;line-height:20px;color:${light.soft}">${text}</p>`

/** A label says to those who hear the message what the text says to those who see it around. */
export const link = (url: string, text: string, label?: string): string =>
  `<a class="link" href="${url}"${label === undefined ? '' : ` aria-label="${label}"`} style="color:${light.link};text-decoration:underline">${text}</a>`

/** An address as text, for those whose client does not show the button. It may be broken anywhere. */
export const address = (url: string): string =>
  `<a class="link" href="${url}" style="color:${light.link};text-decoration:underline;word-break:break-all">${url}</a>`

/** The cell carries the colour, because Outlook gives a link neither ground nor padding. */
export const callToAction = (
  url: string,
  label: string,
): string => `<table ${table} class="wide" style="margin:8px 0 28px">
  <tr>
    <td class="button" align="center" bgcolor="${button.ground}" style="border-radius:8px;background-color:${button.ground};mso-padding-alt:14px 28px">
      <a href="${url}" style="display:inline-block;padding:14px 28px;border-radius:8px;background-color:${button.ground};font-size:16px;line-height:22px;font-weight:600;color:${button.text};text-decoration:none">${label}</a>
    </td>
  </tr>
</table>`

export const rule = (): string => `<table ${table} width="100%" style="margin:8px 0 28px">
  <tr><td class="line" style="border-top:1px solid ${light.line};font-size:1px;line-height:1px">&nbsp;</td></tr>
</table>`

/** Something to be read letter by letter, or set apart from the rest. */
export const panel = (content: string): string => `<table ${table} width="100%" style="margin:0 0 28px">
  <tr>
    <td class="page line" bgcolor="${light.page}" style="padding:18px 22px;background-color:${light.page};border:1px solid ${light.line};border-radius:8px">
${indented(content, 6)}
    </td>
  </tr>
</table>`

export const code = (text: string): string =>
  `<p class="ink" style="margin:0;text-align:center;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:30px;line-height:40px;font-weight:600;letter-spacing:6px;color:${light.ink}">${text}</p>`

/** Pairs of a name and a value, one below the other. */
export const facts = (rows: readonly string[]): string => `<table ${table} width="100%" style="margin:0 0 28px">
${indented(rows.join('\n'), 2)}
</table>`

export const fact = (label: string, value: string): string => `<tr>
  <td class="soft line" valign="top" style="padding:10px 16px 10px 0;border-top:1px solid ${light.line};font-size:14px;line-height:22px;color:${light.soft}">${label}</td>
  <td class="ink line" valign="top" align="right" style="padding:10px 0;border-top:1px solid ${light.line};font-size:14px;line-height:22px;color:${light.ink}">${value}</td>
</tr>`
