/** DMARC aggregate reports as well-known reporters write and pack them, and the sums that are in them. */
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

export interface Row {
  source: string
  count: number
  disposition: 'none' | 'quarantine' | 'reject'
  dkim: boolean
  spf: boolean
}

export interface Report {
  domain: string
  id: string
  /** Seconds. */
  begin: number
  rows: readonly Row[]
}

export interface Packed {
  /** The format that it is in. */
  format: string
  reporter: string
  report: Report
  filename: string
  contentType: string
  file: Buffer
  /** The whole message, with CRLF. */
  mail: Buffer
}

const DAY = 86_400

/** The same numbers for the same seed. */
export function randomOf(seed: number): (most: number) => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  return (most) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0
    return (state >>> 8) % most
  }
}

export function reportOf(seed: number, { domain = 'posts.example', begin = yesterday(), rows = 0 } = {}): Report {
  const random = randomOf(seed)
  const count = rows || 1 + random(12)
  const words = ['none', 'quarantine', 'reject'] as const
  return {
    domain,
    id: `${seed}.${random(1_000_000)}`,
    begin,
    rows: Array.from({ length: count }, (_, i) => ({
      source: random(4) === 0 ? `2001:db8::${(i % 9) + 1}` : `198.51.100.${(i % 200) + 1}`,
      count: 1 + random(500),
      disposition: words[random(3)]!,
      dkim: random(3) > 0,
      spf: random(2) > 0,
    })),
  }
}

export const yesterday = (): number => Math.floor(Date.now() / 1_000 / DAY - 1) * DAY

/** What readers of these reports have to find. */
export function sumsOf(reports: readonly Report[]) {
  const total = { messages: 0, dkimAligned: 0, spfAligned: 0, none: 0, quarantine: 0, reject: 0, failed: 0 }
  for (const { count, disposition, dkim, spf } of reports.flatMap(({ rows }) => rows)) {
    total.messages += count
    total[disposition] += count
    if (dkim) total.dkimAligned += count
    if (spf) total.spfAligned += count
    if (!dkim && !spf) total.failed += count
  }
  return total
}

interface Style {
  reporter: string
  host: string
  contentType: string
  pack: 'gz' | 'zip' | 'streamed zip' | 'plain'
  /** Around the elements; `%` is where they go. */
  frame: string
  encode?: (xml: string) => Buffer
  /** Of each element. */
  prefix?: string
  indent?: string
  lineEnd?: string
  isBackwards?: boolean
  passWord?: string
  more?: { metadata?: string; policy?: string; row?: string }
  text?: (text: string) => string
  /** Single: the file is the message. */
  isSingle?: boolean
  extension?: string
}

const cdata = (text: string): string => `<![CDATA[${text}]]>`

const styles: Readonly<Record<string, Style>> = {
  google: {
    reporter: 'google.com',
    host: 'google.com',
    contentType: 'application/zip',
    pack: 'zip',
    frame: '<?xml version="1.0" encoding="UTF-8" ?>\n<feedback>\n  <version>1.0</version>%</feedback>\n',
    indent: '  ',
    isSingle: true,
    more: { metadata: '<extra_contact_info>https://support.google.com/a/answer/2466580</extra_contact_info>' },
  },
  microsoft: {
    reporter: 'Enterprise Outlook',
    host: 'protection.outlook.com',
    contentType: 'application/gzip',
    pack: 'gz',
    frame:
      '<?xml version="1.0"?>\r\n<feedback xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\r\n  <version>1.0</version>%</feedback>',
    indent: '  ',
    lineEnd: '\r\n',
    more: { policy: '<fo>0</fo>' },
  },
  yahoo: {
    reporter: 'Yahoo',
    host: 'yahoo.com',
    contentType: 'application/gzip',
    pack: 'gz',
    frame: '<?xml version="1.0"?>   \n<feedback>   %</feedback>   \n\n',
    indent: '   ',
    lineEnd: '   \n',
    text: (text) => `${text}   `,
  },
  'mail.ru': {
    reporter: 'Mail.Ru',
    host: 'mail.ru',
    contentType: 'application/gzip',
    pack: 'gz',
    frame: '<?xml version="1.0" encoding="UTF-8"?><feedback><version>1.0</version>%</feedback>',
    more: { metadata: '<extra_contact_info>http://help.mail.ru/mail-help</extra_contact_info>' },
  },
  fastmail: {
    reporter: 'Fastmail Pty Ltd',
    host: 'fastmaildmarc.com',
    contentType: 'application/zip',
    pack: 'streamed zip',
    frame: '\n<?xml version="1.0"?>\n<!-- made by a program -->\n<feedback>%</feedback>',
    indent: '\t',
    more: { row: '<reason><type>forwarded</type><comment>a &lt;b&gt; &amp; c</comment></reason>' },
  },
  comcast: {
    reporter: 'comcast.net',
    host: 'comcast.net',
    contentType: 'application/x-gzip',
    pack: 'gz',
    frame: '<?xml version="1.0" encoding="US-ASCII"?>\n<feedback>%</feedback>\n',
    indent: ' ',
    text: cdata,
  },
  'amazon ses': {
    reporter: 'AMAZON-SES',
    host: 'amazonses.com',
    contentType: 'application/octet-stream',
    pack: 'gz',
    frame: '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<feedback>%</feedback>',
    indent: '    ',
  },
  'web.de': {
    reporter: 'WEB.DE Größe',
    host: 'web.de',
    contentType: 'application/octet-stream',
    pack: 'zip',
    frame: '<?xml version="1.0" encoding="ISO-8859-1"?>\n<feedback>%</feedback>',
    encode: (xml) => Buffer.from(xml, 'latin1'),
    indent: '  ',
    isBackwards: true,
  },
  'rfc 9990': {
    reporter: 'Sample Reporter',
    host: 'receiver.example',
    contentType: 'application/gzip',
    pack: 'gz',
    frame:
      '<?xml version="1.0" encoding="UTF-8"?>\n<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0"><version>1.0</version>%<extension><x xmlns="urn:x">1</x></extension></feedback>',
    indent: '  ',
    passWord: 'pass',
    more: {
      metadata: '<generator>Reporter 2.1</generator>',
      policy: '<np>none</np><testing>n</testing><discovery_method>treewalk</discovery_method>',
    },
  },
  prefixed: {
    reporter: 'Prefixed Mail',
    host: 'prefix.example',
    contentType: 'application/x-zip-compressed',
    pack: 'zip',
    frame: '<?xml version="1.0"?><d:feedback xmlns:d="http://dmarc.org/dmarc-xml/0.1">%</d:feedback>',
    prefix: 'd:',
    encode: (xml) => Buffer.from(`\ufeff${xml}`),
  },
  'plain utf-16': {
    reporter: 'Wide & Plain',
    host: 'wide.example',
    contentType: 'text/xml',
    pack: 'plain',
    frame: '<?xml version="1.0" encoding="UTF-16"?>\n<feedback>%</feedback>',
    encode: (xml) => Buffer.from(`\ufeff${xml}`, 'utf16le'),
    extension: 'xml',
  },
}

export const formats = Object.keys(styles)

export function pack(format: string, report: Report): Packed {
  const style = styles[format]!
  const xml = xmlOf(style, report)
  const bytes = (style.encode ?? Buffer.from)(xml)
  const stem = `${style.host}!${report.domain}!${report.begin}!${report.begin + DAY - 1}`
  const file = packedFile(style, stem, bytes)
  const extension = style.extension ?? (style.pack === 'gz' ? 'xml.gz' : 'zip')
  const packed = { format, reporter: style.reporter, report, filename: `${stem}.${extension}`, file }
  const contentType = style.contentType
  return { ...packed, contentType, mail: mailOf({ ...packed, contentType }, style) }
}

function packedFile({ pack: how }: Style, stem: string, bytes: Buffer): Buffer {
  if (how === 'gz') return gzipSync(bytes)
  if (how === 'plain') return bytes
  return zipOf([{ name: `${stem}.xml`, bytes }], { isStreamed: how === 'streamed zip' })
}

function xmlOf(style: Style, { domain, id, begin, rows }: Report): string {
  const { prefix = '', more = {}, text = (value: string) => value } = style
  const element = (name: string, ...inside: string[]): string =>
    `<${prefix}${name}>${inside.join('')}</${prefix}${name}>`
  const said = (name: string, value: string | number): string => element(name, text(String(value)))
  const metadata = element(
    'report_metadata',
    said('org_name', style.reporter.replace('&', '&amp;')).replace('<![CDATA[Wide &amp;', '<![CDATA[Wide &'),
    said('email', `noreply@${style.host}`),
    more.metadata ?? '',
    said('report_id', id),
    element('date_range', said('begin', begin), said('end', begin + DAY - 1)),
  )
  const policy = element(
    'policy_published',
    said('domain', domain),
    said('adkim', 'r'),
    said('aspf', 'r'),
    said('p', 'none'),
    more.policy ?? '',
  )
  const records = rows.map(({ source, count, disposition, dkim, spf }) => {
    const isPassed = style.passWord !== undefined && disposition === 'none' && (dkim || spf)
    return element(
      'record',
      element(
        'row',
        said('source_ip', source),
        said('count', count),
        element(
          'policy_evaluated',
          said('disposition', isPassed ? style.passWord! : disposition),
          said('dkim', dkim ? 'pass' : 'fail'),
          said('spf', spf ? 'pass' : 'fail'),
          more.row ?? '',
        ),
      ),
      element('identifiers', said('envelope_from', `bounce.${domain}`), said('header_from', domain)),
      element(
        'auth_results',
        element('dkim', said('domain', 'elsewhere.example'), said('selector', 's'), said('result', 'fail')),
        element('spf', said('domain', `bounce.${domain}`), said('result', 'none')),
      ),
    )
  })
  const parts = [metadata, policy, ...records]
  if (style.isBackwards) parts.reverse()
  return style.frame.replace('%', () => spaced(parts.join(''), style))
}

/** As programs that indent do it; every closing tag ends a line. */
const spaced = (xml: string, { indent, lineEnd = '\n' }: Style): string =>
  indent === undefined ? xml : xml.replaceAll(/(?<=<\/[^>]+>)/g, `${lineEnd}${indent}`)

export function mailOf(
  { filename, contentType, file, reporter, report: { domain, id } }: Omit<Packed, 'mail' | 'format'>,
  { isSingle = false, host = 'reporter.example' }: { isSingle?: boolean; host?: string } = {},
): Buffer {
  const encoded = file.toString('base64').replaceAll(/.{76}/g, '$&\r\n')
  const head = [
    `From: ${reporter.replaceAll(/[^ -~]|&/g, '')} <noreply@${host}>`,
    `To: reports@posthouse.test`,
    `Subject: Report domain: ${domain} Submitter: ${host} Report-ID: <${id}>`,
    'MIME-Version: 1.0',
  ]
  const attachment = [
    `Content-Type: ${contentType}; name="${filename}"`,
    `Content-Disposition: attachment; filename="${filename}"`,
    'Content-Transfer-Encoding: base64',
    '',
    encoded,
  ]
  const around = [
    'Content-Type: multipart/mixed; boundary="=_b"',
    '',
    '--=_b',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<div>This is a DMARC aggregate report.</div>',
    '--=_b',
    ...attachment,
    '--=_b--',
  ]
  return Buffer.from([...head, ...(isSingle ? attachment : around), ''].join('\r\n'))
}

interface ZipOptions {
  /** The sizes stand behind the file, as where the archive is written in one go. */
  isStreamed?: boolean
  /** What the directory says the size is. */
  claimed?: number
  crc?: number
}

export function zipOf(files: readonly { name: string; bytes: Buffer }[], options: ZipOptions = {}): Buffer {
  const { isStreamed = false, claimed, crc } = options
  const [locals, entries]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const { name, bytes } of files) {
    const packed = deflateRawSync(bytes)
    const sum = crc ?? crc32(bytes)
    const size = claimed ?? bytes.length
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(isStreamed ? 8 : 0, 6)
    local.writeUInt16LE(8, 8)
    if (!isStreamed) {
      local.writeUInt32LE(sum, 14)
      local.writeUInt32LE(packed.length, 18)
      local.writeUInt32LE(size, 22)
    }
    local.writeUInt16LE(name.length, 26)
    const behind = Buffer.alloc(isStreamed ? 16 : 0)
    if (isStreamed) {
      behind.writeUInt32LE(0x08074b50, 0)
      behind.writeUInt32LE(sum, 4)
      behind.writeUInt32LE(packed.length, 8)
      behind.writeUInt32LE(size, 12)
    }
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(sum, 16)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(size, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    const whole = Buffer.concat([local, Buffer.from(name, 'latin1'), packed, behind])
    locals.push(whole)
    entries.push(entry, Buffer.from(name, 'latin1'))
    offset += whole.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}
