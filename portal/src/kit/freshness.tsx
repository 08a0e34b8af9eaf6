import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
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
  const isFailing = query.failureCount > 0 || query.isError
  if (!isFailing || query.data === undefined) return null
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
