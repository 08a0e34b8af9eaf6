import { useSearch } from '../../kit/address.ts'
import { useProject } from '../../shell/session.ts'
import { LogPage } from './log-page.tsx'
import { projectLogSearch } from './search.ts'

/** The log of one project. */
export function Page() {
  const { id } = useProject()
  const [found] = useSearch(projectLogSearch)
  return <LogPage search={projectLogSearch} found={found} only={{ projectId: id }} />
}
