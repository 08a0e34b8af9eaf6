import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearch } from '../../kit/address.ts'
import { refresh } from '../../shell/api.ts'
import { serverNow, useLiveChange } from '../../shell/live.ts'
import { emailRows } from './data.ts'
import { emailsSearch } from './search.ts'

interface NewEmails {
  /** The list shows what was accepted before; undefined for everything. */
  heldBefore: string | undefined
  /** So many came since. */
  count: number
  show: () => void
}

/** Nothing that somebody reads moves by itself: what is new stays out of the list until it is asked for. */
export function useNewEmails(project: string): NewEmails {
  const queries = useQueryClient()
  const [found] = useSearch(emailsSearch)
  const list = JSON.stringify([project, found])
  const [held, setHeld] = useState<{ list: string; before: string; count: number }>()
  const own = held?.list === list ? held : undefined
  useLiveChange('emails', (change) => {
    const { queryKey } = emailRows(project, found)
    const state = queries.getQueryState<ListData>(queryKey)
    const rows = state?.data?.pages.flatMap(({ data }) => data) ?? []
    const now = serverNow()
    const isShown = rows.some(({ id }) => id === change?.newestId)
    if (own !== undefined) {
      if (change?.more !== undefined) setHeld({ ...own, count: own.count + change.more })
    } else if (change === undefined || rows.length === 0 || state === undefined || now === undefined) {
      // An empty list has nothing that could move.
      refresh(queries, ['GET /emails'])
    } else if (change.more !== undefined && change.more > 0 && !isShown && found.before === undefined) {
      // When the list was asked for, by the server's clock: of two times of one wrong clock the difference is right.
      const before = new Date(now - (Date.now() - state.dataUpdatedAt)).toISOString()
      queries.setQueryData(emailRows(project, found, before).queryKey, state.data, { updatedAt: state.dataUpdatedAt })
      setHeld({ list, before, count: change.more })
    }
  })
  return {
    heldBefore: own?.before,
    count: own?.count ?? 0,
    show: () => {
      setHeld(undefined)
      refresh(queries, ['GET /emails'])
    },
  }
}

interface ListData {
  pages: readonly { data: readonly { id: string }[] }[]
}
