import type { Reply } from '@posthouse/sdk'
import { useQuery } from '@tanstack/react-query'
import { ask, useChange } from '../../shell/api.ts'
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

/** The names of the project's domains by their ids, as far as this person may see them. */
export function useDomainNames(project: Project): ReadonlyMap<string, string> {
  const { data } = useQuery({
    ...ask('GET /domains', { project: project.id, query: { limit: 100 } }),
    enabled: project.sees('domains:read'),
  })
  return new Map(data?.data.map(({ id, name }) => [id, name]))
}

export type NoticeOfApi = Reply<'GET /notices'>['data'][number]

export const notices = (project: string) => ask('GET /notices', { project })

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
