import type { Reply } from '@posthouse/sdk'
import type { Found } from '../../kit/address.ts'
import type { StateTone } from '../../kit/badge.tsx'
import type { RowsQuery } from '../../kit/list.tsx'
import { ask, askPages, useChange, type RowOf } from '../../shell/api.ts'
import type { queueSearch } from './search.ts'

export type DestinationRow = RowOf<'GET /queue'>
export type Destination = Reply<'GET /queue/:destination'>

/** The queue is counted as often; a hidden tab does not ask. */
const AGAIN_MS = 5_000

const shown = ['GET /queue', 'GET /queue/:destination'] as const

export const destinationRows = (project: string, { show }: Found<typeof queueSearch>): RowsQuery<DestinationRow> => ({
  ...askPages('GET /queue', { project, query: show === 'all' ? {} : { needsLook: 'true' } }),
  refetchInterval: AGAIN_MS,
})

/** The numbers of the whole. */
export const queueQuery = (project: string) => ({
  ...ask('GET /queue', { project, query: { limit: 1 } }),
  refetchInterval: AGAIN_MS,
})

export const destinationQuery = (project: string, destination: string) => ({
  ...ask('GET /queue/:destination', { project, params: { destination } }),
  refetchInterval: AGAIN_MS,
})

/** What would wait is counted anew for whoever is about to decide. */
export const dueQuery = () => ({ ...ask('GET /sending', {}), staleTime: 0 })

export const useRetry = () => useChange('POST /queue/:destination/retry', shown)
export const usePause = () => useChange('POST /queue/:destination/pause', shown)
export const useResume = () => useChange('POST /queue/:destination/resume', shown)
export const useHold = () => useChange('POST /sending/hold', ['GET /sending', ...shown])
export const useResumeAll = () => useChange('POST /sending/resume', ['GET /sending', ...shown])

export const tones: Readonly<Record<DestinationRow['state'], StateTone>> = {
  flows: 'ok',
  slowed: 'warn',
  suspended: 'warn',
  unreachable: 'bad',
  paused: 'plan',
}
