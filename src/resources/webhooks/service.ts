import type { Actor, ProjectContext } from '../../core/caller.ts'
import { parseOptionalTimestamp, type Clock } from '../../core/clock.ts'
import { DomainError, invalid, notFound, tooMany } from '../../core/errors.ts'
import { encodeId, newId, type ProjectId, type WebhookDeliveryId, type WebhookId } from '../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { auditOf } from '../../events/audit.ts'
import type { EventKind } from '../../events/kinds.ts'
import { payloadAround } from '../../events/payload.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { Database, Db, Tx } from '../../storage/postgres.ts'
import { oneByOne } from '../../storage/one-by-one.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { healthOf } from './health.ts'
import { messageOf } from './message-ids.ts'
import { replay, type Replay } from './replay.ts'
import type {
  CreateWebhook,
  Delivery,
  DeliveryDetail,
  DeliveryView,
  ListDeliveries,
  ReplayDeliveries,
  ReplayStarted,
  SigningSecretView,
  TestWebhook,
  UpdateWebhook,
  Webhook,
  WebhookView,
  WebhookWithHealth,
  WebhookWithSecret,
} from './schema.ts'
import { deliveryDetail, deliveryView, signingSecretView, webhookView } from './views.ts'
import { standardKinds } from './kinds.ts'
import { newSecret, placeOfSecret } from './secrets.ts'
import * as deliveries from './store/deliveries.ts'
import * as endpoints from './store/endpoints.ts'
import { checkUrl, type UrlRules } from './url.ts'

export interface WebhooksOptions {
  db: Database
  secrets: () => Secrets
  urls: UrlRules
  /** How many endpoints a project may have. */
  mostEndpoints: number
  clock: Clock
  /** An address that nobody has, for test events. */
  testRecipient: string
  /** Told when there is something to send. */
  onQueued: () => void
}

/** How long the secret that was replaced goes on signing. */
const OVERLAP_HOURS = 24
/** Of the simulator: nobody has it. */
const TEST_NUMBER = '+12025550100'
/** In one statement. */
const REPLAYED_AT_ONCE = 1_000

/**
 * Endpoints are enabled, or disabled by their owner or by us (then with a reason). Deliveries are pending until they
 * are delivered, failed for good, or dropped because the endpoint was disabled; a replay makes them pending again.
 */
export class Webhooks {
  readonly #options: WebhooksOptions
  readonly #db: Database

  constructor(options: WebhooksOptions) {
    this.#options = options
    this.#db = options.db
  }

  async list(project: ProjectContext, request: PageRequest): Promise<Page<WebhookView>> {
    return page(await endpoints.list(this.#db.reads, project.id, request), request, webhookView)
  }

  async read(project: ProjectContext, id: WebhookId): Promise<WebhookWithHealth> {
    const webhook = await findIn(this.#db.reads, project.id, id)
    return { ...webhookView(webhook), health: await healthOf(this.#db, project.id, id) }
  }

  async create(project: ProjectContext, actor: Actor, fields: CreateWebhook): Promise<WebhookWithSecret> {
    const { enabled = true, events = standardKinds, description = null } = fields
    mustBeInvited(project, events)
    const url = await this.#checked(fields.url)
    const id = newId<'whk'>()
    return oneByOne(this.#db, `webhook endpoints ${project.id}`, async (tx) => {
      const webhook = await endpoints.insert(tx, { id, projectId: project.id, url, enabled, events, description })
      await this.#admit(tx, project.id)
      const secret = await this.#newSecret(tx, id)
      await audit(tx, project, actor, 'webhook.created', id, { url, events })
      return { ...webhookView(webhook), secret }
    })
  }

  async update(project: ProjectContext, actor: Actor, id: WebhookId, change: UpdateWebhook): Promise<WebhookView> {
    await findIn(this.#db, project.id, id)
    mustBeInvited(project, change.events ?? [])
    const url = change.url === undefined ? {} : { url: await this.#checked(change.url) }
    return this.#db.transaction(async (tx) => {
      const webhook = await endpoints.update(tx, project.id, id, { ...change, ...url })
      if (webhook === undefined) throw notFound('webhook endpoint')
      if (!webhook.enabled) await deliveries.drop(tx, [id])
      await audit(tx, project, actor, 'webhook.updated', id, { ...change, ...url })
      return webhookView(webhook)
    })
  }

  remove(project: ProjectContext, actor: Actor, id: WebhookId): Promise<{ id: string; deleted: true }> {
    return this.#db.transaction(async (tx) => {
      const removed = await endpoints.remove(tx, project.id, id)
      if (removed === undefined) throw notFound('webhook endpoint')
      await deliveries.forget(tx, project.id, id)
      await audit(tx, project, actor, 'webhook.deleted', id, removed)
      return { id: encodeId('whk', id), deleted: true }
    })
  }

  rotateSecret(project: ProjectContext, actor: Actor, id: WebhookId): Promise<WebhookWithSecret> {
    return this.#db.transaction(async (tx) => {
      const webhook = await endpoints.lock(tx, project.id, id)
      if (webhook === undefined) throw notFound('webhook endpoint')
      const secret = await this.#newSecret(tx, id)
      await audit(tx, project, actor, 'webhook.secret_rotated', id, {})
      return { ...webhookView(webhook), secret }
    })
  }

  /** For a person who has lost the secret: no key sees it, and the log says who saw it. */
  showSecret(project: ProjectContext, actor: Actor, id: WebhookId): Promise<SigningSecretView> {
    return this.#db.transaction(async (tx) => {
      await findIn(tx, project.id, id)
      const [newest, ...replaced] = await endpoints.secretsOf(tx, project.id, id)
      if (newest === undefined) throw notFound('webhook endpoint')
      await audit(tx, project, actor, 'webhook.secret_shown', id, {})
      const secret = this.#options.secrets().open(placeOfSecret(newest.id), newest.secret).toString('utf8')
      return signingSecretView(secret, newest, replaced)
    })
  }

  /** An event that never happened, sent as all others are. */
  async test(project: ProjectContext, id: WebhookId, { type }: TestWebhook = {}): Promise<DeliveryView> {
    const webhook = await findIn(this.#db, project.id, id)
    mustBeEnabled(webhook)
    const kind = type ?? webhook.events[0] ?? 'email.delivered'
    mustBeInvited(project, [kind])
    const messageId = newId<'em'>()
    const isSms = kind.startsWith('sms.')
    const { before, after } = payloadAround({
      kind,
      workspaceId: project.workspaceId,
      messageId,
      recipient: isSms ? TEST_NUMBER : this.#options.testRecipient,
      detail: 'A test event; no such message exists.',
      sms: isSms ? { fields: { projectId: encodeId('prj', project.id), mode: 'test' } } : undefined,
    })
    const body = `${before}${new Date(this.#options.clock.now()).toISOString()}${after}`
    const delivery = { id: newId<'whd'>(), eventId: newId<'evt'>(), kind, messageId, body }
    const view = await this.#db.transaction(async (tx) => {
      await deliveries.insert(tx, { ...delivery, projectId: project.id, endpointId: id })
      return deliveryView(await findDelivery(tx, project.id, id, delivery.id))
    })
    this.#options.onQueued()
    return view
  }

  async listDeliveries(
    project: ProjectContext,
    id: WebhookId,
    { status, type, messageId, createdAfter, createdBefore }: ListDeliveries,
    request: PageRequest,
  ): Promise<Page<DeliveryView>> {
    await findIn(this.#db.reads, project.id, id)
    const filter = {
      status,
      kind: type,
      message: messageId === undefined ? undefined : messageOf(messageId),
      createdAfter: parseOptionalTimestamp(createdAfter, '/query/createdAfter'),
      createdBefore: parseOptionalTimestamp(createdBefore, '/query/createdBefore'),
    }
    return page(await deliveries.list(this.#db.reads, project.id, id, filter, request), request, deliveryView)
  }

  async readDelivery(project: ProjectContext, id: WebhookId, deliveryId: WebhookDeliveryId): Promise<DeliveryDetail> {
    await findIn(this.#db.reads, project.id, id)
    return deliveryDetail(await findDelivery(this.#db.reads, project.id, id, deliveryId))
  }

  /** Now, whatever became of it before. One that is being sent in this moment goes on as it is. */
  async replayOne(
    project: ProjectContext,
    actor: Actor,
    id: WebhookId,
    deliveryId: WebhookDeliveryId,
  ): Promise<DeliveryView> {
    const view = await this.#db.transaction(async (tx) => {
      const webhook = await findIn(tx, project.id, id)
      await findDelivery(tx, project.id, id, deliveryId)
      mustBeEnabled(webhook)
      if (!(await deliveries.replayOne(tx, id, deliveryId))) await deliveries.hurry(tx, id, deliveryId)
      await audit(tx, project, actor, 'webhook.replayed', id, { delivery: encodeId('whd', deliveryId) })
      return deliveryView(await findDelivery(tx, project.id, id, deliveryId))
    })
    this.#options.onQueued()
    return view
  }

  /** Many of them, in the background. */
  async replayMany(
    project: ProjectContext,
    actor: Actor,
    id: WebhookId,
    { status = 'failed', createdAfter, createdBefore }: ReplayDeliveries = {},
  ): Promise<ReplayStarted> {
    const choice = {
      projectId: project.id,
      endpointId: id,
      which: status,
      createdAfter: parseOptionalTimestamp(createdAfter, '/createdAfter')?.toISOString() ?? null,
      createdBefore: parseOptionalTimestamp(createdBefore, '/createdBefore')?.toISOString() ?? null,
    }
    return this.#db.transaction(async (tx) => {
      mustBeEnabled(await findIn(tx, project.id, id))
      const { deliveries: count, endedBy } = await deliveries.count(tx, choice)
      await enqueue(tx, replay, { choice, endedBy })
      await audit(tx, project, actor, 'webhook.replayed', id, { status, createdAfter, createdBefore })
      return { id: encodeId('whk', id), deliveries: count }
    })
  }

  async replayChosen({ choice, endedBy }: Replay, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted()
      const count = await deliveries.replaySome(this.#db, choice, endedBy, REPLAYED_AT_ONCE)
      this.#options.onQueued()
      if (count < REPLAYED_AT_ONCE) return
    }
  }

  /** What was to be told of SMS, of a project that no longer takes part. Whatever is being told in this moment is. */
  async dropSms(tx: Tx, project: ProjectId): Promise<void> {
    await deliveries.dropSms(tx, project)
  }

  async forgetOld(days: number): Promise<void> {
    await deliveries.keepLog(this.#db, days)
    await endpoints.forgetOldSecrets(this.#db)
  }

  /** The one that was just added may be one too many. */
  async #admit(tx: Tx, project: ProjectId): Promise<void> {
    const { mostEndpoints } = this.#options
    const { count } = await endpoints.count(tx, project)
    if (count > mostEndpoints) {
      throw tooMany('webhookEndpoints', 'The project', 'webhook endpoints', mostEndpoints, count - 1)
    }
  }

  async #checked(text: string): Promise<string> {
    const url = await checkUrl(text, this.#options.urls)
    if (!url.ok) throw invalid([{ path: '/url', message: url.problem }])
    return url.value
  }

  async #newSecret(tx: Tx, endpoint: WebhookId): Promise<string> {
    const secret = newSecret()
    const id = newId<'whk'>()
    const sealed = this.#options.secrets().seal(placeOfSecret(id), secret)
    await endpoints.addSecret(tx, endpoint, { id, secret: sealed }, OVERLAP_HOURS)
    return secret
  }
}

async function findIn(db: Db, project: ProjectId, id: WebhookId): Promise<Webhook> {
  const webhook = await endpoints.find(db, project, id)
  if (webhook === undefined) throw notFound('webhook endpoint')
  return webhook
}

async function findDelivery(db: Db, project: ProjectId, endpoint: WebhookId, id: WebhookDeliveryId): Promise<Delivery> {
  const delivery = await deliveries.find(db, project, endpoint, id)
  if (delivery === undefined) throw notFound('webhook delivery')
  return delivery
}

/** Events of SMS exist only for projects that take part in the beta. */
function mustBeInvited({ smsInvited }: ProjectContext, kinds: readonly EventKind[]): void {
  if (smsInvited || !kinds.some((kind) => kind.startsWith('sms.'))) return
  throw new DomainError('sms_not_invited', 'The project does not take part in the SMS beta.')
}

function mustBeEnabled({ enabled }: Webhook): void {
  if (enabled) return
  throw new DomainError(
    'invalid_state',
    'The endpoint is disabled. Enable it first, with PATCH and {"enabled": true}.',
    { state: 'disabled' },
  )
}

const audit = auditOf('whk')
