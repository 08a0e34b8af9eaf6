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

  async status(caller: Caller): Promise<SendingView> {
    const { db, picture } = this.#options
    await picture.asOf()
    const [held, due] = await Promise.all([heldSending(db), dueOf(db.reads, caller)])
    return {
      held: held !== undefined,
      since: held?.since.toISOString() ?? null,
      because: held?.because ?? null,
      due,
    }
  }

  /** Where it is held already the first words stay. */
  async hold(caller: Caller, actor: Actor, because: string): Promise<SendingView> {
    requireInstallation(caller)
    await this.#options.control.hold(caller.workspaceId, because, actor)
    return this.status(caller)
  }

  async resume(caller: Caller, actor: Actor, because: string | undefined): Promise<SendingView> {
    requireInstallation(caller)
    await this.#options.control.resume(caller.workspaceId, because, actor)
    return this.status(caller)
  }
}
