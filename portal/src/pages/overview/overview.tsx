import { useSearch } from '../../kit/address.ts'
import { PageBody, PageHead } from '../../kit/page.tsx'
import { useSettings } from '../../kit/settings.ts'
import { Segments } from '../../kit/tabs.tsx'
import { useLive } from '../../shell/live.ts'
import { useProject } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { FirstSteps } from './first-steps.tsx'
import { Notices } from './notices.tsx'
import { PeriodNumbers } from './numbers.tsx'
import { RecentEmails } from './recent-emails.tsx'
import { overviewSearch, periods } from './search.ts'

export function Page() {
  const project = useProject()
  const { timeZone } = useSettings()
  const [{ period = '24h' }, change] = useSearch(overviewSearch)
  const seesNumbers = project.sees('stats:read')
  const options = periods.map((value) => ({ value, label: words.overview.period[value] }))
  useLive('overview', ['GET /emails'])
  return (
    <PageBody>
      <PageHead
        title={words.overview.title}
        note={words.overview.zone(timeZone)}
        status={
          seesNumbers && (
            <Segments
              label={words.overview.period.label}
              options={options}
              value={period}
              onChange={(value) => change({ period: value === '24h' ? undefined : value })}
            />
          )
        }
      />
      <Notices project={project} />
      <FirstSteps project={project} />
      {seesNumbers && <PeriodNumbers project={project} period={period} />}
      {project.sees('email:send') && <RecentEmails project={project} />}
    </PageBody>
  )
}
