import { PageBody, PageHead } from '../../kit/page.tsx'
import { useSettings } from '../../kit/settings.ts'
import { useProject } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { FirstSteps } from './first-steps.tsx'
import { RecentEmails } from './recent-emails.tsx'

export function Page() {
  const project = useProject()
  const { timeZone } = useSettings()
  return (
    <PageBody>
      <PageHead title={words.overview.title} note={words.overview.zone(timeZone)} />
      <FirstSteps project={project} />
      {project.sees('email:send') && <RecentEmails project={project} />}
    </PageBody>
  )
}
