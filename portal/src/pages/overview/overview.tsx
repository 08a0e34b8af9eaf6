import { useSearch } from '../../kit/address.ts'
import { PageBody, PageHead } from '../../kit/page.tsx'
import { useSettings } from '../../kit/settings.ts'
import { useLive } from '../../shell/live.ts'
import { useProject } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { OverviewFilters } from './filters.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Notices } from './notices.tsx'
import { PeriodNumbers } from './numbers.tsx'
import { RecentEmails } from './recent-emails.tsx'
import { overviewSearch } from './search.ts'

export function Page() {
  const project = useProject()
  const { timeZone } = useSettings()
  const [wish] = useSearch(overviewSearch)
  const seesNumbers = project.sees('stats:read')
  useLive('overview', ['GET /emails'])
  return (
    <PageBody>
      <PageHead
        title={words.overview.title}
        note={words.overview.zone(timeZone)}
        status={seesNumbers && <OverviewFilters project={project} />}
      />
      <Notices project={project} />
      <FirstSteps project={project} />
      {seesNumbers && <PeriodNumbers project={project} wish={wish} />}
      {project.sees('email:send') && <RecentEmails project={project} />}
    </PageBody>
  )
}
