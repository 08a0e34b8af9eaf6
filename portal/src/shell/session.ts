import type { ReachableProject, Scope, Session } from '@posthouse/sdk'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { keepFor } from '../kit/kept.ts'
import { changeSettings } from '../kit/settings.ts'
import { call } from './api.ts'
import { startAnew } from './signed-out.ts'

/** Whom this tab shows its pages to. */
let shownTo: string | undefined

/** Who is signed in and what they may do, asked for anew when the tab is looked at again. */
export const sessionQuery = queryOptions<Session>({
  queryKey: ['GET /session', {}],
  queryFn: async ({ signal }) => {
    const session = await call('GET /session', { signal })
    const { id, locale, timeZone, singleKeys } = session.person
    // Somebody else has signed in in another tab: what is on this page is not for them.
    if (shownTo !== undefined && shownTo !== id) return startAnew()
    shownTo = id
    keepFor(id)
    changeSettings({
      locale: locale ?? undefined,
      timeZone: timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      singleKeys,
    })
    return session
  },
  staleTime: 30_000,
  refetchOnWindowFocus: 'always',
})

/** The frame waits for it before any page is shown, so pages have it at once. */
export const useSession = (): Session => useSuspenseQuery(sessionQuery).data

export interface Project extends Omit<ReachableProject, 'can' | 'reads'> {
  /** Whether this person may change what the scope is about. */
  can: (scope: Scope) => boolean
  /** Whether they may look at it. */
  sees: (scope: Scope) => boolean
}

/** The project in the address; undefined where there is none, or none that this person can see. */
export function useMaybeProject(): Project | undefined {
  const { projectId } = useParams({ strict: false }) as { projectId?: string }
  return projectIn(useSession(), projectId)
}

/** The project in the address. Pages below `/p/:projectId` are shown only when there is one. */
export function useProject(): Project {
  const project = useMaybeProject()
  if (project === undefined) throw new Error('This page is not in a project.')
  return project
}

export function projectIn(session: Session, id: string | undefined): Project | undefined {
  const found = session.projects.find((project) => project.id === id)
  if (found === undefined) return undefined
  return {
    ...found,
    can: (scope) => found.can.includes(scope),
    sees: (scope) => found.can.includes(scope) || found.reads.includes(scope),
  }
}

/** Whether this person may change people, projects and the workspace. */
export const mayAdminister = ({ roles }: Session): boolean => roles.workspace === 'owner' || roles.workspace === 'admin'

const LAST_PROJECT = 'posthouse-project'

/** The project that was looked at last in this browser, if it is still there; else the first one that can be used. */
export function lastProject({ projects }: Session): string | undefined {
  const remembered = localStorage.getItem(LAST_PROJECT)
  const found = projects.find(({ id }) => id === remembered) ?? projects.find(({ status }) => status !== 'archived')
  return (found ?? projects[0])?.id
}

export const rememberProject = (id: string): void => localStorage.setItem(LAST_PROJECT, id)
