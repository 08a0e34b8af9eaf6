/** Takes a due delivery of an event to an outcome: signs it, posts it to its endpoint, reads the answer. */
import type { Clock } from '../../core/clock.ts'
import { failpoint } from '../../core/failpoint.ts'
import type { Log } from '../../core/log.ts'
import type { Destination, Item, Queue } from '../../dispatch/queue.ts'
import type { Posted, Poster } from '../../net/post.ts'
import {
  plainHeaders,
  requestHeaders,
  type Attempt,
  type DueDelivery,
  type WebhookOutcome,
  type ToldHeaders,
  type WebhookDeliveries,
} from '../../resources/webhooks/index.ts'
import { inSteps, type Delivery, type Steps } from '../steps.ts'
import { askedMs, classify, isAcknowledged, type Sent, type Timed, type Verdict } from './classify.ts'
import { Hosts } from './hosts.ts'
import { signatureHeaders } from './signatures.ts'

export interface WebhookDelivererOptions {
  deliveries: WebhookDeliveries
  poster: Poster
  log: Log
  clock: Clock
  random: () => number
  /** How many processes share the endpoints. */
  processes: () => number
}

/** The first is for first attempts, the second for all others. */
const lanes = [
  { lane: 0, share: 0.7, kept: 0.3 },
  { lane: 1, share: 0.3, kept: 0.1 },
]

/**
 * One endpoint gets so many requests at a time, of those in hand: a delivery is in hand for ten times as long as its
 * request takes, since outcomes are gathered before they are written.
 */
const REQUESTS_AT_ONCE = 16
/** All endpoints at one host together get so many. */
const REQUESTS_TO_HOST = 64
/** An endpoint whose host is busy with others is tried again after about so long. */
const CROWDED_MS = 500
/** So many deliveries may be in hand for an endpoint at first, and for one that takes them quickly. */
const IN_HAND = 8
const MAX_IN_HAND = 400

/** A delivery waits so long for an earlier event of the same message that another process has in hand. */
const EARLIER_FIRST_MS = 100
/** A delivery that could not be processed is left alone for so long. */
const UNREADABLE_MS = 30_000
/** An endpoint that asks for a pause gets at most this for all its deliveries; then one of them is tried. */
const MAX_ASKED_PAUSE_MS = 3_600_000

export class WebhookDeliverer implements Steps<DueDelivery, Sent, Verdict, WebhookOutcome> {
  readonly #options: WebhookDelivererOptions
  readonly #hosts: Hosts
  readonly #inHand = new Map<string, Promise<unknown>>()

  constructor(options: WebhookDelivererOptions) {
    this.#options = options
    this.#hosts = new Hosts(() => this.#shareOf(REQUESTS_TO_HOST))
  }

  /** The queue for dispatch. Its rows never begin: an event that comes twice does no harm, so a crash costs no wait. */
  queue(): Queue<WebhookOutcome> {
    const { deliveries } = this.#options
    const { handle, failed } = inSteps(this)
    return {
      table: deliveries.table,
      lanes,
      limits: () => ({
        concurrency: this.#shareOf(IN_HAND),
        maxConcurrency: MAX_IN_HAND,
        atOnce: this.#shareOf(REQUESTS_AT_ONCE),
      }),
      handle: (item, lease) => {
        const ended = handle(item, lease).finally(() => this.#inHand.delete(item.id))
        this.#inHand.set(item.id, ended)
        return ended
      },
      failed,
      record: (tx, settled) =>
        deliveries.record(
          tx,
          settled.map(({ item: { id }, outcome }) => ({ id, outcome })),
        ),
    }
  }

  load(ids: readonly string[]): Promise<(DueDelivery | undefined)[]> {
    return this.#options.deliveries.load(ids)
  }

  async permit({ due }: Delivery<DueDelivery>): Promise<WebhookOutcome | undefined> {
    if (due.url === null || !due.isEnabled) return { kind: 'dropped' }
    return (await this.#isNext(due)) ? undefined : { kind: 'returned', afterMs: EARLIER_FIRST_MS }
  }

  async send({ due, lease }: Delivery<DueDelivery>): Promise<Sent> {
    const posted = await lease.destination.inTurn(async () => {
      if (!lease.holds()) return undefined
      const target = new URL(due.url ?? '')
      const answer = await this.#hosts.take(target.hostname, due.endpointId, () => this.#post(due, target))
      await failpoint('webhook.after-answer', due.kind)
      // The endpoint has to know before the next delivery has its turn.
      this.#learn(lease.destination, answer)
      return answer
    })
    return posted ?? { kind: 'returned' }
  }

  classify(sent: Sent, { tries }: DueDelivery): Verdict {
    const { clock, random } = this.#options
    return classify(sent, { tries: tries + 1, now: clock.now(), random })
  }

  settle({ due: { endpointId, attempts } }: Delivery<DueDelivery>, sent: Sent, verdict: Verdict): WebhookOutcome {
    if (sent.kind === 'returned' || verdict.kind === 'returned') return { kind: 'returned', afterMs: 0 }
    const attempt = attemptOf(attempts + 1, sent, verdict)
    return verdict.kind === 'again'
      ? { kind: 'again', endpointId, attempt, afterMs: verdict.afterMs }
      : { kind: verdict.kind, endpointId, attempt }
  }

  failed({ id }: Pick<Item, 'id'>, error: unknown): WebhookOutcome {
    this.#options.log.error({ err: error, delivery: id }, 'webhook delivery failed unexpectedly')
    return { kind: 'returned', afterMs: UNREADABLE_MS }
  }

  /** Events of one message are sent in the order in which they happened, as long as the endpoint takes them. */
  async #isNext({ earlier }: DueDelivery): Promise<boolean> {
    if (earlier.length === 0) return true
    const here = earlier.map((id) => this.#inHand.get(id))
    if (here.includes(undefined)) return false
    await Promise.allSettled(here)
    return true
  }

  #learn(endpoint: Destination, posted: Posted | undefined): void {
    const { clock, random } = this.#options
    if (posted === undefined) endpoint.suspend(CROWDED_MS * (0.5 + random()))
    else if (isAcknowledged(posted)) endpoint.succeeded()
    else endpoint.failed(Math.min(askedMs(posted, clock.now()) ?? 0, MAX_ASKED_PAUSE_MS))
  }

  async #post(due: DueDelivery, url: URL): Promise<Timed> {
    const { deliveries, poster, clock } = this.#options
    const body = Buffer.from(due.body)
    const at = clock.now()
    const plain = plainHeaders(due, due.attempts + 1, at)
    const secrets = await deliveries.signingSecrets(due.secretIds)
    const signed = { id: plain['webhook-id'], timestamp: Number(plain['webhook-timestamp']), body }
    const headers: ToldHeaders = { ...plain, ...signatureHeaders(secrets, signed) }
    return { ...(await poster.post({ url, headers: { ...requestHeaders, ...headers }, body })), at }
  }

  #shareOf(all: number): number {
    return Math.max(1, Math.floor(all / this.#options.processes()))
  }
}

const attemptOf = (number: number, posted: Timed, verdict: Exclude<Verdict, { kind: 'returned' }>): Attempt => ({
  number,
  at: new Date(posted.at).toISOString(),
  status: posted.kind === 'answered' ? posted.status : null,
  durationMs: Math.round(posted.ms),
  error: verdict.kind === 'delivered' ? null : verdict.error,
  // PostgreSQL stores every character except this one.
  answer: posted.kind === 'answered' ? posted.text.replaceAll('\0', '\uFFFD') : null,
})
