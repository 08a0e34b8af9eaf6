import type { Actor } from '../core/caller.ts'
import type { WorkspaceId } from '../core/ids.ts'
import { countDue, heldSending, holdSending, resumeSending, type Held } from '../dispatch/sending.ts'
import { recordAudit, type AuditEntry } from '../events/audit.ts'
import type { Database, Tx } from '../storage/postgres.ts'

/** The tables of what leaves us, by the names that operators know it under. */
type Queues = Readonly<Record<'mails' | 'webhookDeliveries' | 'texts', string>>

const operator: Actor = { type: 'operator' }

/** What an operator sees of sending as a whole, and does about it. */
export class SendingSwitch {
  readonly #db: Database
  readonly #queues: Queues

  constructor(db: Database, queues: Queues) {
    this.#db = db
    this.#queues = queues
  }

  /** Whether anything leaves, and how much of each would leave now. */
  async status(): Promise<{ held: Held | undefined; waiting: Record<keyof Queues, number> }> {
    const [held, mails, webhookDeliveries, texts] = await Promise.all([
      heldSending(this.#db),
      countDue(this.#db, this.#queues.mails),
      countDue(this.#db, this.#queues.webhookDeliveries),
      countDue(this.#db, this.#queues.texts),
    ])
    return { held, waiting: { mails, webhookDeliveries, texts } }
  }

  /** False when it was held already. */
  hold(workspaceId: WorkspaceId, reason: string, actor: Actor = operator): Promise<boolean> {
    const entry = { workspaceId, action: 'sending.held', details: { reason } } as const
    return this.#audited(actor, entry, (tx) => holdSending(tx, reason))
  }

  /** False when it was on. */
  resume(workspaceId: WorkspaceId, reason?: string, actor: Actor = operator): Promise<boolean> {
    const details = reason === undefined ? {} : { reason }
    return this.#audited(actor, { workspaceId, action: 'sending.resumed', details }, resumeSending)
  }

  #audited(
    actor: Actor,
    entry: Pick<AuditEntry, 'workspaceId' | 'action' | 'details'>,
    change: (tx: Tx) => Promise<boolean>,
  ): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      const hasChanged = await change(tx)
      if (hasChanged) await recordAudit(tx, actor, { ...entry, projectId: null, subject: 'sending' })
      return hasChanged
    })
  }
}
