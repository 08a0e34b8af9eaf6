import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readMessage } from '../../src/mail/reading/message.ts'
import { readReport } from '../../src/mail/reports/report.ts'

/**
 * Real bounces and complaints, labelled by other software: a folder with `mail/*.eml` and `labels.ndjson`, too large to
 * live here. Where it calls a recipient "filtered" we read what the server said, so hard and soft are not compared.
 */
const corpus = process.env['SISIMAI_CORPUS']

interface Label {
  file: string
  results: { recipient: string; reason: string }[]
}

test.runIf(corpus)('real reports are read as others read them', () => {
  const labels = readFileSync(join(corpus ?? '', 'labels.ndjson'), 'utf8')
    .trim()
    .split('\n')
  const read = labels.map((line) => {
    const { file, results } = JSON.parse(line) as Label
    const report = readReport(readMessage(readFileSync(join(corpus ?? '', 'mail', file))))
    const found = report.kind === 'bounce' || report.kind === 'delay' ? report.recipients : []
    const addresses = (all: readonly { recipient: string }[]) => [...new Set(all.map(lowerCase))].toSorted().join()
    const kind = kinds[results[0]?.reason ?? ''] ?? 'bounce'
    return {
      isSameKind: (report.kind === 'delay' ? 'bounce' : report.kind) === kind,
      isSameRecipients: kind !== 'bounce' || addresses(found) === addresses(results),
    }
  })
  expect(read.filter(({ isSameKind }) => isSameKind).length / read.length).toBeGreaterThan(0.97)
  expect(read.filter(({ isSameRecipients }) => isSameRecipients).length / read.length).toBeGreaterThan(0.95)
})

const lowerCase = ({ recipient }: { recipient: string }): string => recipient.toLowerCase()

const kinds: Readonly<Record<string, string>> = {
  feedback: 'complaint',
  vacation: 'automatic reply',
  delivered: 'receipt',
}
