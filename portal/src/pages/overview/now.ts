import type { LiveChange } from '@posthouse/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLive, useLiveChange } from '../../shell/live.ts'
import { PROBLEMS, troubledStates } from './data.ts'

/**
 * What was told last of this minute. Undefined while nothing is told: then the queue is asked. The page has one, because
 * whoever comes later hears only of what changes after that.
 */
export function useOverviewNow(project: string): LiveChange | undefined {
  const queries = useQueryClient()
  const [told, setTold] = useState<{ project: string; change: LiveChange | undefined }>()
  const troubled = useRef<number>(undefined)
  useLive('overview', ['GET /emails', 'GET /broadcasts'])
  useLiveChange('overview', (change) => {
    setTold({ project, change })
    const sum = troubledStates.reduce((all, state) => all + (change?.counts?.[state] ?? 0), 0)
    // A minute that begins has fewer, which is no news.
    if (change === undefined || sum > (troubled.current ?? sum)) {
      void queries.invalidateQueries({ queryKey: [PROBLEMS] })
    }
    troubled.current = sum
  })
  // The page stays when another project is chosen, and knows nothing of that one yet.
  return told?.project === project ? told.change : undefined
}
