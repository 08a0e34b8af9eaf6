import { useQuery } from '@tanstack/react-query'
import { ask, useChange } from '../../shell/api.ts'
import type { Project } from '../../shell/session.ts'

const RECENT = 5

export const recentEmails = (project: string) => ask('GET /emails', { project, query: { limit: RECENT } })

/** What the person keeps for themselves, such as a card that they have hidden. */
export const usePreferences = () => useChange('PATCH /session/me', ['GET /session'])

export const useSendEmail = () => useChange('POST /email/send', ['GET /emails'])

/** What has been done already; undefined while nobody knows. */
export function useFirstSteps(project: Project) {
  const one = { limit: 1 }
  const emails = useQuery({
    ...ask('GET /emails', { project: project.id, query: one }),
    enabled: project.sees('email:send'),
  })
  const keys = useQuery({
    ...ask('GET /api-keys', { project: project.id, query: one }),
    enabled: project.can('api-keys:write'),
  })
  const webhooks = useQuery({
    ...ask('GET /webhooks', { project: project.id, query: one }),
    enabled: project.can('webhooks:write'),
  })
  const hasAny = (answer: { data: readonly unknown[] } | undefined): boolean | undefined =>
    answer === undefined ? undefined : answer.data.length > 0
  return { hasEmail: hasAny(emails.data), hasKey: hasAny(keys.data), hasWebhook: hasAny(webhooks.data) }
}
