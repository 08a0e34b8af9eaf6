import { ApiError, type Reply } from '@posthouse/sdk'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { ask, call, refresh } from '../../shell/api.ts'
import type { Project } from '../../shell/session.ts'
import type { SendBody, Template } from './draft.ts'

/** The answer of a dry run; the other one is of a real send. */
export type DryRun = Extract<Reply<'POST /email/send'>, { dryRun: true }>
export type Accepted = Exclude<Reply<'POST /email/send'>, { dryRun: true }>

/** What would be sent; the last answer stays while the next one is on its way. */
export const dryRunQuery = (project: string, body: SendBody | undefined) =>
  queryOptions<DryRun>({
    queryKey: ['POST /email/send', 'dry run', project, body ?? {}],
    queryFn: async ({ signal }) =>
      (await call('POST /email/send', { project, query: { dryRun: true }, body: body as SendBody, signal })) as DryRun,
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
  })

export function useSend(project: string): (body: SendBody, idempotencyKey: string) => Promise<Accepted> {
  const queries = useQueryClient()
  return async (body, idempotencyKey) => {
    const email = (await call('POST /email/send', { project, body, idempotencyKey })) as Accepted
    refresh(queries, ['GET /emails'])
    return email
  }
}

export const isRepeated = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'idempotency_mismatch'

/** What the form offers to choose from, as far as this person may see it. */
export function useChoices(project: Project): { domains: readonly string[]; templates: readonly Template[] } {
  const domains = useQuery({
    ...ask('GET /domains', { project: project.id, query: { status: 'verified', limit: 100 } }),
    enabled: project.sees('domains:read'),
  })
  const templates = useQuery({
    ...ask('GET /templates', { project: project.id, query: { limit: 100 } }),
    enabled: project.sees('templates:write'),
  })
  return { domains: domains.data?.data.map(({ name }) => name) ?? [], templates: templates.data?.data ?? [] }
}

/** The bytes of a file in base64. */
export async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  // Spreading all bytes at once would be more arguments than a call may have.
  for (let at = 0; at < bytes.length; at += 0x80_00) text += String.fromCodePoint(...bytes.subarray(at, at + 0x80_00))
  return btoa(text)
}
