/** Takes a due recipient to an outcome: composes the message, sends it on its route, reads the reply. */
import type { Clock } from '../../core/clock.ts'
import type { Dialogue } from '../../core/dialogue.ts'
import { DomainError, type Problem } from '../../core/errors.ts'
import { failpoint } from '../../core/failpoint.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Log } from '../../core/log.ts'
import type { Item, Lease, Queue } from '../../dispatch/queue.ts'
import { domainOf } from '../../mail/address.ts'
import { providerOf } from '../../mail/replies/providers.ts'
import { recipientRefOf, type Deliveries, type Delivered, type DueDelivery } from '../../resources/emails/index.ts'
import { TemplatePostponed } from '../../resources/templates/index.ts'
import { dialogueOf } from '../../smtp/client/transcript.ts'
import { inSteps, type Delivery, type Steps } from '../steps.ts'
import { backoffFor, expiryMs, retryDelayMs } from './backoff-rules.ts'
import { classify, type Outcome } from './classify.ts'
import type { Messages } from './message.ts'
import { answerOf, type ReplyTally } from './reply-tally.ts'
import type { Routing } from './routing.ts'
import { SenderHolds } from './sender-holds.ts'
import { dispatchLimits } from './sites.ts'
import { heldBack, type Sent } from './transports/transport.ts'
import { withoutSecret } from './without-secret.ts'

export interface MailDelivererOptions {
  deliveries: Deliveries
  messages: Messages
  routing: Routing
  log: Log
  clock: Clock
  random: () => number
  /** Whether an error means that the database is away. */
  isOutage: (error: unknown) => boolean
  /** Hears of every attempt, for the metrics. */
  attempted?: (attempt: Attempted) => void
  /** Whether somebody paused a site for the mail of a project. */
  isPaused: (project: ProjectId, site: string) => Promise<boolean>
  /** Counts what was answered. */
  tally?: ReplyTally
  /** Delivers in a process where a crash affects no other mail; undefined if it crashed. */
  alone?: (item: Item, lease: Lease) => Promise<Delivered | undefined>
}

export interface Attempted {
  /** Of the server; undefined for one that belongs to no known provider. */
  provider: string | undefined
  outcome: Outcome['kind']
  /** Since the mail was accepted, or since the time at which it was to be sent. */
  seconds: number
}

/** A mail that was being delivered during so many crashes is delivered apart from all others. */
const SUSPECT_CRASHES = 2

/** The first is for transactional mail, the second for broadcasts, the third for whatever was tried before. */
const lanes = [
  { lane: 0, share: 0.5, kept: 0.2 },
  { lane: 1, share: 0.3, kept: 0.1 },
  { lane: 2, share: 0.2, kept: 0.1 },
]

/** A row that could not be loaded is left alone for so long. */
const UNREADABLE_MS = 30_000

/** Mail that has to wait for other templates of its project is tried again after so long at the latest. */
const MAX_POSTPONED_MS = 5 * 60_000

/** Mail that failed because the database was away is tried again after so long, and no attempt is counted. */
const OUTAGE_MS = 1_000

/**
 * A recipient who is suppressed, or whose project is paused, must not be mailed a second later. The claim asks for many
 * at once, at a fraction of what a query for each before its dot would cost; only when a server is slow is it asked
 * again.
 */
const PERMISSION_MS = 500

/** Before a message that may have left is sent once more. */
const UNKNOWN_MS = 60_000

export class MailDeliverer implements Steps<DueDelivery, Sent, Outcome, Delivered> {
  readonly #options: MailDelivererOptions
  readonly #holds: SenderHolds

  constructor(options: MailDelivererOptions) {
    this.#options = options
    this.#holds = new SenderHolds(options.clock)
  }

  /** The queue for dispatch. */
  queue(): Queue<Delivered> {
    const { deliveries } = this.#options
    const { handle, failed } = inSteps(this)
    return {
      table: deliveries.table,
      lanes,
      limits: dispatchLimits,
      mayBegin: deliveries.mayBegin,
      whenDue: deliveries.whenDue,
      beginsAtClaim: true,
      handle: (item, lease) =>
        item.crashes < SUSPECT_CRASHES ? handle(item, lease) : this.#alone(item, lease, handle),
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

  /** Only what is known here is asked: the database gives its permission while the message is composed. */
  async permit(delivery: Delivery<DueDelivery>): Promise<Delivered | undefined> {
    const { item, due } = delivery
    const waitMs = this.#holds.waitMs(item.destination, senderOf(due))
    if (waitMs <= 0) return undefined
    const held = heldBack(item.destination, waitMs)
    return this.settle(delivery, held, this.classify(held))
  }

  async send(delivery: Delivery<DueDelivery>): Promise<Sent> {
    const { item, due, lease } = delivery
    const { messages, routing } = this.#options
    const to = due.addresses.recipients[due.position]?.email ?? ''
    await failpoint('send.compose', to)
    const [message, isAllowed] = await Promise.all([messages.compose(due), mayLeave(lease)])
    if (!isAllowed) return { result: { kind: 'withheld' }, peer: undefined, milliseconds: 0 }
    // Its destination is part of the permission; a site that is found out on the way is not.
    const elsewhere = { site: item.destination }
    const isPausedElsewhere = async (): Promise<boolean> =>
      elsewhere.site !== item.destination &&
      // What is not known counts as paused: the mail goes back, and its destination is asked for with the next claim.
      this.#options.isPaused(due.projectId, elsewhere.site).catch(() => true)
    const token = tokenOf(message.returnPath)
    const answered = await routing.choose(to).send({
      from: message.returnPath,
      to,
      size: message.size,
      eightBit: message.eightBit,
      attempts: due.attempts,
      isUrgent: due.contactId === null,
      admit: async (site) => {
        elsewhere.site = site
        return (await isPausedElsewhere()) ? 'paused' : this.#holds.admit(site, senderOf(due))
      },
      content: message.content,
      beforeDot: async () => {
        if (!(await mayLeave(lease)) || (await isPausedElsewhere())) return false
        await lease.recordMayLeave()
        await failpoint('send.before-dot', to)
        return lease.holds()
      },
      signal: lease.signal,
    })
    // Whoever knows the token of the return path can report the mail as bounced.
    const sent = { ...answered, result: withoutSecret(answered.result, token) }
    await failpoint('send.after-reply', item.id)
    if (sent.result.kind === 'accepted') lease.destination.succeeded()
    this.#options.tally?.add(due.projectId, sent.site ?? item.destination, sent)
    const dialogue = () => dialogueOf(sent.transcripts ?? [], token)
    return { ...sent, heldMs: this.#backOff(delivery, sent), dialogue }
  }

  classify(sent: Sent): Outcome {
    return classify(sent)
  }

  settle({ item, due }: Delivery<DueDelivery>, sent: Sent, outcome: Outcome): Delivered {
    this.#options.attempted?.({
      provider: providerOf(sent.peer?.host ?? sent.site ?? item.destination),
      outcome: outcome.kind,
      // Both times are the database's; what the attempt took is ours.
      seconds: Math.max(0, due.now.getTime() - due.date.getTime() + sent.milliseconds) / 1_000,
    })
    const recipient = recipientRefOf(due)
    const where = sent.site === undefined || sent.site === item.destination ? {} : { destination: sent.site }
    switch (outcome.kind) {
      case 'delivered':
      case 'bounced':
      case 'filteredspam':
      case 'quarantined':
      case 'failed':
      case 'suppressed': {
        const { kind: state, detail } = outcome
        const complaint = 'complaint' in outcome ? { complaint: 'The recipient called it spam (simulated).' } : {}
        const said = state === 'delivered' && !due.isTraced ? {} : dialogueIn(sent)
        return { kind: 'finished', state, detail, smtp: smtpDetail(sent), recipient, ...complaint, ...where, ...said }
      }
      case 'deferred': {
        const { heldMs = 0 } = sent
        const askedMs = heldMs > 0 ? Math.max(heldMs, outcome.askedMs ?? 0) : outcome.askedMs
        return this.#later(due, outcome.detail, askedMs, { smtp: smtpDetail(sent), ...where, ...dialogueIn(sent) })
      }
      case 'returned':
        // Mail of a domain that stays unwanted is given up at last.
        if (sent.isHeld && isExpired(due)) return this.#later(due, outcome.detail, undefined, where)
        return { kind: 'returned', afterMs: outcome.afterMs ?? 0, recipient, ...where }
      case 'withheld':
        return { kind: 'withheld', recipient, ...where }
    }
  }

  failed({ id }: Pick<Item, 'id'>, error: unknown, due?: DueDelivery): Delivered {
    const { log, isOutage } = this.#options
    const recipient = due && recipientRefOf(due)
    if (isOutage(error)) return { kind: 'returned', afterMs: OUTAGE_MS, recipient }
    if (due === undefined) {
      log.error({ err: error, delivery: id }, 'delivery not loaded')
      return { kind: 'returned', afterMs: UNREADABLE_MS, recipient }
    }
    if (error instanceof TemplatePostponed) return this.#postponed(due, error)
    if (error instanceof DomainError && error.code === 'template_error') return templateFailed(due, error)
    // The others go on, and this one is tried again until it is too old.
    log.error({ err: error, delivery: id }, 'delivery attempt failed unexpectedly')
    return this.#later(due, 'The message could not be processed on our side.')
  }

  async #alone(item: Item, lease: Lease, handle: Queue<Delivered>['handle']): Promise<Delivered> {
    const { alone, deliveries, log } = this.#options
    const outcome = alone ? await alone(item, lease) : await handle(item, lease)
    if (outcome !== undefined) return outcome
    // We ended it ourselves, and its message may have left.
    if (lease.signal.aborted) return { kind: 'returned', afterMs: UNKNOWN_MS, recipient: undefined }
    const [due] = await deliveries.load([item.id])
    log.error(
      { delivery: item.id, crashes: item.crashes + 1 },
      'message set aside: it crashed every worker that sent it',
    )
    const detail = `Set aside: processing it failed ${item.crashes + 1} times in a way that endangers other mail.`
    return { kind: 'finished', state: 'failed', detail, recipient: due && recipientRefOf(due) }
  }

  /**
   * Applies what the attempt means for other mail, and answers for how long mail of this sender is now held back there.
   */
  #backOff({ item, due, lease }: Delivery<DueDelivery>, sent: Sent): number {
    if (sent.isHeld) return 0
    const site = sent.site ?? item.destination
    const backoff = backoffFor(site, sent)
    if (backoff?.kind === 'suspend' || backoff?.kind === 'restrict') {
      // The site is meant that was found out on the way, and the row's destination, from which the next rows are taken.
      for (const one of new Set([lease.destination, lease.destinationNamed(site)])) {
        if (backoff.kind === 'suspend') one.suspend(backoff.ms)
        else one.restrict(backoff.limits, backoff.ms)
        const { code, enhanced, text, stage, host } = answerOf(sent) ?? {}
        if (text !== undefined) one.note({ code, enhanced, text, stage, host, at: this.#options.clock.now() })
      }
    }
    const domain = senderOf(due)
    if (backoff?.kind !== 'hold') {
      if (sent.result.kind === 'accepted' || sent.result.kind === 'refused') this.#holds.answered(site, domain)
      return 0
    }
    this.#holds.hold(site, domain, backoff.ms)
    this.#options.log.warn({ site, domain, ms: backoff.ms, smtp: smtpDetail(sent) }, 'sender domain held back')
    return backoff.ms
  }

  /** The mail was not tried: its project has many templates at work, or this one had to be ended a moment ago. */
  #postponed(due: DueDelivery, { message, afterMs }: TemplatePostponed): Delivered {
    const later = this.#later(due, message)
    if (later.kind !== 'deferred') return later
    // The times are spread, or each mail would find the others before it again.
    const spread = 0.5 + this.#options.random()
    return {
      kind: 'returned',
      afterMs: Math.min(MAX_POSTPONED_MS, Math.max(1_000, afterMs) * spread),
      recipient: later.recipient,
    }
  }

  #later(
    due: DueDelivery,
    detail: string,
    askedMs?: number,
    more: Pick<Delivered & { kind: 'deferred' }, 'smtp' | 'destination' | 'dialogue'> = {},
  ): Delivered {
    const recipient = recipientRefOf(due)
    if (isExpired(due)) {
      const days = due.contactId === null ? 'two' : 'three'
      return {
        kind: 'finished',
        state: 'failed',
        detail: `Given up after ${days} days. Last: ${detail}`,
        recipient,
        ...more,
      }
    }
    const afterMs = retryDelayMs(due.attempts + 1, this.#options.random, askedMs)
    return { kind: 'deferred', afterMs, detail, recipient, isRepeated: due.attempts > 0, ...more }
  }
}

const mayLeave = async (lease: Lease): Promise<boolean> => (await lease.confirm(PERMISSION_MS)) === 'allowed'

const senderOf = (due: DueDelivery): string => domainOf(due.addresses.from.email)

/** Whether it has had its time. Workers could not try it while it was held. */
const isExpired = ({ now, date, heldSeconds, contactId }: DueDelivery): boolean =>
  now.getTime() - date.getTime() - heldSeconds * 1_000 >=
  (contactId === null ? expiryMs.transactional : expiryMs.broadcast)

/** The template would fail again the next time, and its recipient is not to blame. */
function templateFailed(due: DueDelivery, { message, extra }: DomainError): Delivered {
  const { details: [first] = [] } = extra as { details?: readonly Problem[] }
  const where = first === undefined ? '' : ` (${first.path.slice(1)}, ${first.message})`
  const detail = `The template could not be filled in for this recipient: ${message}${where}`
  return { kind: 'finished', state: 'failed', detail, recipient: recipientRefOf(due) }
}

const tokenOf = (returnPath: string): string =>
  returnPath.slice(returnPath.indexOf('+') + 1, returnPath.lastIndexOf('@'))

function dialogueIn({ dialogue }: Sent): { dialogue?: Dialogue } {
  const said = dialogue?.()
  return said === undefined ? {} : { dialogue: said }
}

function smtpDetail({ result, peer, milliseconds }: Sent) {
  const reply = 'reply' in result ? result.reply : undefined
  return {
    ...(reply && { code: reply.code, ...(reply.enhanced && { enhanced: reply.enhanced }) }),
    ...('stage' in result && { stage: result.stage }),
    ...(peer && { host: peer.host, address: peer.address }),
    ...(peer?.source && { source: peer.source }),
    ...(peer?.tls && { tls: peer.tls }),
    ms: Math.round(milliseconds),
  }
}
