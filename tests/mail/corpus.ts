import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMessage } from '../../src/mail/reading/message.ts'
import { readReport } from '../../src/mail/reports/report.ts'

/**
 * Real bounces and complaints, labelled by other software: a folder with `mail/*.eml` and `labels.ndjson`, too large to
 * live here.
 */
const corpus = process.env['SISIMAI_CORPUS']

interface Label {
  file: string
  results: { recipient: string; reason: string }[]
}

/** In how many of them we read what others read; undefined without a corpus. */
export function agreement(): { kinds: number; recipients: number } | undefined {
  if (corpus === undefined) return undefined
  const labels = readFileSync(join(corpus, 'labels.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Label)
  const read = labels.map(({ file, results }) => {
    const report = readReport(readMessage(readFileSync(join(corpus, 'mail', file))))
    const found = report.kind === 'bounce' || report.kind === 'delay' ? report.recipients : []
    const addresses = (all: readonly { recipient: string }[]) => [...new Set(all.map(lowerCase))].toSorted().join()
    const kind = kinds[results[0]?.reason ?? ''] ?? 'bounce'
    return {
      isSameKind: (report.kind === 'delay' ? 'bounce' : report.kind) === kind,
      isSameRecipients: kind !== 'bounce' || addresses(found) === addresses(results),
    }
  })
  const share = (count: number): number => count / read.length
  return {
    kinds: share(read.filter(({ isSameKind }) => isSameKind).length),
    recipients: share(read.filter(({ isSameRecipients }) => isSameRecipients).length),
  }
}

const lowerCase = ({ recipient }: { recipient: string }): string => recipient.toLowerCase()

const kinds: Readonly<Record<string, string>> = {
  feedback: 'complaint',
  vacation: 'automatic reply',
  delivered: 'receipt',
}
