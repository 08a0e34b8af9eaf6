import { json, UsageError, type Command } from './command.ts'
import { inWorkspace, table } from './workspace.ts'

const list: Command = {
  name: 'projects list',
  summary: 'List the projects.',
  options: { json },
  async run(input, terminal) {
    const { data } = await inWorkspace(terminal, ({ projects }, workspaceId) =>
      projects.list({ workspaceId, projectId: null }, undefined, { limit: 1_000, after: null }),
    )
    const rows = data.map(({ id, status, name }) => [id, status, name])
    terminal.out(input.flag('json') ? JSON.stringify(data) : table([['ID', 'STATUS', 'NAME'], ...rows]))
  },
}

const create: Command = {
  name: 'projects create',
  summary: 'Create a project.',
  options: { name: { type: 'string', value: '<name>', help: 'Its name.' }, json },
  async run(input, terminal) {
    const name = input.text('name')?.trim()
    if (!name) throw new UsageError('Give it a --name.')
    const { checked } = await import('../app/operator.ts')
    const project = await inWorkspace(terminal, (house, workspaceId) =>
      house.projects.create(
        { workspaceId, projectId: null },
        { type: 'operator' },
        checked(house, '/projects', { name }),
      ),
    )
    terminal.out(input.flag('json') ? JSON.stringify(project) : `${project.id}  ${project.name}`)
  },
}

export const projectCommands: readonly Command[] = [list, create]
