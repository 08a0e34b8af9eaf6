import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Button, LinkButton } from '../kit/button.tsx'
import { Notice } from '../kit/notice.tsx'
import { words } from '../words/words.ts'
import { ask, refresh } from './api.ts'
import { useIsConnectionLost } from './connection.ts'
import { useServerVersion } from './live.ts'
import { usePageExists, useProjectOrLast } from './pages.ts'
import { sendingQuery } from './sending.ts'
import { useMaybeProject, useSession, type Project } from './session.ts'
import { to } from './to.ts'

/** What is true for everything below, at most one of each kind; it cannot be closed while it is true. */
export function Banners() {
  const session = useSession()
  const project = useMaybeProject()
  const isLost = useIsConnectionLost()
  const [firstVersion] = useState(session.installation.version)
  const queries = useQueryClient()
  const told = useServerVersion()
  useEffect(() => {
    if (told !== undefined && told !== firstVersion) refresh(queries, ['GET /session'])
  }, [told, firstVersion, queries])
  return (
    <>
      {isLost && (
        <Notice isBanner tone="bad" role="status">
          {words.shell.banners.offline}
        </Notice>
      )}
      {session.installation.version !== firstVersion && (
        <Notice
          isBanner
          tone="info"
          role="status"
          actions={
            <Button isSmall onClick={() => globalThis.location.reload()}>
              {words.shell.banners.reload}
            </Button>
          }
        >
          {words.shell.banners.version}
        </Notice>
      )}
      {session.projects.length > 0 && <HeldBanner />}
      {project !== undefined && <ProjectBanner project={project} />}
    </>
  )
}

/** Nothing leaves the installation; whoever looks at mail that does not arrive should know. */
function HeldBanner() {
  const project = useProjectOrLast()
  const exists = usePageExists()
  const { data } = useQuery(sendingQuery())
  if (data?.held !== true) return null
  return (
    <Notice
      isBanner
      tone="plan"
      role="status"
      title={words.shell.banners.held}
      actions={
        project?.sees('stats:read') === true &&
        exists('/p/$projectId/queue') && (
          <LinkButton isSmall to={to.queue(project.id)}>
            {words.shell.banners.queue}
          </LinkButton>
        )
      }
    >
      {data.because ?? ''}
    </Notice>
  )
}

function ProjectBanner({ project }: { project: Project }) {
  const exists = usePageExists()
  if (project.status === 'active') return project.sees('domains:read') ? <SandboxBanner project={project} /> : null
  return (
    <Notice
      isBanner
      tone="plan"
      actions={
        exists('/settings/projects') && (
          <LinkButton isSmall to={to.projects()}>
            {words.shell.banners.settings}
          </LinkButton>
        )
      }
    >
      {project.status === 'paused' ? words.shell.banners.paused : words.shell.banners.archived}
    </Notice>
  )
}

/** Until a domain is verified, mail reaches the simulator alone. */
function SandboxBanner({ project }: { project: Project }) {
  const exists = usePageExists()
  const { data } = useQuery({
    ...ask('GET /domains', { project: project.id, query: { limit: 50 } }),
    staleTime: 60_000,
  })
  const maySend = data?.data.some(({ status }) => status === 'verified' || status === 'warning')
  if (maySend !== false) return null
  return (
    <Notice
      isBanner
      tone="none"
      actions={
        exists('/p/$projectId/domains') && (
          <LinkButton isSmall to={to.domains(project.id)}>
            {words.shell.banners.setUpDomain}
          </LinkButton>
        )
      }
    >
      {words.shell.banners.sandbox}
    </Notice>
  )
}
