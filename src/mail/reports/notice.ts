import { classOf } from '../reply-class.ts'
import { quotedReply } from '../reply.ts'
import { firstField } from '../reading/fields.ts'
import type { RecipientReport, Report } from './kinds.ts'

/** What a report means for the one recipient that it is about. */
export type Notice =
  | { kind: 'failure'; state: 'bounced' | 'filteredspam' | 'quarantined' | 'failed'; detail: string }
  /** `reference` is what our own field in the returned copy says, whoever wrote it there. */
  | { kind: 'complaint'; detail: string; reference: string | undefined }
  | { kind: 'nothing'; because: string }

export function noticeIn(report: Report): Notice {
  switch (report.kind) {
    case 'bounce':
      return failureIn(report.recipients)
    case 'complaint': {
      const reference = firstField(report.returned?.fields ?? [], 'cfbl-feedback-id')?.raw.trim()
      return { kind: 'complaint', detail: `Reported as ${report.feedbackType}.`, reference }
    }
    default:
      return { kind: 'nothing', because: report.kind }
  }
}

/**
 * Behind an address there may be several people. Where one of them has got it, the address works; where one refuses for
 * another reason than that nobody is there, it may.
 */
function failureIn(recipients: readonly RecipientReport[]): Notice {
  const failed = recipients.filter(({ action }) => action === 'failed')
  const isThere = recipients.some(({ action }) => action === 'delivered' || action === 'relayed')
  if (isThere) return { kind: 'nothing', because: 'delivered in part' }
  const softest = failed.find(({ isGone }) => !isGone) ?? failed[0]
  if (softest === undefined) return { kind: 'nothing', because: 'nobody failed' }
  return { kind: 'failure', state: softest.isGone ? 'bounced' : stateOf(softest), detail: detailOf(softest) }
}

function stateOf({ diagnostic }: RecipientReport): 'filteredspam' | 'quarantined' | 'failed' {
  const reply = diagnostic === undefined ? undefined : quotedReply(diagnostic)
  const meaning = reply && classOf(reply)
  if (meaning === 'spam') return 'filteredspam'
  return meaning === 'quarantine' || meaning === 'quarantined' ? 'quarantined' : 'failed'
}

const detailOf = ({ status, diagnostic }: RecipientReport): string =>
  diagnostic ?? (status === undefined ? 'Returned as undeliverable.' : `Returned as undeliverable (${status}).`)
