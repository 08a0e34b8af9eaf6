import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Action } from './actions.ts'
import { Freshness } from './freshness.tsx'
import { shortId } from './id.tsx'
import { PageBody, PageHead } from './page.tsx'
import { Columns, Stack } from './text.tsx'
import { Waiting } from './waiting.tsx'

export interface DetailPageProps<Thing> {
  /** The list that it belongs to, and what is between: links from the outermost inwards. */
  path: readonly { label: string; to: string }[]
  id: string
  query: UseQueryResult<Thing>
  title: (thing: Thing) => string
  /** The title, where the list has it already. */
  knownTitle?: string | undefined
  status?: (thing: Thing) => ReactNode
  note?: (thing: Thing) => ReactNode
  actions?: (thing: Thing) => readonly Action[]
  /** Above both columns: notices about it. */
  above?: (thing: Thing) => ReactNode
  children: (thing: Thing) => ReactNode
  /** The second column: facts, what happened. */
  aside?: (thing: Thing) => ReactNode
}

/** One thing: its title at once, its parts when they are there, and what is so when they are not. */
export function DetailPage<Thing>({
  path,
  id,
  query,
  title,
  knownTitle,
  status,
  note,
  ...props
}: DetailPageProps<Thing>) {
  const { actions, above, children, aside } = props
  const thing = query.data
  if (thing === undefined) {
    const error = query.error ?? query.failureReason
    return (
      <PageBody>
        <PageHead
          title={knownTitle ?? shortId(id)}
          isPending={knownTitle === undefined && error === null}
          path={path}
          here={shortId(id)}
        />
        <Waiting query={query} rows="tall" />
      </PageBody>
    )
  }
  return (
    <PageBody>
      <PageHead
        title={title(thing)}
        path={path}
        here={shortId(id)}
        status={status?.(thing)}
        note={note?.(thing)}
        actions={actions?.(thing) ?? []}
      />
      <Freshness query={query} />
      {above?.(thing)}
      {aside === undefined ? (
        <Stack>{children(thing)}</Stack>
      ) : (
        <Columns>
          <Stack>{children(thing)}</Stack>
          <Stack>{aside(thing)}</Stack>
        </Columns>
      )}
    </PageBody>
  )
}
