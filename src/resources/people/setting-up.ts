import { timingSafeEqual } from 'node:crypto'
import type { Visitor } from '../../core/caller.ts'
import { invalid, linkUsed } from '../../core/errors.ts'
import type { WorkspaceId } from '../../core/ids.ts'
import { hashToken, newSecretToken } from '../../core/secret-token.ts'
import type { Database } from '../../storage/postgres.ts'
import type { Sessions, StartedSession } from '../sessions/index.ts'
import type { Attempts } from './attempts.ts'
import { joinIn, readEmailAddress } from './new-person.ts'
import type { LinkMark } from './schema.ts'
import * as links from './store/links.ts'
import * as store from './store/people.ts'
import { rename } from './store/workspace.ts'
import type { ChosenWay, WaysIn } from './ways-in.ts'

/** A link to set up is good for so long; every start makes a new one until the workspace has an owner. */
const LINK_HOURS = 24

interface SettingUpOptions {
  db: Database
  workspace: () => Promise<WorkspaceId>
  sessions: Sessions
  attempts: Attempts
  waysIn: WaysIn
  publicUrl: string
  /** Typed instead of the link. */
  secret: string | undefined
}

export interface SetUp extends ChosenWay {
  token?: string
  secret?: string
  name: string
  email: string
  workspaceName?: string
}

/** The first owner proves with a link, or with the operator's secret, that the installation is theirs. */
export class SettingUp {
  readonly #options: SettingUpOptions

  constructor(options: SettingUpOptions) {
    this.#options = options
  }

  /** For the operator; undefined once the workspace has an owner. */
  newLink(workspaceId: WorkspaceId): Promise<string | undefined> {
    return newSetupLink(this.#options.db, workspaceId, this.#options.publicUrl)
  }

  async isDone(): Promise<boolean> {
    const { db, workspace } = this.#options
    return store.hasOtherOwner(db, await workspace(), null)
  }

  async setUp(visitor: Visitor, fields: SetUp): Promise<StartedSession> {
    const { db, attempts, waysIn, sessions } = this.#options
    const workspaceId = await this.#options.workspace()
    const email = readEmailAddress(fields.email)
    if ((fields.token === undefined) === (fields.secret === undefined)) {
      throw invalid([{ path: '/', message: 'needs either token or secret' }])
    }
    const attempt = await attempts.begin(visitor, null)
    if ((await this.isDone()) || !(await this.#isProven(fields))) throw linkUsed()
    await attempts.undo(attempt)
    const { password, passkey } = await waysIn.prepare(fields, { name: fields.name, email })
    return db.transaction(async (tx) => {
      await store.lock(tx, workspaceId)
      if (await store.hasOtherOwner(tx, workspaceId, null)) throw linkUsed()
      if (fields.token !== undefined && (await links.use(tx, 'setup', markOf(fields.token))) === undefined) {
        throw linkUsed()
      }
      if (fields.workspaceName !== undefined) await rename(tx, workspaceId, fields.workspaceName)
      const roles = { workspace: 'owner' as const, projects: [] }
      const person = { workspaceId, name: fields.name, email, emailVerified: false, password, passkey, roles }
      return joinIn(tx, sessions, visitor, person)
    })
  }

  async #isProven({ token, secret }: SetUp): Promise<boolean> {
    if (token !== undefined) return (await links.find(this.#options.db, 'setup', markOf(token))) !== undefined
    const expected = this.#options.secret
    return expected !== undefined && timingSafeEqual(hashToken(expected), hashToken(secret ?? ''))
  }
}

/** A new link replaces the earlier ones; undefined once the workspace has an owner. */
export const newSetupLink = (db: Database, workspaceId: WorkspaceId, publicUrl: string): Promise<string | undefined> =>
  db.transaction(async (tx) => {
    await store.lock(tx, workspaceId)
    if (await store.hasOtherOwner(tx, workspaceId, null)) return undefined
    const token = newSecretToken('ps_')
    const link = { ...markOf(token), kind: 'setup', workspaceId, personId: null, withoutSecondFactor: false } as const
    await links.replace(tx, link, LINK_HOURS)
    return `${publicUrl}/setup#${token}`
  })

const markOf = (token: string): LinkMark => ({ tokenHash: hashToken(token), emailId: null })
