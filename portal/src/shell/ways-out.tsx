import type { ReactNode } from 'react'
import { LinkButton } from '../kit/button.tsx'
import type { Problem } from '../kit/problem.ts'
import { words } from '../words/words.ts'
import { to } from './to.ts'

/** Refusals that a page of ours helps against, by their code. */
const addresses: Readonly<Record<string, (project: string | undefined) => string | undefined>> = {
  project_paused: to.projects,
  project_archived: to.projects,
  quota_exceeded: to.projects,
  domain_not_verified: (project) => project && to.domains(project),
  recipient_suppressed: (project) => project && to.suppressions(project),
}

export function wayOutOf({ code }: Problem, project: string | undefined): ReactNode {
  const address = addresses[code ?? '']?.(project)
  const label = words.shell.waysOut[code as keyof typeof words.shell.waysOut]
  return address === undefined || label === undefined ? undefined : <LinkButton to={address}>{label}</LinkButton>
}
