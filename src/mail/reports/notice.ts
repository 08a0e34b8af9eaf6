import { firstField } from '../parse/fields.ts'
import type { RecipientReport, Report } from './kinds.ts'

/** The meaning of a report for the one recipient that it is about. */
export type Notice =
  | { kind: 'failure'; state: 'bounced' | 'filteredspam' | 'quarantined' | 'failed'; detail: string }
  /** `reference` is the value of our own field in the returned copy; anybody may have written it. */
  | { kind: 'complaint'; detail: string; reference: string | undefined }
  | { kind: 'nothing'; because: string }

/** With `isRelayed` our mail goes through a relay, which reports on our account with it in the same words. */
export function noticeIn(report: Report, { isRelayed = false }: { isRelayed?: boolean } = {}): Notice {
  switch (report.kind) {
    case 'bounce':
      return failureIn(report.recipients, isRelayed)
    case 'complaint': {
      const reference = firstField(report.returned?.fields ?? [], 'cfbl-feedback-id')?.raw.trim()
      return { kind: 'complaint', detail: `Reported as ${report.feedbackType}.`, reference }
    }
    default:
      return { kind: 'nothing', because: report.kind }
  }
}

/**
 * An address may deliver to several people. If one of them has got the message, the address works; if one refuses for
 * another reason than an unknown address, it may work.
 */
function failureIn(recipients: readonly RecipientReport[], isRelayed: boolean): Notice {
  const failed = recipients.filter(({ action }) => action === 'failed')
  const isThere = recipients.some(({ action }) => action === 'delivered' || action === 'relayed')
  if (isThere) return { kind: 'nothing', because: 'delivered in part' }
  const isGone = (recipient: RecipientReport): boolean => recipient.isGone && (recipient.isByCode || !isRelayed)
  const softest = failed.find((recipient) => !isGone(recipient)) ?? failed[0]
  if (softest === undefined) return { kind: 'nothing', because: 'nobody failed' }
  return {
    kind: 'failure',
    state: isGone(softest) ? 'bounced' : stateOf(softest, isRelayed),
    detail: detailOf(softest),
  }
}

function stateOf({ meaning }: RecipientReport, isRelayed: boolean): 'filteredspam' | 'quarantined' | 'failed' {
  if (meaning === 'spam') return isRelayed ? 'failed' : 'filteredspam'
  return meaning === 'quarantine' || meaning === 'quarantined' ? 'quarantined' : 'failed'
}

const detailOf = ({ status, diagnostic }: RecipientReport): string =>
  diagnostic ?? (status === undefined ? 'Returned as undeliverable.' : `Returned as undeliverable (${status}).`)
