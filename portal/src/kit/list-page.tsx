import type { ReactNode } from 'react'
import type { Action } from './actions.ts'
import type { Search } from './address.ts'
import { Beside, type Pane } from './beside.tsx'
import { Card } from './card.tsx'
import { List, type ListProps } from './list.tsx'
import { PageBody, PageHead } from './page.tsx'

export interface ListPageProps<Row, S extends Search> extends Omit<ListProps<Row, S>, 'label'> {
  title: string
  path?: readonly { label: string; to: string }[]
  status?: ReactNode
  note?: ReactNode
  /** The first is what the list is about ("New key") and has the key `n`. */
  actions?: readonly Action[]
  /** Between the head and the list: notices. */
  above?: ReactNode
  below?: ReactNode
  /** At the side of the list: what is chosen in it. */
  beside?: Pane | undefined
}

/** A page that is a list. The table has the name of the page. */
export const ListPage = <Row, S extends Search>(props: ListPageProps<Row, S>) => {
  const { title, path = [], status, note, actions = [], above, below, beside, ...list } = props
  return (
    <PageBody>
      <PageHead title={title} path={path} status={status} note={note} actions={actions} />
      {above}
      <Beside beside={beside}>
        <Card isFlush>
          <List label={title} {...list} />
        </Card>
      </Beside>
      {below}
    </PageBody>
  )
}
