import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { words } from '../words/words.ts'
import { Button } from './button.tsx'
import { clockTime } from './format.ts'
import { Icon } from './icons.tsx'
import styles from './page.module.css'

type Result = Pick<
  UseQueryResult | UseInfiniteQueryResult,
  'dataUpdatedAt' | 'failureCount' | 'isError' | 'refetch' | 'data'
>

/** What is shown could not be refreshed: since when it is old, and a button. Nothing while all is well. */
export function Freshness({ query }: { query: Result }) {
  const [failedAt, setFailedAt] = useState<number>()
  const isFailing = query.failureCount > 0 || query.isError
  // A further attempt does not take the words away: they would be read out again when it fails.
  if (isFailing && failedAt !== query.dataUpdatedAt) setFailedAt(query.dataUpdatedAt)
  if (failedAt !== query.dataUpdatedAt || query.data === undefined) return null
  return (
    <div className={styles.old} role="status">
      <Icon name="warning" />
      <span>
        {words.kit.failure.notRefreshed} {words.kit.failure.old(clockTime(new Date(query.dataUpdatedAt)))}
      </span>
      <Button isSmall icon="refresh" onClick={() => void query.refetch({ cancelRefetch: true })}>
        {words.kit.failure.again}
      </Button>
    </div>
  )
}
