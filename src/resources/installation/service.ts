import type { Actor, Caller } from '../../core/caller.ts'
import { DomainError } from '../../core/errors.ts'
import type { FileContent } from '../../core/file-content.ts'
import { encodeId, type ReceivedId } from '../../core/ids.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Database } from '../../storage/postgres.ts'
import type { OperatorMailbox } from '../receiving/index.ts'
import type { BackupNotedView, InstallationView, OperatorMailList } from './schema.ts'
import * as store from './store/read.ts'
import { installationView, type InstallationFacts } from './views.ts'

/** So many of the newest mails to the operator are listed. */
const MAX_MAILS = 100

/** What runs here and how it is, for those who look after all of it. Nothing is looked at while they wait. */
export class Installation {
  readonly #db: Database
  readonly #facts: InstallationFacts
  readonly #mailbox: OperatorMailbox

  constructor(db: Database, facts: InstallationFacts, mailbox: OperatorMailbox) {
    this.#db = db
    this.#facts = facts
    this.#mailbox = mailbox
  }

  async read(caller: Caller): Promise<InstallationView> {
    requireWorkspace(caller)
    const { reads } = this.#db
    const [row, nodes, hosts] = await Promise.all([store.find(reads), store.nodes(reads), store.hosts(reads)])
    return installationView(this.#facts, row, nodes, hosts)
  }

  /** Whether the master key really is somewhere else is for a person to know. */
  noteBackup(caller: Caller, actor: Actor): Promise<BackupNotedView> {
    requireWorkspace(caller)
    if (actor.type !== 'person') throw new DomainError('person_required', 'Only a signed-in person can say this.')
    const { workspaceId } = caller
    return this.#db.transaction(async (tx) => {
      const { notedAt } = await store.noteBackup(tx, actor.personId)
      const entry = { workspaceId, projectId: null, subject: encodeId('acc', workspaceId) }
      await recordAudit(tx, actor, { ...entry, action: 'installation.backup_noted' })
      return { notedAt: notedAt.toISOString() }
    })
  }

  async operatorMail(caller: Caller): Promise<OperatorMailList> {
    requireWorkspace(caller)
    const mails = await this.#mailbox.list(MAX_MAILS)
    return {
      data: mails.map((mail) => ({ ...mail, id: encodeId('rcv', mail.id), receivedAt: mail.receivedAt.toISOString() })),
    }
  }

  async operatorMessage(caller: Caller, id: ReceivedId): Promise<FileContent> {
    requireWorkspace(caller)
    const content = await this.#mailbox.raw(id)
    return { type: 'message/rfc822', filename: `${encodeId('rcv', id)}.eml`, content }
  }
}

/** Machines and addresses are nothing that a project owns: a role or a key in one project does not show them. */
function requireWorkspace({ projectIds }: Caller): void {
  if (projectIds === null) return
  throw new DomainError(
    'project_not_allowed',
    'The installation belongs to the whole workspace: use a workspace key, or ask an admin of the workspace.',
  )
}
