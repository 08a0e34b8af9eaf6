import type { Actor, Caller } from '../../core/caller.ts'
import type { WorkspaceId } from '../../core/ids.ts'
import { heldSending } from '../../dispatch/sending.ts'
import type { Database } from '../../storage/postgres.ts'
import type { Picture } from './picture.ts'
import { requireInstallation } from './power.ts'
import type { SendingView } from './schema.ts'
import { dueOf } from './store/picture.ts'

interface AllSendingOptions {
  db: Database
  picture: Picture
  /** Holds and resumes, and writes into the audit log who did it. */
  control: {
    hold(workspace: WorkspaceId, because: string, actor: Actor): Promise<boolean>
    resume(workspace: WorkspaceId, because: string | undefined, actor: Actor): Promise<boolean>
  }
}

/** Whether anything leaves the installation. */
export class AllSending {
  readonly #options: AllSendingOptions

  constructor(options: AllSendingOptions) {
    this.#options = options
  }

  async status(caller: Caller, withDue: boolean): Promise<SendingView> {
    if (withDue) await this.#options.picture.asOf()
    return this.#view(withDue ? caller : undefined)
  }

  /** Where it is held already the first words stay. */
  async hold(caller: Caller, actor: Actor, because: string): Promise<SendingView> {
    requireInstallation(caller)
    await this.#options.control.hold(caller.workspaceId, because, actor)
    return this.#view(caller)
  }

  async resume(caller: Caller, actor: Actor, because: string | undefined): Promise<SendingView> {
    requireInstallation(caller)
    await this.#options.control.resume(caller.workspaceId, because, actor)
    return this.#view(caller)
  }

  /** What is due as it was last counted: who stops everything in an emergency does not wait for numbers. */
  async #view(caller: Caller | undefined): Promise<SendingView> {
    const { db } = this.#options
    const [held, due] = await Promise.all([heldSending(db), caller === undefined ? null : dueOf(db.reads, caller)])
    return {
      held: held !== undefined,
      since: held?.since.toISOString() ?? null,
      because: held?.because ?? null,
      due,
    }
  }
}
