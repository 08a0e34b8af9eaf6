/**
 * The way of a claimed row to its outcome, the same for mail, webhooks and SMS:
 *
 *   load      the row is read, in one query with others that were claimed at about the same time
 *   permit    it is decided whether the row may leave now; if not, that is its outcome
 *   send      one attempt is made to hand it over, and the destination is told what the answer means for other rows
 *   classify  the answer is turned into what it means for this row
 *   settle    that becomes the outcome that the resource records
 *
 * What a step throws is the row's own fault or ours, and never its neighbours': it ends in `failed`.
 */
import { Batch } from '../dispatch/batch.ts'
import type { Item, Lease, Queue } from '../dispatch/queue.ts'

/** A loaded row and its lease. */
export interface Delivery<Due> {
  item: Pick<Item, 'id' | 'destination'>
  due: Due
  lease: Lease
}

export interface Steps<Due, Sent, Meaning, Outcome> {
  /** The answer is in the order of the ids; a row that is not there any more is undefined. */
  load(ids: readonly string[]): Promise<(Due | undefined)[]>
  /** Undefined when the row may leave. */
  permit(delivery: Delivery<Due>): Promise<Outcome | undefined>
  send(delivery: Delivery<Due>): Promise<Sent>
  classify(sent: Sent, due: Due): Meaning
  settle(delivery: Delivery<Due>, sent: Sent, meaning: Meaning): Outcome
  /** `due` is undefined when the row could not even be loaded. */
  failed(item: Pick<Item, 'id'>, error: unknown, due?: Due): Outcome
}

/** The part of a queue that takes its rows through the steps. */
export function inSteps<Due, Sent, Meaning, Outcome>(
  steps: Steps<Due, Sent, Meaning, Outcome>,
): Pick<Queue<Outcome>, 'handle' | 'failed'> {
  const rows = new Batch<string, Due | undefined>((ids) => steps.load(ids), { most: 100, gatherMs: 1 })
  return {
    handle: async (item, lease) => {
      const due = await rows.add(item.id)
      if (due === undefined) throw new Error('a leased row is gone')
      const delivery = { item, due, lease }
      try {
        const refusal = await steps.permit(delivery)
        if (refusal !== undefined) return refusal
        const sent = await steps.send(delivery)
        return steps.settle(delivery, sent, steps.classify(sent, due))
      } catch (error) {
        return steps.failed(item, error, due)
      }
    },
    failed: (item, error) => steps.failed(item, error),
  }
}
