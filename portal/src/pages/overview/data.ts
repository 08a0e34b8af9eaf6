import type { Reply } from '@posthouse/sdk'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { ask, call, useChange, type RowOf } from '../../shell/api.ts'
import type { Range } from './period.ts'
import type { OverviewWish } from './search.ts'
import { mayAdminister, useSession, type Project } from '../../shell/session.ts'

const RECENT = 5

/** What numbers are asked for. */
export interface NumbersWish extends Pick<OverviewWish, 'domain' | 'source'> {
  range: Range
  timeZone: string
}

/** Numbers of one time; `groupBy` for those of each provider or domain, without their points. */
export const numbers = (
  project: string,
  { range, timeZone, domain, source }: NumbersWish,
  groupBy?: 'provider' | 'domain',
) =>
  ask('GET /statistics/emails', {
    project,
    query: {
      ...range,
      timeZone,
      domainId: domain,
      source,
      ...(groupBy !== undefined && { groupBy, points: 'none' as const }),
    },
  })

export type Numbers = Reply<'GET /statistics/emails'>

/** The domains of the project, as far as this person may see them. */
export function useDomains(project: Project): readonly RowOf<'GET /domains'>[] {
  const { data } = useQuery({
    ...ask('GET /domains', { project: project.id, query: { limit: 100 } }),
    enabled: project.sees('domains:read'),
  })
  return data?.data ?? []
}

/** Their names by their ids. */
export const useDomainNames = (project: Project): ReadonlyMap<string, string> =>
  new Map(useDomains(project).map(({ id, name }) => [id, name]))

export type NoticeOfApi = Reply<'GET /notices'>['data'][number]

export const notices = (project: string) => ask('GET /notices', { project })

export type QueueNow = Reply<'GET /queue'>

const QUEUE_MS = 10_000

/** What waits, and where: those that need a look come first. */
export const queueNow = (project: string) => ({
  ...ask('GET /queue', { project, query: { limit: 100 } }),
  refetchInterval: QUEUE_MS,
})

const MINUTE_MS = 60_000

const WEBHOOKS_MS = 30_000

/** The time of the page may be a minute old, so the question goes on to the end of the next one. */
export const webhooksOfLastHour = (project: string, now: number) => {
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS
  const query = {
    from: new Date(minute - 60 * MINUTE_MS).toISOString(),
    to: new Date(minute + 2 * MINUTE_MS).toISOString(),
    step: 'minute',
  } as const
  return {
    ...ask('GET /statistics/webhooks', { project, query }),
    refetchInterval: WEBHOOKS_MS,
    placeholderData: keepPreviousData,
  }
}

export type InstallationNow = Reply<'GET /installation'>

/** Of machines only those know who belong to the whole workspace. */
export function useInstallation(): InstallationNow | undefined {
  const { roles } = useSession()
  return useQuery({
    ...ask('GET /installation', {}),
    refetchInterval: MINUTE_MS,
    enabled: roles.workspace !== null,
  }).data
}

export type BroadcastRow = RowOf<'GET /broadcasts'>

const LEAVING_MS = 10_000

/** So many of them are shown, the newest. */
const MAX_LEAVING = 5

export const leavingBroadcasts = (project: string) => ({
  ...ask('GET /broadcasts', { project, query: { status: 'sending', limit: MAX_LEAVING } }),
  refetchInterval: LEAVING_MS,
})

export const MAX_PROBLEMS = 5

const PROBLEMS_MS = 30_000

export const troubledStates = ['bounced', 'failed', 'deferred'] as const

/** What such lists are kept under. */
export const PROBLEMS = 'problems'

/** The key is another one than that of lists: those are asked for anew with every email that comes. */
export const troubledEmails = (project: string, status: (typeof troubledStates)[number]) =>
  queryOptions<Reply<'GET /emails'>>({
    queryKey: [PROBLEMS, project, status],
    queryFn: ({ signal }) => call('GET /emails', { project, query: { status, limit: MAX_PROBLEMS }, signal }),
    refetchInterval: PROBLEMS_MS,
  })

/** The page of the email has the same answer, and looks more often. */
export const whyQuery = (project: string, id: string) => ({
  ...ask('GET /emails/:id', { project, params: { id } }),
  staleTime: PROBLEMS_MS,
})

export const recentEmails = (project: string) => ask('GET /emails', { project, query: { limit: RECENT } })

/** What the person keeps for themselves, such as a card that they have hidden. */
export const usePreferences = () => useChange('PATCH /session/me', ['GET /session'])

export const useSendEmail = () => useChange('POST /email/send', ['GET /emails'])

/** What has been done already; undefined until the server has said. */
export function useFirstSteps(project: Project) {
  const one = { limit: 1 }
  const hasPeople = mayAdminister(useSession())
  const emails = useQuery({
    ...ask('GET /emails', { project: project.id, query: one }),
    enabled: project.sees('email:send'),
  })
  const keys = useQuery({
    ...ask('GET /api-keys', { project: project.id, query: { limit: 50 } }),
    enabled: project.can('api-keys:write'),
  })
  const webhooks = useQuery({
    ...ask('GET /webhooks', { project: project.id, query: one }),
    enabled: project.can('webhooks:write'),
  })
  // The first one is whoever looks.
  const people = useQuery({ ...ask('GET /people', { query: { limit: 2 } }), enabled: hasPeople })
  const invitations = useQuery({ ...ask('GET /people/invitations', { query: one }), enabled: hasPeople })
  const hasAny = (answer: { data: readonly unknown[] } | undefined, least = 1): boolean | undefined =>
    answer === undefined ? undefined : answer.data.length >= least
  const [hasColleague, hasInvited] = [hasAny(people.data, 2), hasAny(invitations.data)]
  return {
    hasEmail: hasAny(emails.data),
    // The first start prints a key; that it is there says nothing about whether anybody has one in use.
    hasKey: keys.data?.data.some(({ createdBy, lastUsedAt }) => createdBy !== null || lastUsedAt !== null),
    hasWebhook: hasAny(webhooks.data),
    hasInvited: hasColleague === undefined || hasInvited === undefined ? undefined : hasColleague || hasInvited,
  }
}
