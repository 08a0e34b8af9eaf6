import { useInfiniteQuery, type InfiniteData, type QueryKey, type UseInfiniteQueryOptions } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { words } from '../words/words.ts'
import { useSearch, type Found, type Search } from './address.ts'
import { Button } from './button.tsx'
import { Empty, type EmptyProps } from './empty.tsx'
import { Freshness } from './freshness.tsx'
import { FindField, Filters, textOf, type Filter, type Find } from './list-filters.tsx'
import { useListKeys } from './list-keys.ts'
import { SelectionBar, type SelectedAction } from './list-selection.tsx'
import styles from './list.module.css'
import { Table, type Chosen, type Column } from './table.tsx'
import { Quiet } from './text.tsx'
import { Waiting } from './waiting.tsx'

export interface RowPage<Row> {
  data: readonly Row[]
  hasMore: boolean
  nextCursor: string | null
}

/** A query that `askPages` of `shell/api.ts` makes. */
export type RowsQuery<Row> = UseInfiniteQueryOptions<
  RowPage<Row>,
  Error,
  InfiniteData<RowPage<Row>, string | undefined>,
  QueryKey,
  string | undefined
>

export interface ListProps<Row, S extends Search> {
  /** The name of the table. */
  label: string
  /** The parameters of the address that this list reads, the same as in `routes.tsx`. */
  search: S
  rows: (found: Found<S>) => RowsQuery<Row>
  columns: readonly Column<Row>[]
  rowId: (row: Row) => string
  rowName: (row: Row) => string
  rowTo?: ((row: Row) => string) | undefined
  filters?: readonly Filter<keyof S & string>[]
  find?: Find<Row, keyof S & string>
  selected?: readonly SelectedAction<Row>[]
  chosen?: Chosen | undefined
  /** Nothing yet: what this is, why one would want it, the one button. */
  empty: EmptyProps
  /** How far back the last page has looked, in words, where a search is made a stretch at a time. */
  lookedBack?: (page: RowPage<Row> | undefined) => string | undefined
  /** At the end of the line of filters. */
  tools?: ReactNode
}

/** Every list: filters in the address, keys, all states, more on demand. `ListPage` puts a head above it. */
export function List<Row, S extends Search>(props: ListProps<Row, S>) {
  const {
    label,
    search,
    rows: rowsFor,
    columns,
    rowId,
    rowName,
    rowTo,
    filters = [],
    find,
    selected = [],
    chosen: shown,
    lookedBack,
    tools,
  } = props
  const [found, change] = useSearch(search)
  const [typed, setTyped] = useState('')
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const query = useInfiniteQuery(rowsFor(found))
  const box = useRef<HTMLDivElement>(null)

  const loaded = query.data?.pages.flatMap(({ data }) => data) ?? []
  const rows = find !== undefined && 'in' in find ? loaded.filter((row) => contains(find.in(row), typed)) : loaded
  const chosen = rows.filter((row) => ids.has(rowId(row)))
  const inForce = filtersInForce(filters, find, found, typed)
  const dropAll = (): void => {
    setTyped('')
    change(Object.fromEntries(Object.keys(search).map((name) => [name, undefined])) as Partial<Found<S>>)
  }
  useListKeys(box, rowTo === undefined ? undefined : rows.map(rowTo), (id) => setIds((before) => toggled(before, id)))

  const hasTools = filters.length > 0 || find !== undefined || tools !== undefined
  return (
    <div ref={box}>
      {hasTools && (
        <div className={styles.filters}>
          {find !== undefined && (
            <FindField
              placeholder={find.placeholder}
              value={'in' in find ? typed : String(found[find.parameter] ?? '')}
              onChange={(text) =>
                'in' in find ? setTyped(text) : change({ [find.parameter]: text || undefined } as Partial<Found<S>>)
              }
            />
          )}
          {filters.length > 0 && <Filters filters={filters} found={found} onChange={change} />}
          {tools !== undefined && <div className={styles.tools}>{tools}</div>}
        </div>
      )}
      <Freshness query={query} />
      {selected.length > 0 && (
        <SelectionBar
          rows={chosen}
          actions={selected}
          rowName={rowName}
          onClear={() => setIds(new Set())}
          onDone={() => {
            setIds(new Set())
            void query.refetch()
          }}
        />
      )}
      {query.data === undefined ? (
        <Waiting query={query} />
      ) : rows.length === 0 && inForce.length === 0 && !query.hasNextPage ? (
        <Empty {...props.empty} />
      ) : (
        <>
          {rows.length === 0 ? (
            inForce.length > 0 && <NothingMatches filters={inForce} onDrop={dropAll} />
          ) : (
            <Table
              label={label}
              columns={columns}
              rows={rows}
              rowId={rowId}
              rowName={rowName}
              rowTo={rowTo}
              chosen={shown}
              selection={selected.length === 0 ? undefined : { ids, onChange: setIds }}
              isFirst={!hasTools}
            />
          )}
          <More
            query={query}
            count={query.data.pages.length > 1 ? rows.length : 0}
            looked={lookedBack?.(query.data.pages.at(-1))}
          />
        </>
      )}
    </div>
  )
}

const NothingMatches = ({ filters, onDrop }: { filters: readonly string[]; onDrop: () => void }) => (
  <Empty
    icon="filter"
    title={words.kit.list.nothingMatches}
    sentence={words.kit.list.nothingMatchesWhy(filters.join(' · '))}
    action={<Button onClick={onDrop}>{words.kit.list.dropAll}</Button>}
  />
)

interface MoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
  count: number
  looked: string | undefined
}

/** The button is always there while there is more; coming near it does the same. */
function More({ query, count, looked }: MoreProps) {
  const line = useRef<HTMLDivElement>(null)
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  useEffect(() => {
    if (line.current === null || !hasNextPage || isFetchingNextPage) return
    let hasScrolled = false
    const scrolled = (): void => {
      hasScrolled = true
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (hasScrolled && entries.some(({ isIntersecting }) => isIntersecting)) fetchNextPage()
      },
      { rootMargin: '200px' },
    )
    addEventListener('wheel', scrolled, { passive: true })
    addEventListener('touchmove', scrolled, { passive: true })
    observer.observe(line.current)
    return () => {
      removeEventListener('wheel', scrolled)
      removeEventListener('touchmove', scrolled)
      observer.disconnect()
    }
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return (
    <div className={styles.more} ref={line}>
      {looked !== undefined && hasNextPage && <Quiet isSmall>{looked}</Quiet>}
      {hasNextPage ? (
        <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {looked === undefined ? words.kit.list.showMore : words.kit.list.lookFurther}
        </Button>
      ) : (
        count > 0 && <Quiet isSmall>{words.kit.list.allShown(count)}</Quiet>
      )}
    </div>
  )
}

function filtersInForce<Row>(
  filters: readonly Filter<string>[],
  find: Find<Row, string> | undefined,
  found: Readonly<Record<string, unknown>>,
  typed: string,
): string[] {
  const chosen = filters.flatMap((filter) => {
    const text = textOf(filter, found[filter.name])
    return text === undefined ? [] : [`${filter.label}: ${text}`]
  })
  const text = find === undefined ? '' : 'in' in find ? typed : String(found[find.parameter] ?? '')
  return text === '' ? chosen : [words.kit.list.theText(text), ...chosen]
}

const contains = (whole: string, part: string): boolean => whole.toLowerCase().includes(part.trim().toLowerCase())

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}
