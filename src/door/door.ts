import type { Session, Visitor } from '../core/caller.ts'
import { DomainError } from '../core/errors.ts'
import { encodeId } from '../core/ids.ts'
import type { PageRequest } from '../core/page.ts'
import { hashToken } from '../core/secret-token.ts'
import { signedOut } from '../http/authenticate.ts'
import type { Persons } from '../http/persons.ts'
import { Answer } from '../http/route.ts'
import type { PeopleServices } from '../resources/people/index.ts'
import type { Sessions, StartedSession } from '../resources/sessions/index.ts'
import { dropCookie, keepCookie } from './cookies.ts'
import type { Installation, SignedInView } from './schema.ts'

export interface DoorOptions {
  people: PeopleServices
  sessions: Sessions
  persons: Pick<Persons, 'identify' | 'publicUrl'>
  installation: Installation
}

/** Makes answers of what the services say: who is signed in, and the cookie that proves it. */
export class Door {
  readonly #options: DoorOptions

  constructor(options: DoorOptions) {
    this.#options = options
  }

  /** The person who is signed in, or where a visitor who is not should begin. */
  async whoIs({ tokenHash }: Visitor): Promise<SignedInView> {
    const { persons, people } = this.#options
    const session = tokenHash && (await persons.identify(tokenHash, undefined))
    if (session !== undefined) return this.describe(session)
    const setUp = await people.settingUp.isDone()
    const sentence = setUp ? 'You are not signed in.' : 'This workspace has no owner yet: set it up first.'
    const { publicUrl } = persons
    throw new DomainError('unauthorized', sentence, { setUp, ways: ['passkey', 'password'], publicUrl })
  }

  /** Describes a session that has just begun, and hands its cookie over. */
  async letIn(status: 200 | 201, started: StartedSession): Promise<Answer<SignedInView>> {
    const session = await this.#options.persons.identify(hashToken(started.token), undefined)
    if (session === undefined) throw signedOut()
    return this.withCookie(status, await this.describe(session), started)
  }

  async confirmed(started: StartedSession): Promise<Answer<{ confirmedUntil: string }>> {
    const { confirmedUntil } = await this.#options.sessions.times(started.sessionId)
    return this.withCookie(200, { confirmedUntil: confirmedUntil.toISOString() }, started)
  }

  withCookie<Body>(status: 200 | 201, body: Body, { token }: StartedSession): Answer<Body> {
    const { persons, sessions } = this.#options
    return new Answer(status, body, keepCookie(persons.publicUrl, token, sessions.limits.days))
  }

  /** The browser forgets the cookie, and what it kept of our pages. */
  async signOut(visitor: Visitor): Promise<Answer<{ signedOut: true }>> {
    const { sessions, persons } = this.#options
    await sessions.signOut(visitor)
    const headers = { ...dropCookie(persons.publicUrl), 'clear-site-data': '"cache", "storage"' }
    return new Answer(200, { signedOut: true }, headers)
  }

  async sessionsOf({ workspaceId, personId, sessionId }: Session, request: PageRequest) {
    const { data, ...rest } = await this.#options.sessions.list(workspaceId, personId, request)
    const current = encodeId('ses', sessionId)
    return { data: data.map((session) => ({ ...session, current: session.id === current })), ...rest }
  }

  async describe(session: Session): Promise<SignedInView> {
    const { people, installation } = this.#options
    const described = await people.descriptions.session(session)
    return { ...described, installation } as SignedInView
  }
}
