import type { Role } from '@posthouse/sdk'
import { Select } from '../../kit/choice.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { toast } from '../../kit/toast.tsx'
import { useSession } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { useUpdatePerson, type Person } from './data.ts'
import { givable, isProjectRole, roleOptions } from './roles.tsx'

interface RolesDialogProps {
  person: Person | undefined
  onClose: () => void
}

export const RolesDialog = ({ person, onClose }: RolesDialogProps) => (
  <Dialog title={words.people.changeRolesOf(person?.name ?? '')} isOpen={person !== undefined} onClose={onClose}>
    {person !== undefined && <RolesForm person={person} onDone={onClose} />}
  </Dialog>
)

/** The empty word stands for no role. */
type Choice = Role | ''

/** The role in the workspace, and one for each project. */
function RolesForm({ person, onDone }: { person: Person; onDone: () => void }) {
  const session = useSession()
  const update = useUpdatePerson()
  const given = givable(session)
  const start: Record<string, Choice> = {
    role: person.role ?? '',
    ...Object.fromEntries(session.projects.map(({ id }) => [id, roleIn(person, id)])),
  }
  const form = useForm({
    start,
    paths: { '/projects': 'role' },
    send: ({ role = '', ...inProjects }) =>
      update.run({
        params: { id: person.id },
        body: { role: role === '' ? null : role, projects: all(person, inProjects) },
      }),
    onDone: () => {
      toast({ text: words.people.rolesChanged(person.name) })
      onDone()
    },
  })
  const none = { value: '' as Choice, label: words.roles.none }
  const options = (roles: readonly Role[], own: Choice) => {
    // A role that is wider than one's own stays as it is.
    const offered = own === '' || roles.includes(own) ? roles : [own, ...roles]
    return [none, ...roleOptions<Choice & Role>(offered)]
  }
  return (
    <Form form={form} submit={words.people.form.save}>
      <Select
        label={words.people.form.workspaceRole}
        hint={words.people.form.workspaceRoleHint}
        {...form.field('role')}
        value={form.values['role'] ?? ''}
        options={options(given, start['role'] ?? '')}
      />
      {session.projects.map(({ id, name }) => (
        <Select
          key={id}
          label={words.people.form.projectRole(name)}
          {...form.field(id)}
          value={form.values[id] ?? ''}
          options={options(given.filter(isProjectRole), start[id] ?? '')}
        />
      ))}
    </Form>
  )
}

const roleIn = ({ projects }: Person, id: string): Choice =>
  projects.find(({ projectId }) => projectId === id)?.role ?? ''

/** All roles in single projects. Those in projects that are not on the page, such as archived ones, stay. */
function all(person: Person, chosen: Readonly<Record<string, Choice>>): Person['projects'] {
  const unseen = person.projects.filter(({ projectId }) => !(projectId in chosen))
  const seen = Object.entries(chosen).flatMap(([projectId, role]) =>
    role === '' || !isProjectRole(role) ? [] : [{ projectId, role }],
  )
  return [...unseen, ...seen]
}
