import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeId, type PersonId } from '../../src/core/ids.ts'
import { projectRoles, roles, type Role } from '../../src/core/roles.ts'
import { patiently, type Reply } from '../support/client.ts'
import { PeopleModel, type Command, type Held, type Outcome } from '../support/people-model.ts'
import {
  acceptWithPasskey,
  newWorkspace,
  signIn,
  signInAgain,
  type Browser,
  type OwnWorkspace,
} from '../support/people.ts'
import { seedFor } from '../support/seed.ts'
import { tenants, type Tenant } from '../support/world.ts'

const tenant = tenants()

const SEQUENCES = 5_000
/** So many sequences happen to the same people, one after the other: each begins where another has led. */
const IN_ONE_STORY = 10

/** Numbers are counted round: there are as many people and invitations as the sequence has made by then. */
type Plan = readonly [by: number, about: number, kind: Command['kind'], roles: Held, change: number]

const held: fc.Arbitrary<Held> = fc.record({
  role: fc.option(fc.constantFrom(...roles), { freq: 4 }),
  projects: fc.dictionary(fc.constantFrom('0', '1'), fc.constantFrom(...projectRoles), { maxKeys: 2 }),
})

const kinds: fc.Arbitrary<Command['kind']> = fc.oneof(
  ...(
    [
      [5, 'change'],
      [3, 'invite'],
      [2, 'accept'],
      [2, 'remove'],
      [4, 'sign in'],
      [1, 'renew'],
      [1, 'withdraw'],
      [1, 'sign out'],
      [2, 'recover'],
    ] as const
  ).map(([weight, kind]) => ({ weight, arbitrary: fc.constant(kind) })),
)

const sequence: fc.Arbitrary<Plan[]> = fc.array(fc.tuple(fc.nat(), fc.nat(), kinds, held, fc.nat(4)), {
  minLength: 1,
  maxLength: 4,
})

test('nobody gets a role above their own, nobody acts on old rights, and there is always an owner: as a model has it', async () => {
  const here = await tenant()
  const seed = seedFor('people')
  const sequences = fc.sample(sequence, { seed, numRuns: SEQUENCES })
  const outcomes: Record<string, number> = {}
  for (let i = 0; i < sequences.length; i += IN_ONE_STORY) {
    const story = await Story.begin(here)
    const told = [`seed ${seed}, from sequence ${i} on`]
    for (const plan of sequences.slice(i, i + IN_ONE_STORY).flat()) {
      const command = story.commandOf(plan)
      if (command === undefined) continue
      const expected = story.model.run(command)
      told.push(`${JSON.stringify(command)} → ${expected.join(' ')}`)
      expect(await story.run(command), told.join('\n')).toEqual(expected)
      expect(story.model.owners().length, told.join('\n')).toBeGreaterThan(0)
      const outcome = `${command.kind}: ${expected.join(' ')}`
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    }
    await story.expectAsModelled(told.join('\n'))
  }
  for (const outcome of mustHappen) expect(outcomes[outcome], JSON.stringify(outcomes, null, 1)).toBeGreaterThan(0)
}, 1_200_000)

/** Sequences that never come here prove nothing about it. */
const mustHappen = [
  'invite: 201',
  'invite: 403 insufficient_scope',
  'invite: 409 already_exists',
  'accept: 201',
  'accept: 410 link_used',
  'change: 200',
  'change: 401 unauthorized',
  'change: 403 insufficient_scope',
  'change: 409 invalid_state',
  'remove: 200',
  'remove: 409 invalid_state',
  'renew: 201',
  'withdraw: 200',
  'sign out: 200',
  'recover: 201',
  'recover: 403 person_required',
]

/** A workspace of its own with an owner, an admin and somebody who may only look, and all who come later. */
class Story {
  readonly model = new PeopleModel()
  readonly #here: Tenant
  readonly #workspace: OwnWorkspace
  readonly #people: { id: string; personId: PersonId; client: Browser }[] = []
  readonly #invitations: { id: string; link: string; oldLink?: string }[] = []

  private constructor(here: Tenant, workspace: OwnWorkspace) {
    this.#here = here
    this.#workspace = workspace
  }

  static async begin(here: Tenant): Promise<Story> {
    const story = new Story(here, await newWorkspace(here))
    for (const role of ['owner', 'admin', 'viewer'] as const) await story.#join(role)
    return story
  }

  async #join(role: Role): Promise<void> {
    const email = `${role}${this.#people.length}@example.com`
    this.#people.push(await signIn(this.#here, { role, workspace: this.#workspace.id, email }))
    this.model.join(email, { role, projects: {} })
  }

  /** Undefined where it is about something that is not there yet. */
  commandOf([byNumber, number, kind, roles, change]: Plan): Command | undefined {
    const { people, invitations } = this.model
    const turn = byNumber % (people.length + 1)
    const by = turn === people.length ? null : turn
    const who = number % people.length
    const invitation = number % Math.max(1, invitations.length)
    switch (kind) {
      case 'invite':
        return { kind, by, email: `${['new', 'other', 'owner0', 'viewer2'][number % 4]}@example.com`, roles }
      case 'renew':
      case 'withdraw':
        return invitations.length === 0 ? undefined : { kind, by, invitation }
      case 'accept': {
        const isOldLink = change === 0 && this.#invitations[invitation]?.oldLink !== undefined
        return invitations.length === 0 ? undefined : { kind, invitation, isOldLink }
      }
      case 'change': {
        const { role, projects } = roles
        const fields = [{ role }, { role, projects }, { projects }, { disabled: true }, { disabled: false }][change]!
        return { kind, by, who, fields }
      }
      case 'sign in': {
        const { isSignedIn, isDisabled, isRemoved } = people[who]!
        return isSignedIn || isDisabled || isRemoved ? undefined : { kind, who }
      }
      default:
        return { kind, by, who }
    }
  }

  async run(command: Command): Promise<Outcome> {
    if (command.kind === 'sign in') {
      const person = this.#people[command.who]!
      person.client = await signInAgain(this.#here, person.personId, this.#workspace.workspaceId)
      return [200]
    }
    const reply = command.kind === 'accept' ? await this.#accept(command) : await patiently(() => this.#send(command))
    return reply.status < 300 ? [reply.status] : [reply.status, String(reply.body['code'])]
  }

  async #send(command: Exclude<Command, { kind: 'accept' | 'sign in' }>): Promise<Reply> {
    const by = command.by === null ? this.#workspace.key : this.#people[command.by]!.client
    switch (command.kind) {
      case 'invite': {
        const { email, roles } = command
        const reply = await by.post<{ id: string; link: string }>('people/invitations', { email, ...this.#wire(roles) })
        if (reply.status === 201) this.#invitations.push(reply.body)
        return reply as Reply
      }
      case 'renew': {
        const invitation = this.#invitations[command.invitation]!
        const reply = await by.post<{ link: string }>(`people/invitations/${invitation.id}/renew`)
        if (reply.status === 201) Object.assign(invitation, { oldLink: invitation.link, link: reply.body.link })
        return reply as Reply
      }
      case 'withdraw':
        return by.delete(`people/invitations/${this.#invitations[command.invitation]!.id}`)
      case 'change': {
        const { disabled, ...roles } = command.fields
        const fields = { ...this.#wire(roles), ...(disabled === undefined ? {} : { disabled }) }
        return by.patch(`people/${this.#people[command.who]!.id}`, fields)
      }
      case 'remove':
        return by.delete(`people/${this.#people[command.who]!.id}`)
      case 'sign out':
        return by.delete(`people/${this.#people[command.who]!.id}/sessions`)
      case 'recover':
        return by.post(`people/${this.#people[command.who]!.id}/recovery`)
    }
  }

  async #accept({ invitation, isOldLink }: Command & { kind: 'accept' }): Promise<Reply> {
    const { link, oldLink } = this.#invitations[invitation]!
    const { browser, reply } = await acceptWithPasskey(this.#here, isOldLink ? oldLink! : link)
    if (reply.status === 201) {
      const { id } = reply.body.person
      this.#people.push({ id, personId: decodeId('per', id)!, client: browser })
    }
    return reply as unknown as Reply
  }

  #wire({ role, projects }: Partial<Held>): Record<string, unknown> {
    const ids = this.#workspace.projects
    const each = projects && Object.entries(projects).map(([n, given]) => ({ projectId: ids[Number(n)], role: given }))
    return { ...(role === undefined ? {} : { role }), ...(each === undefined ? {} : { projects: each }) }
  }

  async expectAsModelled(context: string): Promise<void> {
    const { people, invitations } = this.model
    const { key } = this.#workspace
    const { data } = (await key.get<{ data: Record<string, unknown>[] }>('people?limit=100')).body
    expect(data, context).toHaveLength(people.filter(({ isRemoved }) => !isRemoved).length)
    const shown = new Map(data.map((person) => [person['id'], person]))
    for (const [i, member] of people.entries()) {
      const { id, client } = this.#people[i]!
      const { email, role, projects } = member
      const status = member.isDisabled ? 'disabled' : 'active'
      if (member.isRemoved) expect(shown.get(id), context).toBeUndefined()
      else expect(shown.get(id), context).toMatchObject({ email, status, ...this.#wire({ role, projects }) })
      const session = await client.get('/session')
      expect(session.status, `${context}\nthe session of ${i}`).toBe(member.isSignedIn ? 200 : 401)
    }
    const open = (await key.get<{ data: { id: string }[] }>('people/invitations?limit=100')).body.data
    const modelled = this.#invitations.filter((_, i) => invitations[i]!.isOpen)
    expect(open.map(({ id }) => id).toSorted(), context).toEqual(modelled.map(({ id }) => id).toSorted())
  }
}
