import { decodeId, type ProjectId, type WorkspaceId } from '../core/ids.ts'
import type { Services } from '../app/compose.ts'
import { json, onlyOperand, UsageError, type Command, type Input } from './command.ts'
import { inWorkspace, table } from './workspace.ts'

type ProjectView = Awaited<ReturnType<Services['projects']['read']>>

const list: Command = {
  name: 'projects list',
  summary: 'List the projects.',
  options: { json },
  async run(input, terminal) {
    const { data } = await inWorkspace(terminal, ({ projects }, workspaceId) =>
      projects.list({ workspaceId, projectIds: null }, undefined, { limit: 1_000, after: null }),
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
    const project = await inWorkspace(terminal, (services, workspaceId) =>
      services.projects.create(
        { workspaceId, projectIds: null },
        { type: 'operator' },
        checked(services, '/projects', { name }),
      ),
    )
    terminal.out(input.flag('json') ? JSON.stringify(project) : table([[project.id, project.name]]))
  },
}

const whole = (workspaceId: WorkspaceId) => ({ workspaceId, projectIds: null })
const operator = { type: 'operator' } as const

/** A command that changes one project and says in a sentence what it is now. */
const change = (
  command: Pick<Command, 'name' | 'summary' | 'more'> & { options?: Command['options'] },
  sentence: (project: ProjectView) => string,
  make: (services: Services, workspaceId: WorkspaceId, id: ProjectId, input: Input) => Promise<ProjectView>,
): Command => ({
  ...command,
  operands: '<id>',
  options: { ...command.options, json },
  async run(input, terminal) {
    const text = onlyOperand(input, 'project')
    const id = decodeId('prj', text)
    if (id === undefined) throw new UsageError(`"${text}" is not the id of a project: see "posthouse projects list".`)
    const project = await inWorkspace(terminal, (services, workspaceId) => make(services, workspaceId, id, input))
    terminal.out(input.flag('json') ? JSON.stringify(project) : sentence(project))
  },
})

const pause = change(
  { name: 'projects pause', summary: 'Hold all sending of a project until it is resumed.' },
  ({ id }) => `${id} is paused: what it has queued waits.`,
  ({ projects }, workspaceId, id) => projects.update(whole(workspaceId), operator, id, { status: 'paused' }),
)

const resume = change(
  { name: 'projects resume', summary: 'Let a paused project send again.' },
  ({ id }) => `${id} is active.`,
  ({ projects }, workspaceId, id) => projects.update(whole(workspaceId), operator, id, { status: 'active' }),
)

const quota = change(
  {
    name: 'projects quota',
    summary: 'Limit how many recipients a project may mail.',
    more: 'A limit that is not named stays as it is.',
    options: {
      day: { type: 'string', value: '<number|none>', help: 'Recipients a day (UTC).' },
      month: { type: 'string', value: '<number|none>', help: 'Recipients a month (UTC).' },
    },
  },
  ({ id, quota: { emailsPerDay, emailsPerMonth } }) =>
    `${id}: ${emailsPerDay ?? 'no limit'} a day, ${emailsPerMonth ?? 'no limit'} a month.`,
  ({ projects }, workspaceId, id, input) => {
    const [day, month] = [limitIn(input, 'day'), limitIn(input, 'month')]
    if (day === undefined && month === undefined) throw new UsageError('Give it a limit: --day, --month, or both.')
    const limits = {
      ...(day === undefined ? {} : { emailsPerDay: day }),
      ...(month === undefined ? {} : { emailsPerMonth: month }),
    }
    return projects.update(whole(workspaceId), operator, id, { quota: limits })
  },
)

function limitIn(input: Input, period: 'day' | 'month'): number | null | undefined {
  const text = input.text(period)
  if (text === undefined) return undefined
  if (text === 'none') return null
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${period} takes a whole number or "none", not "${text}".`)
  return Number(text)
}

const archive = change(
  {
    name: 'projects archive',
    summary: 'Archive a project: its keys stop working and its scheduled mail is cancelled.',
    more: 'For 30 days "posthouse projects restore" undoes it; mail that was cancelled stays cancelled.',
  },
  ({ id }) => `${id} is archived. "posthouse projects restore ${id}" undoes that for 30 days.`,
  ({ projects }, workspaceId, id) => projects.archive(whole(workspaceId), operator, id),
)

const restore = change(
  { name: 'projects restore', summary: 'Make an archived project active again, within 30 days.' },
  ({ id }) => `${id} is active again, and so are its keys.`,
  ({ projects }, workspaceId, id) => projects.restore(whole(workspaceId), operator, id),
)

export const projectCommands: readonly Command[] = [list, create, pause, resume, quota, archive, restore]
