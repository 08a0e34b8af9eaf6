import type { Actor, Visitor } from '../../core/caller.ts'
import { DomainError, linkUsed, notFound, secondFactorRequired, wrongCredentials } from '../../core/errors.ts'
import { encodeId, type PersonId, type WorkspaceId } from '../../core/ids.ts'
import { hashToken, newSecretToken } from '../../core/secret-token.ts'
import { recordAudit } from '../../events/audit.ts'
import { jobKind } from '../../jobs/define.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import { deviceOf, type Sessions, type StartedSession } from '../sessions/index.ts'
import type { Attempts } from './attempts.ts'
import { isBound, powerIn, type ChangerOfPeople } from './power.ts'
import type { LinkMark, RecoveryLinkView } from './schema.ts'
import type { GivenCode, SecondFactor } from './second-factor.ts'
import * as store from './store/credentials.ts'
import * as links from './store/links.ts'
import { lock } from './store/people.ts'
import { find as findWorkspace } from './store/workspace.ts'
import { markOf, recoveryMail, type SystemMailer } from './system-mail.ts'
import { addPasskeyIn, type ChosenWay, type ReadyWay, type WaysIn } from './ways-in.ts'

const LINK_HOURS = 1
/** A person gets a second recovery mail only after so many minutes, however often a visitor asks for one. */
const MAIL_EVERY_MINUTES = 5

interface RecoveryOptions {
  db: Database
  workspace: () => Promise<WorkspaceId>
  sessions: Sessions
  attempts: Attempts
  waysIn: WaysIn
  secondFactor: SecondFactor
  publicUrl: string
  mailer: SystemMailer
}

export interface Recovered extends ChosenWay, GivenCode {
  token: string
}

/** A visitor asked for a link. The job looks the person up, so that the answer does not tell whether there is one. */
export const mailRecoveryLink = jobKind<{ email: string }>('people.mail-recovery-link', { attempts: 5 })

/** A way back for a person who cannot sign in. A link takes the place of the password, never of the second factor. */
export class Recovery {
  readonly #options: RecoveryOptions

  constructor(options: RecoveryOptions) {
    this.#options = options
  }

  async ask(visitor: Visitor, email: string): Promise<{ accepted: true }> {
    const { db, attempts } = this.#options
    await attempts.begin(visitor, null)
    await db.transaction((tx) => enqueue(tx, mailRecoveryLink, { email }, { key: email.toLowerCase() }))
    return { accepted: true }
  }

  /** Run by a worker. The link counts from when its mail is accepted; a job that failed before that may try again. */
  async mailLink(email: string, job: string): Promise<void> {
    const { db, mailer, workspace, publicUrl } = this.#options
    const workspaceId = await workspace()
    const person = await store.ofEmail(db, workspaceId, email)
    if (person === undefined || person.isDisabled) return
    if (!(await links.mayMail(db, workspaceId, person.id, job, MAIL_EVERY_MINUTES))) return
    const { name } = await findWorkspace(db.reads, workspaceId)
    const emailId = await mailer.send(workspaceId, recoveryMail(person.email, name, `${publicUrl}/recover`))
    if (emailId === undefined) return
    await db.transaction((tx) => replaceIn(tx, person, { tokenHash: null, emailId, withoutSecondFactor: false }))
  }

  /** For the operator, who hands it over. */
  linkFor(actor: Actor, workspaceId: WorkspaceId, email: string, withoutSecondFactor: boolean): Promise<string> {
    return this.#options.db.transaction(async (tx) => {
      const person = await store.ofEmail(tx, workspaceId, email)
      if (person === undefined) throw notFound('person')
      return (await this.#newLinkIn(tx, actor, person, withoutSecondFactor)).link
    })
  }

  /**
   * For an owner, who hands it over. The holder of the link can become the person, so only owners make one, and it
   * ends when its maker loses their role.
   */
  linkByOwner(changer: ChangerOfPeople, actor: Actor, id: PersonId): Promise<RecoveryLinkView> {
    const { workspaceId } = changer
    if (isBound(changer)) throw notFound('person')
    return this.#options.db.transaction(async (tx) => {
      await lock(tx, workspaceId)
      const power = await powerIn(tx, changer)
      const person = await store.locked(tx, workspaceId, id)
      if (person === undefined) throw notFound('person')
      if (power !== 'owner') throw ownersOnly()
      return this.#newLinkIn(tx, actor, person, false)
    })
  }

  async finish(visitor: Visitor, { token, totp, recoveryCode, ...chosen }: Recovered): Promise<StartedSession> {
    const { db, attempts, waysIn } = this.#options
    const { person, link } = await this.#read(token)
    const code = { ...(totp === undefined ? {} : { totp }), ...(recoveryCode === undefined ? {} : { recoveryCode }) }
    const needsCode = person.hasTotp && !link.withoutSecondFactor
    if (needsCode && totp === undefined && recoveryCode === undefined)
      throw secondFactorRequired(['totp', 'recoveryCode'])
    const way = await waysIn.prepare(chosen, person)
    const attempt = needsCode ? await attempts.begin(visitor, `confirm ${person.id}`) : undefined
    return db.transaction(async (tx) => {
      const started = await this.#finishIn(tx, visitor, person, this.#markOf(token), way, code)
      if (attempt !== undefined) await attempts.succeededIn(tx, attempt)
      return started
    })
  }

  async #finishIn(
    tx: Tx,
    visitor: Visitor,
    { id: personId, workspaceId }: store.Credentials,
    mark: LinkMark,
    { password, passkey }: ReadyWay,
    code: GivenCode,
  ): Promise<StartedSession> {
    const { sessions, secondFactor } = this.#options
    // The person comes before the link, so that two who follow two links of one person wait for each other.
    const person = await store.locked(tx, workspaceId, personId)
    const link = await links.use(tx, 'recovery', mark)
    if (!link || !person || person.isDisabled) throw linkUsed()
    await links.endThoseFor(tx, workspaceId, personId)
    const actor: Actor = { type: 'person', personId, sessionId: null, requestId: visitor.requestId }
    const audited = { workspaceId, projectId: null, subject: encodeId('per', personId) }
    if (person.hasTotp && link.withoutSecondFactor) {
      await store.disableTotp(tx, workspaceId, personId)
      await recordAudit(tx, actor, { ...audited, action: 'totp.disabled' })
    } else if (person.hasTotp && !(await secondFactor.useIn(tx, person, code, actor))) throw wrongCredentials()
    if (password !== null) {
      await store.setPassword(tx, workspaceId, personId, password)
      await recordAudit(tx, actor, { ...audited, action: 'password.changed' })
    }
    if (passkey !== null) await addPasskeyIn(tx, { actor, personId, workspaceId }, deviceOf(visitor.userAgent), passkey)
    if (link.wasMailed) await store.markVerified(tx, workspaceId, personId)
    await sessions.endAllIn(tx, actor, personId)
    return sessions.startIn(tx, person, visitor)
  }

  async #newLinkIn(
    tx: Tx,
    actor: Actor,
    person: store.Credentials,
    withoutSecondFactor: boolean,
  ): Promise<RecoveryLinkView> {
    if (person.isDisabled) throw isDisabled()
    const token = newSecretToken('pr_')
    const { expiresAt } = await replaceIn(tx, person, {
      tokenHash: hashToken(token),
      emailId: null,
      withoutSecondFactor,
      ...(actor.type === 'person' ? { madeBy: actor.personId } : {}),
    })
    const { workspaceId } = person
    const subject = encodeId('per', person.id)
    const details = { withoutSecondFactor }
    await recordAudit(tx, actor, { workspaceId, projectId: null, action: 'person.reset', subject, details })
    return { link: `${this.#options.publicUrl}/recover#${token}`, expiresAt: expiresAt.toISOString() }
  }

  async #read(token: string): Promise<{ person: store.Credentials; link: links.Link }> {
    const { db } = this.#options
    const link = await links.find(db, 'recovery', this.#markOf(token))
    const person = link?.personId && (await store.ofPerson(db, link.workspaceId, link.personId))
    if (!link || !person || person.isDisabled) throw linkUsed()
    return { person, link }
  }

  #markOf(token: string): LinkMark {
    return markOf(this.#options.mailer, 'recovery', token)
  }
}

const replaceIn = (
  tx: Tx,
  { id, workspaceId }: store.Credentials,
  link: Omit<links.NewLink, 'kind' | 'workspaceId' | 'personId'>,
): Promise<{ expiresAt: Date }> =>
  links.replace(tx, { ...link, kind: 'recovery', workspaceId, personId: id }, LINK_HOURS)

const ownersOnly = (): DomainError =>
  new DomainError('insufficient_scope', 'Only an owner can make a link by which a person gets back in: ask one.')

const isDisabled = (): DomainError =>
  new DomainError('invalid_state', 'This person is disabled, and no link lets them in: enable them first.', {
    state: 'disabled',
  })
