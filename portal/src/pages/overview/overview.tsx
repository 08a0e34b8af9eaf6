import { useSearch } from '../../kit/address.ts'
import { PageBody, PageHead } from '../../kit/page.tsx'
import { useSettings } from '../../kit/settings.ts'
import { useProject } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { Engine } from './engine.tsx'
import { OverviewFilters } from './filters.tsx'
import { FirstSteps } from './first-steps.tsx'
import { LeavingBroadcasts } from './leaving.tsx'
import { Notices } from './notices.tsx'
import { useOverviewNow } from './now.ts'
import { PeriodNumbers } from './numbers.tsx'
import { Problems } from './problems.tsx'
import { RecentEmails } from './recent-emails.tsx'
import { overviewSearch } from './search.ts'

export function Page() {
  const project = useProject()
  const { timeZone } = useSettings()
  const [wish] = useSearch(overviewSearch)
  const seesNumbers = project.sees('stats:read')
  const told = useOverviewNow(project.id)
  return (
    <PageBody>
      <PageHead
        title={words.overview.title}
        note={words.overview.zone(timeZone)}
        status={seesNumbers && <OverviewFilters project={project} />}
      />
      <Notices project={project} />
      <FirstSteps project={project} />
      <LeavingBroadcasts project={project} />
      {seesNumbers && (
        <PeriodNumbers
          key={project.id}
          project={project}
          wish={wish}
          beside={<Engine project={project} told={told} />}
        />
      )}
      {project.sees('email:send') && <Problems project={project} />}
      {project.sees('email:send') && <RecentEmails project={project} />}
    </PageBody>
  )
}
