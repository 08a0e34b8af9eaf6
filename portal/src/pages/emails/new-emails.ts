import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
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

/** Nothing that a person reads moves by itself: what is new stays out of the list until it is asked for. */
export function useNewEmails(project: string): NewEmails {
  const queries = useQueryClient()
  const [found] = useSearch(emailsSearch)
  const list = JSON.stringify([project, found])
  const [held, setHeld] = useState<{ list: string; before: string; count: number }>()
  const own = held?.list === list ? held : undefined
  const told = useRef<{ project: string; newestId: string | undefined }>(undefined)
  useLiveChange('emails', (change) => {
    const { queryKey } = emailRows(project, found)
    const state = queries.getQueryState<ListData>(queryKey)
    const rows = state?.data?.pages.flatMap(({ data }) => data) ?? []
    const now = serverNow()
    if (change === undefined || rows.length === 0 || state === undefined || now === undefined) {
      // It cannot be known what is new, or the list is empty and has nothing that could move.
      if (own === undefined) refresh(queries, ['GET /emails'])
      return
    }
    const { newestId } = change
    const isFirst = told.current?.project !== project
    const isTold = isFirst ? isNarrowed(found) : told.current?.newestId === newestId
    told.current = { project, newestId }
    if (isTold || rows.some(({ id }) => id === newestId) || found.before !== undefined) return
    // While there was no stream some may have come that were not counted; one has, for it is the newest.
    const more = Math.max(change.more ?? 0, 1)
    if (own !== undefined) {
      setHeld({ ...own, count: own.count + more })
      return
    }
    // When the list was asked for, by the server's clock: of two times of one wrong clock the difference is right.
    const before = new Date(now - (Date.now() - state.dataUpdatedAt)).toISOString()
    queries.setQueryData(emailRows(project, found, before).queryKey, state.data, { updatedAt: state.dataUpdatedAt })
    setHeld({ list, before, count: more })
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

/** Whether the newest email of the project may be none of the list. */
const isNarrowed = (found: object): boolean => Object.values(found).some((value) => value !== undefined)

interface ListData {
  pages: readonly { data: readonly { id: string }[] }[]
}
