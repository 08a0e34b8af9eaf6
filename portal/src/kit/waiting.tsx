import { Failure } from './empty.tsx'
import { Skeleton } from './skeleton.tsx'

export interface WaitingProps {
  query: {
    error: Error | null
    failureReason: Error | null
    isError: boolean
    refetch: (how?: { cancelRefetch: boolean }) => unknown
  }
  /** How much is expected. */
  rows?: number | 'tall'
}

/** Stands in the place of what has not come yet, and says why where it could not be fetched. */
export function Waiting({ query, rows = 8 }: WaitingProps) {
  const error = query.error ?? query.failureReason
  if (error === null) return rows === 'tall' ? <Skeleton isTall /> : <Skeleton rows={rows} />
  return <Failure error={error} isTrying={!query.isError} onRetry={() => void query.refetch({ cancelRefetch: true })} />
}
