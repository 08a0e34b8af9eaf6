import { lazy, Suspense } from 'react'
import { useSearch } from '../../kit/address.ts'
import { PageBody, PageHead } from '../../kit/page.tsx'
import { useSettings } from '../../kit/settings.ts'
import { useProject } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { OverviewFilters } from './filters.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Notices } from './notices.tsx'
import { useOverviewNow } from './now.ts'
import { PeriodNumbers } from './numbers.tsx'
import { overviewSearch } from './search.ts'
import { ToCome } from './to-come.tsx'

/** What is not seen first is fetched after the rest. */
const Engine = lazy(async () => ({ default: (await import('./engine.tsx')).Engine }))
const LeavingBroadcasts = lazy(async () => ({ default: (await import('./leaving.tsx')).LeavingBroadcasts }))
const Problems = lazy(async () => ({ default: (await import('./problems.tsx')).Problems }))
const RecentEmails = lazy(async () => ({ default: (await import('./recent-emails.tsx')).RecentEmails }))

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
      <Suspense>
        <LeavingBroadcasts project={project} />
      </Suspense>
      {seesNumbers && (
        <PeriodNumbers
          key={project.id}
          project={project}
          wish={wish}
          beside={
            <Suspense fallback={<ToCome title={words.overview.engine.title} rows={6} />}>
              <Engine project={project} told={told} />
            </Suspense>
          }
        />
      )}
      {project.sees('email:send') && (
        <>
          <Suspense>
            <Problems project={project} />
          </Suspense>
          <Suspense fallback={<ToCome title={words.overview.recent.title} rows={5} />}>
            <RecentEmails project={project} />
          </Suspense>
        </>
      )}
    </PageBody>
  )
}
