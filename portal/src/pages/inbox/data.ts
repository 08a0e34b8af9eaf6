import type { Reply, Session } from '@posthouse/sdk'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Found } from '../../kit/address.ts'
import type { StateTone } from '../../kit/badge.tsx'
import type { RowsQuery } from '../../kit/list.tsx'
import { ask, askPages, download, useChange, useKnownRows, type RowOf } from '../../shell/api.ts'
import { isToldAtOnce } from '../../shell/live.ts'
import { sessionQuery, useSession, type Project } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import type { inboxSearch } from './search.ts'

export type Received = Reply<'GET /receiving/emails/:id'>
export type ReceivedRow = RowOf<'GET /receiving/emails'>
export type ReceivingDomain = RowOf<'GET /receiving/domains'>

/** Mail comes in by itself. */
const LOOK_AGAIN_MS = 5_000

export const receivedRows = (project: string, found: Found<typeof inboxSearch>): RowsQuery<ReceivedRow> => {
  const { to, from, domain, after, spf, dkim, dmarc } = found
  return {
    ...askPages('GET /receiving/emails', {
      project,
      query: { to, from, domainId: domain, receivedAfter: after, spf, dkim, dmarc },
    }),
    refetchInterval: ({ state: { data } }) =>
      isToldAtOnce() || (data !== undefined && data.pages.length > 1) ? false : LOOK_AGAIN_MS,
  }
}

export const receivedQuery = (project: string, id: string) =>
  ask('GET /receiving/emails/:id', { project, params: { id } })

export const attachmentsQuery = (project: string, id: string) =>
  ask('GET /receiving/emails/:id/attachments', { project, params: { id } })

export const loadAttachment = (
  project: string,
  id: string,
  attachmentId: string,
  signal?: AbortSignal,
): Promise<Blob> =>
  download('GET /receiving/emails/:id/attachments/:attachmentId', {
    project,
    params: { id, attachmentId },
    ...(signal !== undefined && { signal }),
  }).then(({ blob }) => blob)

/** The message as it came in. It does not change. */
export const sourceQuery = (project: string, id: string) =>
  queryOptions<{ text: string; blob: Blob; filename: string }>({
    queryKey: ['GET /receiving/emails/:id/raw', project, id],
    queryFn: async ({ signal }) => {
      const { blob, filename } = await download('GET /receiving/emails/:id/raw', { project, params: { id }, signal })
      return { text: await blob.text(), blob, filename }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

export const receivingDomainRows = (project: string): RowsQuery<ReceivingDomain> => ({
  ...askPages('GET /receiving/domains', { project }),
  refetchInterval: 10_000,
})

export const receivingDomainQuery = (project: string, id: string) =>
  ask('GET /receiving/domains/:id', { project, params: { id } })

const MAX_ENDPOINTS = 10

/** The endpoints that may have been told of a mail. */
export const endpointsQuery = (project: string) => ask('GET /webhooks', { project, query: { limit: MAX_ENDPOINTS } })

/** What became of telling an endpoint of a mail. */
export const toldQuery = (project: string, endpoint: string, messageId: string) =>
  ask('GET /webhooks/:id/deliveries', { project, params: { id: endpoint }, query: { messageId, limit: 1 } })

/** Names of domains that may send, as far as this person may see them. */
export function useSendingDomains(project: Project): readonly string[] {
  const domains = useQuery({
    ...ask('GET /domains', { project: project.id, query: { status: 'verified', limit: 100 } }),
    enabled: project.sees('domains:read'),
  })
  return domains.data?.data.map(({ name }) => name) ?? []
}

/** The domains to filter by, as far as this person may see them. */
export function useReceivingDomains(project: Project): readonly ReceivingDomain[] {
  const domains = useQuery({
    ...ask('GET /receiving/domains', { project: project.id, query: { limit: 100 } }),
    enabled: project.sees('receiving:write'),
  })
  return domains.data?.data ?? []
}

const domainLists = ['GET /receiving/domains', 'GET /receiving/domains/:id'] as const

export const useCreateReceivingDomain = () => useChange('POST /receiving/domains', domainLists)
export const useVerifyReceivingDomain = () => useChange('POST /receiving/domains/:id/verify', domainLists)
export const useDeleteReceivingDomain = () => useChange('DELETE /receiving/domains/:id', domainLists)
export const useReply = () => useChange('POST /email/send', ['GET /emails'])

export const subjectOf = ({ subject }: Pick<ReceivedRow, 'subject'>): string =>
  subject === null || subject === '' ? words.emails.noSubject : subject

/** The subject, where the list has it already. */
export const useKnownSubject = (id: string): string | undefined => {
  const row = useKnownRows('GET /receiving/emails').find((one) => one.id === id)
  return row === undefined ? undefined : subjectOf(row)
}

export const writerOf = ({ from }: Pick<ReceivedRow, 'from'>): string =>
  from === null ? words.inbox.nobody : from.name === '' ? from.email : from.name

/** What the sender could prove, in one word: DMARC says whether the address in From is true. */
export function proofOf({ auth }: Pick<ReceivedRow, 'auth'>): { tone: StateTone; word: string } {
  const said = words.inbox.proof
  if (auth.dmarc === 'pass') return { tone: 'ok', word: said.proven }
  if (auth.dmarc === 'fail') return { tone: 'bad', word: said.forged }
  return auth.dmarc === null && auth.spf === null && auth.dkim === null
    ? { tone: 'none', word: said.unchecked }
    : { tone: 'warn', word: said.unproven }
}

export const mayReply = (project: Project, { replyTo, from }: Pick<Received, 'replyTo' | 'from'>): boolean =>
  project.can('email:send') && project.maySend && (replyTo.length > 0 || from !== null)

const SEEN = 'inboxSeen'

/**
 * What came since this person last looked is new to them. What they have seen until now is remembered with their account;
 * the marks of this visit stay.
 */
export function useSeen(project: string, newest: string | undefined): (receivedAt: string) => boolean {
  const known = seenIn(useSession())[project] ?? ''
  const [before] = useState(known)
  const remember = useRememberSeen(project)
  const [isBusy, setBusy] = useState(false)
  const tried = useRef<string>(undefined)
  useEffect(() => {
    // Mail that comes while a mark is being written is the next one's.
    if (newest === undefined || newest <= known || isBusy || newest === tried.current) return
    // A mark that could not be remembered is set again with the next mail or visit.
    tried.current = newest
    setBusy(true)
    remember(newest)
      .catch(() => undefined)
      .finally(() => setBusy(false))
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [newest, known, isBusy])
  return (receivedAt) => receivedAt <= before
}

/** All preferences are written at once: they are read just before, because another tab may have changed some of them. */
function useRememberSeen(project: string): (newest: string) => Promise<void> {
  const queries = useQueryClient()
  const change = useChange('PATCH /session/me', ['GET /session'])
  return async (newest) => {
    const session = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
    const seen = seenIn(session)
    if (newest <= (seen[project] ?? '')) return
    const preferences = { ...session.person.preferences, [SEEN]: { ...seen, [project]: newest } }
    await change.run({ body: { preferences } })
  }
}

function seenIn({ person }: Session): Readonly<Record<string, string>> {
  const value = person.preferences[SEEN]
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
