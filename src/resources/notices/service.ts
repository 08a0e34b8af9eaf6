import type { Caller, ProjectContext } from '../../core/caller.ts'
import { mayRead } from '../../core/may-read.ts'
import { onlyByIndex } from '../../storage/by-index.ts'
import type { Database } from '../../storage/postgres.ts'
import { kindNames, noticeKinds, type KindName, type NoticeKind } from './kinds.ts'
import { ask } from './questions.ts'
import type { NoticeFacts, NoticeList } from './schema.ts'
import { byWeight, noticeView } from './views.ts'

/** What people should look at: found anew whenever it is asked for, so what is over is gone. */
export class Notices {
  readonly #db: Database
  readonly #facts: NoticeFacts

  constructor(db: Database, facts: NoticeFacts) {
    this.#db = db
    this.#facts = facts
  }

  async list(caller: Caller, { id: projectId }: ProjectContext): Promise<NoticeList> {
    const { workspaceId } = caller
    const about = { workspaceId, projectId, isWorkspace: caller.projectIds === null, facts: this.#facts }
    const shown = kindNames.filter((kind) => isFor(caller, kind))
    const notices = await this.#db.transaction(async (tx) => {
      // Whatever was last counted, these questions must find their rows by their indexes.
      await tx.run(onlyByIndex)
      return Promise.all(shown.map(async (kind) => noticeView(kind, projectId, await ask(tx, kind, about))))
    })
    return { data: notices.filter((notice) => notice !== undefined).toSorted(byWeight) }
  }
}

function isFor(caller: Caller, kind: KindName): boolean {
  const { scope, isOfInstallation, isForPersons }: NoticeKind = noticeKinds[kind]
  if (isOfInstallation && caller.projectIds !== null) return false
  if (isForPersons && caller.type !== 'person') return false
  return mayRead(caller, scope)
}
