import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMimeMessage } from '../../src/mail/parse/mime-message.ts'
import { quotedReply } from '../../src/mail/replies/reply.ts'
import type { RecipientReport } from '../../src/mail/reports/kinds.ts'
import { readReport } from '../../src/mail/reports/report.ts'

/**
 * Real bounces and complaints, and what other software (Sisimai) reads in them: a folder with `mail/*.eml` and
 * `labels.ndjson`, too large to live here. It is a second opinion, not the truth.
 *
 *   kind         what the message is at all. Theirs knows no delays: a delay is a bounce that is soft.
 *   recipients   all of them, for every bounce. Theirs names the mailbox at which it failed; ours the address that we
 *                wrote to, where an alias led from one to the other.
 *   status       the whole enhanced code, for every recipient that both name. Where there is none in the report, theirs
 *                makes one up (x.0.9xx); then its class is compared with that of the SMTP reply.
 *   hardness     hard or soft, for every recipient that both name. It is not what we do with it: we suppress those who
 *                are gone (`isGone`), and that includes some soft ones. A closed account, or somebody who is called
 *                unknown only after the message was sent, is soft to them and as much a waste of mail as any other.
 */
export const measures = ['kind', 'recipients', 'status', 'hardness'] as const
export type Measure = (typeof measures)[number]

export interface Comparison {
  /** `unread`: a recipient that only they name, and of whom nothing more can be compared. */
  measure: Measure | 'unread'
  file: string
  isSame: boolean
  ours: string
  theirs: string
}

/** Everything that can be compared; undefined without a corpus. */
export function secondOpinion(corpus = process.env['SISIMAI_CORPUS']): Comparison[] | undefined {
  if (corpus === undefined || corpus === '') return undefined
  return readFileSync(join(corpus, 'labels.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Label)
    .flatMap((label) => comparisonsOf(label, readFileSync(join(corpus, 'mail', label.file))))
}

export function shareOf(measure: Comparison['measure'], all: readonly Comparison[]): { same: number; of: number } {
  const own = all.filter((comparison) => comparison.measure === measure)
  return { same: own.filter(({ isSame }) => isSame).length, of: own.length }
}

interface Label {
  file: string
  results: Result[]
}

interface Result {
  recipient: string
  reason: string
  /** Empty where a message has none. */
  status: string
  /** 1 soft, 0 hard, -1 neither. */
  soft: number
}

function comparisonsOf({ file, results }: Label, message: Buffer): Comparison[] {
  const report = readReport(readMimeMessage(message))
  const compare = (
    measure: Comparison['measure'],
    ours: string,
    theirs: string,
    isSame = ours === theirs,
  ): Comparison => {
    return { measure, file, isSame, ours, theirs }
  }
  const kind = kinds[results[0]?.reason ?? ''] ?? 'bounce'
  const ownKind = compare('kind', report.kind === 'delay' ? 'bounce' : report.kind, kind)
  if (kind !== 'bounce') return [ownKind]
  const found = report.kind === 'bounce' || report.kind === 'delay' ? report.recipients : []
  return [
    ownKind,
    compare('recipients', namesOf(found), namesOf(results)),
    ...results.flatMap((result) => {
      const own = counterpart(result, results, found)
      if (own === undefined) return [compare('unread', '', result.recipient)]
      const said = `(${result.reason}) ${own.diagnostic ?? ''}`
      const hardness = compare('hardness', hardOrSoft(own.isHard), hardOrSoft(result.soft === 0))
      return [
        compare('status', own.status ?? classOf(own), `${result.status} ${said}`, isSameStatus(own, result.status)),
        { ...hardness, theirs: `${hardness.theirs} ${said}` },
      ]
    }),
  ]
}

const kinds: Readonly<Record<string, string>> = {
  feedback: 'complaint',
  vacation: 'automatic reply',
  delivered: 'receipt',
}

const namesOf = (all: readonly { recipient: string }[]): string =>
  [...new Set(all.map(({ recipient }) => recipient.toLowerCase()))].toSorted().join(' ')

/** Where each names one recipient, it is the same, whatever the names: an alias and what is behind it. */
function counterpart(result: Result, results: readonly Result[], found: readonly RecipientReport[]) {
  const namesake = found.find(({ recipient }) => recipient.toLowerCase() === result.recipient.toLowerCase())
  return namesake ?? (results.length === 1 && found.length === 1 ? found[0] : undefined)
}

const hardOrSoft = (isHard: boolean): string => (isHard ? 'hard' : 'soft')

const isSameStatus = (own: RecipientReport, status: string): boolean =>
  /^\d\.0\.9\d\d$/.test(status) ? classOf(own)[0] === status[0] : own.status === status

/** `5xx` or `4xx`: by the enhanced code, the reply, or what became of it. */
function classOf({ status, diagnostic = '', action }: RecipientReport): string {
  const code = status ?? quotedReply(diagnostic)?.code.toString() ?? (action === 'failed' ? '5' : '4')
  return `${code[0]}xx`
}
