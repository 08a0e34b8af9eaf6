import type { CallOptions, Reply } from '@posthouse/sdk'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Found } from '../../kit/address.ts'
import type { RowsQuery } from '../../kit/list.tsx'
import { ask, askPages, call, download, refresh, useChange, useKnownRows, type RowOf } from '../../shell/api.ts'
import { isToldAtOnce } from '../../shell/live.ts'
import type { Project } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import type { emailsSearch } from './search.ts'

export type Email = Reply<'GET /emails/:id'>
export type EmailRow = RowOf<'GET /emails'>
export type Dialogue = Reply<'GET /emails/:id/dialogues/:eventId'>
export type Recipient = Email['recipients'][number]

const lists = ['GET /emails'] as const
const all = ['GET /emails', 'GET /emails/:id'] as const

const MOVING_MS = 2_000
const WAITING_MS = 10_000
/** With more rows than this, they are refreshed by hand. */
const MAX_REFRESHED_PAGES = 4

/** The list, looked at again while something in it is on its way; only what was there before a moment, if one is given. */
export function emailRows(
  project: string,
  found: Found<typeof emailsSearch>,
  heldBefore?: string | undefined,
): RowsQuery<EmailRow> {
  const { template, domain, broadcast, automation, batch, after, before, ...others } = found
  const query = {
    ...others,
    templateId: template,
    domainId: domain,
    broadcastId: broadcast,
    automationId: automation,
    batchId: batch,
    createdAfter: after,
    createdBefore: before ?? heldBefore,
  }
  return {
    ...askPages('GET /emails', { project, query }),
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined || data.pages.length > MAX_REFRESHED_PAGES) return false
      const states = new Set(data.pages.flatMap((page) => page.data.map(({ status }) => status)))
      return states.has('queued') || states.has('sending') ? MOVING_MS : states.has('deferred') ? WAITING_MS : false
    },
  }
}

/** How far back the words of a subject were looked for. */
export const searchedTo = (page: object | undefined): string | undefined =>
  page !== undefined && 'searchedTo' in page && typeof page.searchedTo === 'string' ? page.searchedTo : undefined

const unfinished: ReadonlySet<string> = new Set(['scheduled', 'queued', 'deferred', 'sending'])

export const isFinal = (state: string): boolean => !unfinished.has(state)

/** One email, each second until nothing more will happen to it by itself, unless changes are told. */
export const emailQuery = (project: string, id: string) => ({
  ...ask('GET /emails/:id', { project, params: { id } }),
  refetchInterval: ({ state: { data } }: { state: { data: Email | undefined } }) =>
    data === undefined || isToldAtOnce() ? false : pauseFor(data),
})

function pauseFor({ status, recipients, sendAt }: Email): number | false {
  if (status === 'scheduled') return isSoon(sendAt) ? 1_000 : WAITING_MS
  const waiting = recipients.filter((recipient) => !isFinal(recipient.status))
  if (waiting.length === 0) return false
  return waiting.every(({ nextAttemptAt }) => nextAttemptAt !== null && !isSoon(nextAttemptAt)) ? WAITING_MS : 1_000
}

const isSoon = (at: string | null): boolean => Date.parse(at ?? '') - Date.now() < 30_000

/** The subject, where a list has it already. */
export const useKnownSubject = (id: string): string | undefined =>
  useKnownRows('GET /emails').find((row) => row.id === id)?.subject

export const subjectOf = ({ subject, contentHidden }: Pick<Email, 'subject' | 'contentHidden'>): string =>
  contentHidden ? words.emails.hidden : subject === '' ? words.emails.noSubject : subject

export const useRetry = () => useChange('POST /emails/:id/retry', all)
export const useResend = () => useChange('POST /emails/:id/resend', lists)
export const useCancel = () => useChange('POST /emails/:id/cancel', all)
export const useReschedule = () => useChange('POST /emails/:id/reschedule', all)

const simulated = ['delivered', 'deferred', 'bounced', 'complained', 'quarantined', 'suppressed', 'slow'] as const

/**
 * Addresses that play an outcome each. One that has bounced or complained is suppressed from then on, so these two are
 * other addresses each time: the simulator leaves out what stands behind a plus.
 */
export function simulatorAddresses(domain: string) {
  const suffix = `+${Math.floor(Date.now() / 1_000)
    .toString(36)
    .slice(-4)}`
  return simulated.map((outcome) => ({
    outcome,
    address: `${outcome}${outcome === 'bounced' || outcome === 'complained' ? suffix : ''}@${domain}`,
  }))
}

/** Sends one email to each address of the simulator. */
export function useTryOutcomes(project: string, sender: string, domain: string): () => Promise<unknown> {
  const queries = useQueryClient()
  return async () => {
    const emails = simulatorAddresses(domain).map(({ outcome, address }) => ({
      from: sender,
      to: address,
      subject: words.emails.empty.subject(words.emails.outcomes[outcome]),
      text: words.emails.empty.text(words.emails.outcomes[outcome]),
    }))
    await call('POST /email/batch', { project, body: { emails } })
    refresh(queries, lists)
  }
}

/** What filters of the list choose from, as far as this person may see it. */
export function useFilterChoices(project: Project) {
  const query = { limit: 100 }
  const templates = useQuery({
    ...ask('GET /templates', { project: project.id, query }),
    enabled: project.sees('templates:write'),
  })
  const domains = useQuery({
    ...ask('GET /domains', { project: project.id, query }),
    enabled: project.sees('domains:read'),
  })
  const broadcasts = useQuery({
    ...ask('GET /broadcasts', { project: project.id, query }),
    enabled: project.sees('broadcasts:write'),
  })
  const automations = useQuery({
    ...ask('GET /automations', { project: project.id, query }),
    enabled: project.sees('automations:write'),
  })
  return {
    broadcasts: (broadcasts.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
    automations: (automations.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
    templates: (templates.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
    domains: (domains.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
  }
}

export interface Source {
  text: string
  blob: Blob
  filename: string
  /** The signature is not the one that left. */
  isKeyRotated: boolean
}

/** The bytes as they left. They do not change. */
export const sourceQuery = (project: string, id: string, recipient: string | undefined) =>
  queryOptions<Source>({
    queryKey: ['GET /emails/:id/raw', project, id, recipient ?? ''],
    queryFn: async ({ signal }) => {
      const { blob, filename, headers } = await download('GET /emails/:id/raw', {
        project,
        params: { id },
        query: { recipient },
        signal,
      })
      return { text: await blob.text(), blob, filename, isKeyRotated: headers.get('x-key-rotated') === 'true' }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** What was said in an attempt. It does not change. */
export const dialogueQuery = (project: string, id: string, eventId: string) => ({
  ...ask('GET /emails/:id/dialogues/:eventId', { project, params: { id, eventId } }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const loadAttachment = (
  project: string,
  id: string,
  attachmentId: string,
  signal?: AbortSignal,
): Promise<Blob> =>
  download('GET /emails/:id/attachments/:attachmentId', {
    project,
    params: { id, attachmentId },
    ...(signal !== undefined && { signal }),
  }).then(({ blob }) => blob)

/** The call that would send this email once more. */
export function sendCallOf(email: Email): CallOptions<'POST /email/send'>['body'] {
  const { from, to, cc, bcc, replyTo, subject, html, text, headers, tags, metadata } = email
  return {
    from,
    to,
    ...(cc.length > 0 && { cc }),
    ...(bcc.length > 0 && { bcc }),
    ...(replyTo.length > 0 && { replyTo }),
    subject,
    ...(html !== null && { html }),
    ...(text !== null && { text }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(Object.keys(tags).length > 0 && { tags }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
}

/** The name of a template, where this person may see it. */
export function useTemplateName(project: Project, id: string | null): string | undefined {
  const isKnown = id !== null && project.sees('templates:write')
  return useQuery({ ...ask('GET /templates/:id', { project: project.id, params: { id: id ?? '' } }), enabled: isKnown })
    .data?.name
}
