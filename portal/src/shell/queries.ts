import { QueryClient } from '@tanstack/react-query'
import { mayPass } from '../kit/problem.ts'

const FIRST_WAIT_MS = 2_000
const MAX_WAIT_MS = 60_000

/**
 * One cache for all pages. What could not be asked for is tried again after 2, 4, 8 … 60 seconds for as long as somebody
 * looks at it; a refusal is final. Changes are never repeated by themselves.
 */
export const newQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // The browser's word on being offline is not asked: the server may well be on this machine.
        networkMode: 'always',
        staleTime: 2_000,
        gcTime: 300_000,
        retry: (_failures, error) => mayPass(error),
        retryDelay: (failures) => Math.min(FIRST_WAIT_MS * 2 ** failures, MAX_WAIT_MS),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
