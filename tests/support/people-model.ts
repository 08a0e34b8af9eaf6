/** What may become of people, told a second time: without a database and without HTTP. */
import type { Role } from '../../src/core/roles.ts'

/** In the workspace, and in projects by their number. */
export interface Held {
  role: Role | null
  projects: Readonly<Record<number, Role>>
}

export interface Member extends Held {
  email: string
  isDisabled: boolean
  isRemoved: boolean
  isSignedIn: boolean
}

export interface Invited extends Held {
  email: string
  /** Who invited; null is the key. */
  by: number | null
  isOpen: boolean
}

/** People and invitations go by their number, in the order in which they came; `by` is null for the workspace key. */
export type Command =
  | { kind: 'invite'; by: number | null; email: string; roles: Held }
  | { kind: 'renew' | 'withdraw'; by: number | null; invitation: number }
  | { kind: 'accept'; invitation: number; isOldLink: boolean }
  | { kind: 'change'; by: number | null; who: number; fields: Partial<Held> & { disabled?: boolean } }
  | { kind: 'remove' | 'sign out' | 'recover'; by: number | null; who: number }
  | { kind: 'sign in'; who: number }

/** A status, and the code of a refusal. */
export type Outcome = readonly [status: number, code?: string]

const signedOut: Outcome = [401, 'unauthorized']
const notAllowed: Outcome = [403, 'insufficient_scope']
const notFound: Outcome = [404, 'not_found']
const nobodyLeft: Outcome = [409, 'invalid_state']

const order: readonly Role[] = ['owner', 'admin', 'developer', 'marketer', 'author', 'viewer']

const rolesIn = ({ role, projects }: Held): Role[] => [...(role === null ? [] : [role]), ...Object.values(projects)]

const isWider = (held: Held, power: Role): boolean =>
  rolesIn(held).some((role) => order.indexOf(role) < order.indexOf(power))

const isSame = (a: Held, b: Held): boolean =>
  JSON.stringify([a.role, a.projects]) === JSON.stringify([b.role, b.projects])

export class PeopleModel {
  readonly people: Member[] = []
  readonly invitations: Invited[] = []

  join(email: string, { role, projects }: Held): void {
    this.people.push({ email, role, projects, isDisabled: false, isRemoved: false, isSignedIn: true })
  }

  /** Those who own the workspace and can sign in. */
  owners(): Member[] {
    return this.people.filter(({ role, isDisabled, isRemoved }) => role === 'owner' && !isDisabled && !isRemoved)
  }

  /** What has to be answered; what is answered with yes has happened. */
  run(command: Command): Outcome {
    switch (command.kind) {
      case 'accept':
        return this.#accept(command.invitation, command.isOldLink)
      case 'sign in':
        this.people[command.who]!.isSignedIn = true
        return [200]
      case 'recover':
        if (command.by === null) return [403, 'person_required']
    }
    const power = this.#powerOf(command.by)
    if (typeof power !== 'string') return power
    switch (command.kind) {
      case 'invite':
        return this.#invite(power, command)
      case 'renew':
      case 'withdraw':
        return this.#changeInvitation(power, command.invitation, command.kind === 'renew')
      case 'change':
        return this.#change(power, command.who, command.fields)
      case 'remove':
        return this.#remove(power, command.who)
      case 'sign out':
        return this.#signOut(power, command.who)
      case 'recover':
        return this.#recover(power, this.people[command.who]!)
    }
  }

  /** A key acts like an admin. */
  #powerOf(by: number | null): Role | Outcome {
    if (by === null) return 'admin'
    const { role, isSignedIn } = this.people[by]!
    if (!isSignedIn) return signedOut
    return role === 'owner' || role === 'admin' ? role : notAllowed
  }

  #invite(power: Role, { by, email, roles }: Command & { kind: 'invite' }): Outcome {
    if (rolesIn(roles).length === 0) return [400, 'validation_error']
    if (isWider(roles, power)) return notAllowed
    if (this.people.some((person) => !person.isRemoved && person.email === email)) return [409, 'already_exists']
    const before = this.invitations.filter((invitation) => invitation.isOpen && invitation.email === email)
    if (before.some((invitation) => isWider(invitation, power))) return notAllowed
    for (const invitation of before) invitation.isOpen = false
    this.invitations.push({ ...roles, email, by, isOpen: true })
    return [201]
  }

  #changeInvitation(power: Role, number: number, isRenewal: boolean): Outcome {
    const invitation = this.invitations[number]!
    if (!invitation.isOpen) return notFound
    if (isWider(invitation, power)) return notAllowed
    if (!isRenewal) invitation.isOpen = false
    return isRenewal ? [201] : [200]
  }

  #accept(number: number, isOldLink: boolean): Outcome {
    const invitation = this.invitations[number]!
    if (!invitation.isOpen || isOldLink) return [410, 'link_used']
    invitation.isOpen = false
    this.join(invitation.email, invitation)
    return [201]
  }

  #change(power: Role, number: number, { disabled, ...roles }: Partial<Held> & { disabled?: boolean }): Outcome {
    const person = this.people[number]!
    if (person.isRemoved) return notFound
    if (isWider(person, power)) return notAllowed
    const next: Held = { role: person.role, projects: person.projects, ...roles }
    if (rolesIn(next).length === 0) return [400, 'validation_error']
    if (isWider(next, power)) return notAllowed
    const staysOwner = next.role === 'owner' && !(disabled ?? person.isDisabled)
    if (!staysOwner && this.#isLastOwner(person)) return nobodyLeft
    if (!isSame(person, next)) this.#shutOut(number)
    if (disabled === true && !person.isDisabled) this.#shutOut(number)
    Object.assign(person, next, { isDisabled: disabled ?? person.isDisabled })
    return [200]
  }

  #remove(power: Role, number: number): Outcome {
    const person = this.people[number]!
    if (person.isRemoved) return notFound
    if (isWider(person, power)) return notAllowed
    if (this.#isLastOwner(person)) return nobodyLeft
    this.#shutOut(number)
    person.isRemoved = true
    return [200]
  }

  #signOut(power: Role, number: number): Outcome {
    const person = this.people[number]!
    if (person.isRemoved) return notFound
    if (isWider(person, power)) return notAllowed
    person.isSignedIn = false
    return [200]
  }

  #recover(power: Role, { isRemoved, isDisabled }: Member): Outcome {
    if (isRemoved) return notFound
    if (power !== 'owner') return notAllowed
    return isDisabled ? [409, 'invalid_state'] : [201]
  }

  #isLastOwner(person: Member): boolean {
    const owners = this.owners()
    return owners.length === 1 && owners[0] === person
  }

  /** Sessions and invitations of a person end with the roles that they were made with. */
  #shutOut(number: number): void {
    this.people[number]!.isSignedIn = false
    for (const invitation of this.invitations) if (invitation.by === number) invitation.isOpen = false
  }
}
