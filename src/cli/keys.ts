import { decodeId, type KeyId } from '../core/ids.ts'
import { contentAccesses, scopes as allScopes, type ContentAccess, type Scope } from '../core/scopes.ts'
import type { PageRequest } from '../core/page.ts'
import { json, onlyOperand, UsageError, type Command, type Input } from './command.ts'
import { inWorkspace, table } from './workspace.ts'

/** The command shows at most this many keys; the API has all. */
const everything: PageRequest = { limit: 1_000, after: null }

const create: Command = {
  name: 'keys create',
  summary: 'Make an API key and print its secret, this once.',
  options: {
    workspace: { type: 'boolean', help: 'A key for the whole workspace.' },
    project: { type: 'string', value: '<id>', help: 'A key bound to this project.' },
    scopes: { type: 'string', value: '<list>', help: 'Scopes separated by commas; full access if omitted.' },
    content: {
      type: 'string',
      value: '<all|own|none>',
      help: 'Of which emails it sees the content: all (usual), those that it sent itself, or none.',
    },
    name: { type: 'string', value: '<name>', help: 'What the key is for.' },
    expires: { type: 'string', value: '<time>', help: 'When it stops working, e.g. 2030-01-31T00:00:00Z.' },
    json,
  },
  more: `Scopes: ${allScopes.join(', ')}.`,
  async run(input, terminal) {
    const projectId = input.text('project')
    if ((projectId !== undefined) === input.flag('workspace'))
      throw new UsageError('Say --workspace or --project <id>.')
    const chosen = chosenScopes(input)
    const expiresAt = input.text('expires')
    const contentAccess = chosenContent(input)
    const fields = {
      name: input.text('name') ?? 'made at the command line',
      ...(chosen === undefined ? { fullAccess: true } : { scopes: chosen }),
      ...(projectId === undefined ? {} : { projectId }),
      ...(contentAccess === undefined ? {} : { contentAccess }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    }
    const { checked, operator } = await import('../app/operator.ts')
    const key = await inWorkspace(terminal, (services, workspaceId) =>
      services.keys.create(operator(workspaceId), { type: 'operator' }, checked(services, '/api-keys', fields)),
    )
    terminal.out(
      input.flag('json') ? JSON.stringify(key) : `${key.id}\n${key.secret}\n\nThe secret is shown this once.`,
    )
  },
}

const list: Command = {
  name: 'keys list',
  summary: 'List the API keys, without their secrets.',
  options: { revoked: { type: 'boolean', help: 'Those that were revoked.' }, json },
  async run(input, terminal) {
    const { data } = await inWorkspace(terminal, ({ keys }, workspaceId) =>
      keys.list({ workspaceId, projectIds: null }, input.flag('revoked'), everything),
    )
    const rows = data.map((key) => [
      key.id,
      `…${key.last4}`,
      key.projectId ?? 'workspace',
      key.scopes.join(','),
      key.name,
    ])
    terminal.out(
      input.flag('json') ? JSON.stringify(data) : table([['ID', 'ENDS IN', 'FOR', 'SCOPES', 'NAME'], ...rows]),
    )
  },
}

const revoke: Command = {
  name: 'keys revoke',
  summary: 'Revoke an API key; it stops working at once.',
  operands: '<id>',
  options: { family: { type: 'boolean', help: 'Also the keys that it made, and those that they made.' }, json },
  async run(input, terminal) {
    const id = operandId(input)
    const { operator } = await import('../app/operator.ts')
    const answer = await inWorkspace(terminal, ({ keys }, workspaceId) =>
      keys.revoke(operator(workspaceId), { type: 'operator' }, id, input.flag('family')),
    )
    const keys = answer.revokedCount === 1 ? '1 key' : `${answer.revokedCount} keys`
    const family = input.flag('family') ? ` ${keys} stopped working.` : ''
    terminal.out(input.flag('json') ? JSON.stringify(answer) : `${answer.id} is revoked.${family}`)
  },
}

export const keyCommands: readonly Command[] = [create, list, revoke]

function chosenScopes(input: Input): Scope[] | undefined {
  const given = input.text('scopes')
  if (given === undefined || given === '*') return undefined
  return given.split(',').map((word) => {
    const scope = allScopes.find((name) => name === word.trim())
    if (scope === undefined) throw new UsageError(`There is no scope "${word.trim()}".`)
    return scope
  })
}

function chosenContent(input: Input): ContentAccess | undefined {
  const given = input.text('content')
  if (given === undefined) return undefined
  const access = contentAccesses.find((word) => word === given)
  if (access === undefined) throw new UsageError(`--content takes ${contentAccesses.join(', ')}, not "${given}".`)
  return access
}

function operandId(input: Input): KeyId {
  const text = onlyOperand(input, 'key')
  const id = decodeId('key', text)
  if (id === undefined) throw new UsageError(`"${text}" is not the id of a key.`)
  return id
}
