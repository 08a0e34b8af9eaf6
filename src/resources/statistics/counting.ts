/** What others call when something happens that is counted. Each adds rows in the transaction that records it. */
import type { CountEvents, NewEvent } from '../../events/publish.ts'
import { domainOf } from '../../mail/address.ts'
import { providerOf, providers } from '../../mail/replies/providers.ts'
import type { CountAccepted, CountedRecipient } from '../emails/index.ts'
import type { CountTried } from '../webhooks/index.ts'
import { OTHER_PROVIDER } from './kinds.ts'
import { beginnings, WEBHOOK_LATENCY_MS } from './limits.ts'
import * as store from './store/count.ts'

/**
 * What happened before (another deferral of the same recipient) was counted then. What no server and no person did (a pause
 * of ours, a machine that opened the mail) is never counted.
 */
export const countEvents: CountEvents = (events, ids) =>
  store.eventCounts(
    events.flatMap((event, i) =>
      event.position === undefined || event.isRepeated === true
        ? []
        : [{ id: ids[i] ?? '', provider: providerIn(event), domain: domainOf(event.recipient) }],
    ),
    providers,
  )

/** A server that answered says whose it is; null where no server was asked. */
const providerIn = ({ smtp }: NewEvent): string | null =>
  smtp?.host === undefined ? null : (providerOf(smtp.host) ?? OTHER_PROVIDER)

export const countAccepted: CountAccepted = async (tx, recipients) => {
  if (recipients.length > 0) await store.addAccepted(tx, alike(recipients), providers)
}

/** Each recipient once without a tag and once with each of its own; those that are alike in one row. */
function alike(recipients: readonly CountedRecipient[]): store.AcceptedRow[] {
  const rows = new Map<string, store.AcceptedRow>()
  for (const { tags, ...row } of recipients) {
    for (const tag of ['', ...tags]) {
      const key = [row.projectId, row.at.getTime(), row.domainId, row.source, row.templateId, row.domain, tag].join(' ')
      const found = rows.get(key)
      if (found === undefined) rows.set(key, { ...row, tag, recipients: 1 })
      else found.recipients++
    }
  }
  return [...rows.values()]
}

export const countTried: CountTried = (tx, tried) =>
  store.addTried(
    tx,
    tried.flatMap(({ endpointId, at, durationMs, ended }) => [
      { endpointId, at, kind: 'attempts' as const, latency: classOf(durationMs) },
      ...(ended === undefined ? [] : [{ endpointId, at, kind: ended, latency: null }]),
    ]),
  )

/** The class of a time; as `width_bucket` has it, a time that is the end of a class belongs to the next one. */
const classOf = (ms: number): number => beginnings(WEBHOOK_LATENCY_MS).filter((end) => end <= ms).length
