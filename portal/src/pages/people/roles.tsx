import type { Role, Session } from '@posthouse/sdk'
import { Foreign } from '../../kit/text.tsx'
import { useSession } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import type { Person } from './data.ts'
import { roleNames } from './search.ts'

export type ProjectRole = Exclude<Role, 'owner'>

/** The roles that somebody may give: none that is wider than their own. */
export function givable({ roles }: Session): readonly Role[] {
  const own = roles.workspace === null ? roleNames.length : roleNames.indexOf(roles.workspace)
  return roleNames.slice(own)
}

export const isProjectRole = (role: Role): role is ProjectRole => role !== 'owner'

/** Options of a list of roles, each with what it means. */
export const roleOptions = <R extends Role>(roles: readonly R[]): { value: R; label: string }[] =>
  roles.map((value) => ({ value, label: words.roles.names[value] }))

/** Somebody's roles in words, one below the other. */
export function Roles({ of: { role, projects } }: { of: Pick<Person, 'role' | 'projects'> }) {
  const session = useSession()
  const nameOf = (id: string): string => session.projects.find((project) => project.id === id)?.name ?? id
  if (role === null && projects.length === 0) return <span>{words.roles.none}</span>
  return (
    <ul>
      {role !== null && <li>{words.roles.everywhere(words.roles.names[role])}</li>}
      {projects.map((one) => (
        <li key={one.projectId}>
          <Foreign text={words.roles.inProject(words.roles.names[one.role], nameOf(one.projectId))} />
        </li>
      ))}
    </ul>
  )
}
