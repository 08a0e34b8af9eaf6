import type { Services } from '../app/compose.ts'
import { DomainError } from '../core/errors.ts'
import { encodeId, type WorkspaceId } from '../core/ids.ts'
import { roles, type Role } from '../core/roles.ts'
import { json, onlyOperand, UsageError, type Command, type Input } from './command.ts'
import { inWorkspace, table } from './workspace.ts'

const actor = { type: 'operator' } as const
const changer = (workspaceId: WorkspaceId) => ({ type: 'operator', workspaceId }) as const

const project = {
  type: 'string',
  value: '<id>',
  help: 'In this project only; in the whole workspace if omitted.',
} as const

/** The command shows at most this many people; the API has all. */
const everybody = { limit: 1_000, after: null }

const list: Command = {
  name: 'people list',
  summary: 'List the people of the workspace.',
  options: { json },
  async run(input, terminal) {
    const { data } = await inWorkspace(terminal, ({ people }, workspaceId) =>
      people.all.list(changer(workspaceId), {}, everybody),
    )
    const rows = data.map(({ id, email, role, projects, status, name }) => [
      id,
      email,
      role ?? projects.map((held) => `${held.role} in ${held.projectId}`).join(', '),
      status,
      name,
    ])
    terminal.out(
      input.flag('json') ? JSON.stringify(data) : table([['ID', 'EMAIL', 'ROLE', 'STATUS', 'NAME'], ...rows]),
    )
  },
}

const invite: Command = {
  name: 'people invite',
  summary: 'Invite a person, and print the link that they join with.',
  operands: '<email>',
  options: { role: { type: 'string', value: '<role>', help: `One of ${roles.join(', ')}.` }, project, json },
  more: 'The link is good once, for seven days. It is mailed too where SYSTEM_SENDER is set.',
  async run(input, terminal) {
    const email = onlyOperand(input, 'address')
    const role = roleIn(input.text('role') ?? '')
    const projectId = input.text('project')
    const fields = projectId === undefined ? { email, role } : { email, projects: [{ projectId, role: below(role) }] }
    const { checked } = await import('../app/operator.ts')
    const invitation = await inWorkspace(terminal, (services, workspaceId) =>
      services.people.invitations.create(changer(workspaceId), actor, checked(services, '/people/invitations', fields)),
    )
    const { link, mailed } = invitation
    const mail = mailed ? 'It was mailed, too.' : 'It was not mailed: hand it over.'
    terminal.out(input.flag('json') ? JSON.stringify(invitation) : `${link}\n\nGood once, for seven days. ${mail}`)
  },
}

const reset: Command = {
  name: 'people reset',
  summary: 'Print a link with which a person chooses a new password or passkey.',
  operands: '<email>',
  options: {
    'without-second-factor': {
      type: 'boolean',
      help: 'Remove their authenticator: it is lost, with its recovery codes.',
    },
    json,
  },
  more: 'The link is good once, for an hour. Their passkeys stay; everywhere else they are signed out when it is used.',
  async run(input, terminal) {
    const email = onlyOperand(input, 'address')
    const link = await inWorkspace(terminal, ({ people }, workspaceId) =>
      people.recovery.linkFor(actor, workspaceId, email, input.flag('without-second-factor')),
    )
    terminal.out(input.flag('json') ? JSON.stringify({ link }) : `${link}\n\nGood once, for an hour.`)
  },
}

/** A command that changes one person and says in a sentence what is so now. */
const change = (
  command: Pick<Command, 'name' | 'summary' | 'more'> & { operands: string; options?: Command['options'] },
  fieldsOf: (input: Input, person: Person) => Fields,
  sentence: string,
): Command => ({
  ...command,
  options: { ...command.options, json },
  async run(input, terminal) {
    const [email] = input.operands
    if (email === undefined || input.operands.length !== command.operands.split(' ').length) {
      throw new UsageError(`Write: posthouse ${command.name} ${command.operands}`)
    }
    const changed = await inWorkspace(terminal, async ({ people }, workspaceId) => {
      const person = await people.all.readByEmail(workspaceId, email)
      return people.all.change(changer(workspaceId), actor, person.id, fieldsOf(input, person))
    })
    terminal.out(input.flag('json') ? JSON.stringify(changed) : `${changed.email} ${sentence}`)
  },
})

type Person = Awaited<ReturnType<Services['people']['all']['readByEmail']>>
type Fields = Parameters<Services['people']['all']['change']>[3]

const role = change(
  {
    name: 'people role',
    summary: 'Give a person another role.',
    operands: '<email> <role>',
    options: { project },
    more: `Roles: ${roles.join(', ')}; "none" takes the role away.`,
  },
  (input, person) => {
    const [, given = ''] = input.operands
    const wanted = given === 'none' ? null : roleIn(given)
    const projectId = input.text('project')
    if (projectId === undefined) return { role: wanted }
    const others = person.roles.projects
      .map((held) => ({ projectId: encodeId('prj', held.projectId), role: below(held.role) }))
      .filter((held) => held.projectId !== projectId)
    return { projects: wanted === null ? others : [...others, { projectId, role: below(wanted) }] }
  },
  'has another role now, and is signed out everywhere.',
)

const disable = change(
  {
    name: 'people disable',
    summary: 'Keep a person out, until "people enable".',
    operands: '<email>',
  },
  () => ({ disabled: true }),
  'is disabled, and signed out everywhere.',
)

const enable = change(
  { name: 'people enable', summary: 'Let a person in again who was disabled.', operands: '<email>' },
  () => ({ disabled: false }),
  'can sign in again.',
)

const signOut: Command = {
  name: 'people sign-out',
  summary: 'Sign one person out everywhere, or all people.',
  operands: '[<email>]',
  options: { all: { type: 'boolean', help: 'Sign all people out.' }, json },
  async run(input, terminal) {
    if (input.flag('all') === input.operands.length > 0) throw new UsageError('Name one address, or say --all.')
    const ended = await inWorkspace(terminal, ({ people, sessions }, workspaceId) =>
      input.flag('all')
        ? sessions.endEverybodys(actor, workspaceId)
        : people.all
            .readByEmail(workspaceId, onlyOperand(input, 'address'))
            .then(({ id }) => people.all.signOut(changer(workspaceId), actor, id)),
    )
    terminal.out(input.flag('json') ? JSON.stringify({ ended }) : `Sessions ended: ${ended}.`)
  },
}

const setup: Command = {
  name: 'people setup',
  summary: 'Print the link with which the first owner sets the workspace up.',
  options: { json },
  more: 'The link is good once, for 24 hours, until the workspace has an owner. It replaces earlier links.',
  async run(input, terminal) {
    const link = await inWorkspace(terminal, ({ people }, workspaceId) => people.settingUp.newLink(workspaceId))
    if (link === undefined) {
      throw new DomainError('invalid_state', 'The workspace has an owner already: see "posthouse people list".')
    }
    terminal.out(input.flag('json') ? JSON.stringify({ link }) : `${link}\n\nGood once, for 24 hours.`)
  },
}

function roleIn(text: string): Role {
  const found = roles.find((each) => each === text)
  if (found === undefined) throw new UsageError(`Say which role: ${roles.join(', ')}.`)
  return found
}

/** In a single project there is no owner. */
function below(wanted: Role): Exclude<Role, 'owner'> {
  if (wanted === 'owner') throw new UsageError('Only the workspace has owners: leave --project out.')
  return wanted
}

export const peopleCommands: readonly Command[] = [list, invite, reset, role, disable, enable, signOut, setup]
