import { decodeText } from '../parse/charset.ts'
import type { MimeMessage } from '../parse/mime-message.ts'
import { contentOf } from '../parse/parts.ts'
import { readDmarcReport, type DmarcReport } from './dmarc-report.ts'
import { MAX_JSON_BYTES, readTlsReport, type TlsReport } from './tls-report.ts'
import { limitOf, unpacked } from './unpack.ts'
import { MAX_REPORT_BYTES, Unreadable } from './unreadable.ts'

export type AggregateReport = DmarcReport | TlsReport

/** Of more files than these only the first are looked at: a report comes alone. */
const MAX_FILES = 10

/**
 * The report that a message brings: the first of its files that is one, or its own text. Nothing makes this throw, and
 * all files together may become as large as one report. `because` says why there is none.
 */
export function aggregateReportIn(message: MimeMessage): AggregateReport | { kind: 'none'; because: string } {
  let [budget, because] = [MAX_REPORT_BYTES, 'there is no report in it']
  for (const file of filesOf(message)) {
    if (budget <= 0) break
    // As if it became as large as it may, until it is known: one that fails may have been unpacked so far.
    const limit = limitOf(file, budget)
    budget -= limit
    try {
      const { kind, bytes } = unpacked(file, limit)
      budget += limit - bytes.length
      if (kind !== 'other') return reportIn(kind, bytes)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      because = error.message
    }
  }
  return { kind: 'none', because }
}

const filesOf = ({ attachments, root }: MimeMessage): Buffer[] => [
  ...attachments.slice(0, MAX_FILES).map(({ content }) => content),
  ...(root.parts.length === 0 ? [contentOf(root)] : []),
]

function reportIn(kind: 'xml' | 'json', bytes: Buffer): AggregateReport {
  const most = kind === 'xml' ? MAX_REPORT_BYTES : MAX_JSON_BYTES
  if (bytes.length > most) throw new Unreadable('it is too large')
  return kind === 'xml'
    ? readDmarcReport(decodeText(charsetOf(bytes), bytes))
    : readTlsReport(decodeText('utf-8', bytes))
}

/** By its byte order mark, or as its declaration says (XML 1.0 §4.3.3). */
function charsetOf(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, DECLARATION_BYTES)
  if (/^(?:\xfe\xff|\xff\xfe|\0<|<\0)/.test(start)) return start.startsWith('\0<') ? 'utf-16be' : 'utf-16'
  return /^[^<]*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(start)?.[1]
}

const DECLARATION_BYTES = 256
