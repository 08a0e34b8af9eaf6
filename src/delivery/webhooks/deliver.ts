/** Takes a due delivery to an outcome: posts it to its endpoint and judges the answer. */
import type { Clock } from '../../core/clock.ts'
import { failpoint } from '../../core/failpoint.ts'
import { encodeId } from '../../core/ids.ts'
import type { Log } from '../../core/log.ts'
import { Flow } from '../../dispatch/flow.ts'
import type { Item, Lease, Queue } from '../../dispatch/queue.ts'
import type { Posted, Poster } from '../../net/post.ts'
import type { Attempt, DueDelivery, Told, ToldHeaders, WebhookDeliveries } from '../../resources/webhooks/index.ts'
import { inSteps, type Delivery, type Steps } from '../steps.ts'
import { Breaker } from './breaker.ts'
import { askedMs, classify, isAcknowledged, type Sent, type Verdict } from './classify.ts'
import { Hosts } from './hosts.ts'
import { signatureHeaders } from './signatures.ts'
import { Turns } from './turns.ts'

export interface WebhookDelivererOptions {
  deliveries: WebhookDeliveries
  poster: Poster
  log: Log
  clock: Clock
  /** For pauses; never set back. */
  steady: Clock
  random: () => number
  /** How many processes share the endpoints. */
  processes: () => number
}

/** What is told for the first time, and what is not. */
const lanes = [
  { lane: 0, share: 0.7, kept: 0.3 },
  { lane: 1, share: 0.3, kept: 0.1 },
]

/** To one endpoint at a time; more would be rude, and most receivers are quick. */
const REQUESTS_AT_ONCE = 16
/** To all endpoints at one host together. */
const REQUESTS_TO_HOST = 64
/** When an endpoint is asked again whose host had no place for it; half as long again or half as short. */
const CROWDED_MS = 500
/** In hand for one endpoint that has shown nothing yet, and for one that takes what it gets. */
const IN_HAND = 8
const MAX_IN_HAND = 400

/** Until an earlier event of the same message, which is in the hands of another process, has been told. */
const AFTER_YOU_MS = 100
/** What could not be processed is left alone for so long. */
const UNREADABLE_MS = 30_000
/** An endpoint that asks for silence gets it for so long; then one delivery asks again. */
const MAX_SILENCE_MS = 3_600_000

export class WebhookDeliverer implements Steps<DueDelivery, Sent, Verdict, Told> {
  readonly #options: WebhookDelivererOptions
  readonly #flow: Flow
  readonly #turns: Turns
  readonly #hosts: Hosts
  readonly #breaker: Breaker
  readonly #inHand = new Map<string, Promise<unknown>>()

  constructor(options: WebhookDelivererOptions) {
    this.#options = options
    this.#flow = new Flow(options.steady)
    this.#breaker = new Breaker(options.steady)
    this.#turns = new Turns(() => this.#shareOf(REQUESTS_AT_ONCE))
    this.#hosts = new Hosts(() => this.#shareOf(REQUESTS_TO_HOST))
  }

  /** The queue as dispatch works it off. Its rows never begin: to be told twice does no harm, so a crash costs no wait. */
  queue(): Queue<Told> {
    const { deliveries } = this.#options
    const { handle, failed } = inSteps(this)
    return {
      table: deliveries.table,
      lanes,
      limits: (endpoint) => ({
        concurrency: Math.min(MAX_IN_HAND, this.#shareOf(IN_HAND) + this.#flow.recent(endpoint)),
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

  async permit({ due }: Delivery<DueDelivery>): Promise<Told | undefined> {
    if (due.url === null || !due.isEnabled) return { kind: 'dropped' }
    return (await this.#isNext(due)) ? undefined : { kind: 'returned', afterMs: AFTER_YOU_MS }
  }

  send({ due, lease }: Delivery<DueDelivery>): Promise<Sent> {
    return this.#turns.take(due.endpointId, async () => {
      if (this.#breaker.isOpen(due.endpointId) || !lease.holds()) return { kind: 'returned' }
      const target = new URL(due.url ?? '')
      const posted = await this.#hosts.take(target.hostname, due.endpointId, () => this.#post(due, target))
      if (posted === undefined) {
        lease.suspend(CROWDED_MS * (0.5 + this.#options.random()))
        return { kind: 'returned' }
      }
      await failpoint('tell.after-answer', due.kind)
      // Before the next one has its turn.
      this.#learn(due.endpointId, posted, lease)
      return posted
    })
  }

  classify(sent: Sent, { tries }: DueDelivery): Verdict {
    const { clock, random } = this.#options
    return classify(sent, { tries: tries + 1, now: clock.now(), random })
  }

  settle({ due: { endpointId, attempts } }: Delivery<DueDelivery>, sent: Sent, verdict: Verdict): Told {
    if (sent.kind === 'returned' || verdict.kind === 'returned') return { kind: 'returned', afterMs: 0 }
    const attempt = attemptOf(attempts + 1, this.#options.clock.now(), sent, verdict)
    return verdict.kind === 'again'
      ? { kind: 'again', endpointId, attempt, afterMs: verdict.afterMs }
      : { kind: verdict.kind, endpointId, attempt }
  }

  failed({ id }: Pick<Item, 'id'>, error: unknown): Told {
    this.#options.log.error({ err: error, delivery: id }, 'webhook delivery failed unexpectedly')
    return { kind: 'returned', afterMs: UNREADABLE_MS }
  }

  /** Events of one message are told in the order in which they happened, as long as the endpoint takes them. */
  async #isNext({ earlier }: DueDelivery): Promise<boolean> {
    if (earlier.length === 0) return true
    const here = earlier.map((id) => this.#inHand.get(id))
    if (here.includes(undefined)) return false
    await Promise.allSettled(here)
    return true
  }

  #learn(endpointId: string, posted: Posted, lease: Lease): void {
    if (isAcknowledged(posted)) {
      this.#breaker.succeeded(endpointId)
      this.#flow.taken(endpointId)
      return
    }
    const silence = Math.min(askedMs(posted, this.#options.clock.now()) ?? 0, MAX_SILENCE_MS)
    const pauseMs = this.#breaker.failed(endpointId, silence)
    if (pauseMs > 0) lease.suspend(pauseMs)
  }

  async #post(due: DueDelivery, url: URL): Promise<Posted> {
    const { deliveries, poster, clock } = this.#options
    const body = Buffer.from(due.body)
    const signed = { id: encodeId('evt', due.eventId), timestamp: Math.floor(clock.now() / 1_000), body }
    const secrets = await deliveries.signingSecrets(due.secretIds)
    const headers: ToldHeaders = {
      'x-service-event': due.kind,
      'x-service-delivery': encodeId('whd', due.id),
      'x-service-attempt': String(due.attempts + 1),
      ...signatureHeaders(secrets, signed),
    }
    const ours = { 'content-type': 'application/json', 'user-agent': 'Posthouse-Webhooks' }
    return poster.post({ url, headers: { ...ours, ...headers }, body })
  }

  #shareOf(all: number): number {
    return Math.max(1, Math.floor(all / this.#options.processes()))
  }
}

const attemptOf = (
  number: number,
  now: number,
  posted: Posted,
  verdict: Exclude<Verdict, { kind: 'returned' }>,
): Attempt => ({
  number,
  at: new Date(now - posted.ms).toISOString(),
  status: posted.kind === 'answered' ? posted.status : null,
  durationMs: Math.round(posted.ms),
  error: verdict.kind === 'delivered' ? null : verdict.error,
  // PostgreSQL stores every character but this one.
  answer: posted.kind === 'answered' ? posted.text.replaceAll('\0', '\uFFFD') : null,
})
