import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, LinkButton } from '../kit/button.tsx'
import { Notice } from '../kit/notice.tsx'
import { words } from '../words/words.ts'
import { ask } from './api.ts'
import { useIsConnectionLost } from './connection.ts'
import { usePageExists } from './pages.ts'
import { useMaybeProject, useSession, type Project } from './session.ts'
import { to } from './to.ts'

/** What is true for everything below, at most one of each kind; it cannot be closed while it is true. */
export function Banners() {
  const session = useSession()
  const project = useMaybeProject()
  const isLost = useIsConnectionLost()
  const [firstVersion] = useState(session.installation.version)
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
      {project !== undefined && <ProjectBanner project={project} />}
    </>
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
  const { data } = useQuery({
    ...ask('GET /domains', { project: project.id, query: { limit: 50 } }),
    staleTime: 60_000,
  })
  const maySend = data?.data.some(({ status }) => status === 'verified' || status === 'warning')
  if (maySend !== false) return null
  return (
    <Notice isBanner tone="none">
      {words.shell.banners.sandbox}
    </Notice>
  )
}
