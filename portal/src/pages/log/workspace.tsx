import { useSearch } from '../../kit/address.ts'
import { Foreign, Quiet } from '../../kit/text.tsx'
import { useSession } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { SettingsSections } from '../settings/sections.tsx'
import type { Entry } from './data.ts'
import { LogPage } from './log-page.tsx'
import { logSearch } from './search.ts'

/** The log of the workspace and all its projects. */
export function Page() {
  const { projects } = useSession()
  const [found] = useSearch(logSearch)
  const nameOf = ({ projectId }: Entry): string | undefined => projects.find(({ id }) => id === projectId)?.name
  return (
    <LogPage
      above={<SettingsSections />}
      search={logSearch}
      found={found}
      only={{}}
      filters={[
        {
          kind: 'one',
          name: 'projectId',
          label: words.log.filters.project,
          options: projects.map(({ id, name }) => ({ value: id, label: name })),
        },
      ]}
      columns={[
        {
          name: 'project',
          title: words.log.project,
          cell: (entry) =>
            entry.projectId === null ? (
              <Quiet>{words.log.workspace}</Quiet>
            ) : (
              <Foreign text={nameOf(entry) ?? entry.projectId} />
            ),
        },
      ]}
    />
  )
}
