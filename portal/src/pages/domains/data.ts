import type { Reply } from '@posthouse/sdk'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Found } from '../../kit/address.ts'
import type { RowsQuery } from '../../kit/list.tsx'
import { ask, askPages, call, download, refresh, save, useChange, type RowOf } from '../../shell/api.ts'
import type { Range } from '../overview/period.ts'
import type { Domain } from './records.ts'
import type { domainsSearch } from './search.ts'

export type DomainRow = RowOf<'GET /domains'>

const both = ['GET /domains', 'GET /domains/:id'] as const

export const domainRows = (project: string, { status }: Found<typeof domainsSearch>): RowsQuery<DomainRow> =>
  askPages('GET /domains', { project, query: { status } })

export const domainQuery = (project: string, id: string) => ask('GET /domains/:id', { project, params: { id } })

export type DomainNumbers = Reply<'GET /statistics/emails'>

/** What became of the mail of a domain, by receiving provider. */
export const deliverabilityQuery = (project: string, domainId: string, range: Range, timeZone: string) =>
  ask('GET /statistics/emails', {
    project,
    query: { ...range, timeZone, domainId, groupBy: 'provider', points: 'none' },
  })

export const useCreateDomain = () => useChange('POST /domains', ['GET /domains'])
export const useUpdateDomain = () => useChange('PATCH /domains/:id', both)
export const useDeleteDomain = () => useChange('DELETE /domains/:id', ['GET /domains'])
export const useRotateDkim = () => useChange('POST /domains/:id/rotate-dkim', both)

/** Looks at the DNS, or only asks what others have seen, where the person may not have it looked at. */
export function useLook(project: string, id: string, mayChange: boolean): () => Promise<Domain> {
  const queries = useQueryClient()
  return useCallback(async () => {
    const params = { id }
    const options = { project, params }
    const before = queries.getQueryData(domainQuery(project, id).queryKey)
    const domain = await (mayChange ? call('POST /domains/:id/verify', options) : call('GET /domains/:id', options))
    queries.setQueryData(domainQuery(project, id).queryKey, domain)
    if (before !== undefined && before.status !== domain.status) refresh(queries, ['GET /domains'])
    return domain
  }, [queries, project, id, mayChange])
}

/** The zone file is another one as soon as a record is found. */
export const zoneQuery = (project: string, { id, records }: Domain) =>
  queryOptions({
    queryKey: ['GET /domains/:id/zone', id, records.map(({ name, status }) => `${name} ${status}`)],
    queryFn: async () => {
      const { blob, filename } = await download('GET /domains/:id/zone', { project, params: { id } })
      return { text: await blob.text(), save: () => save(blob, filename) }
    },
  })
