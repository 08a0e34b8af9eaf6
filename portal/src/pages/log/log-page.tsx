import { useState, type ReactNode } from 'react'
import type { Found } from '../../kit/address.ts'
import { Button } from '../../kit/button.tsx'
import { Id } from '../../kit/id.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import type { Filter } from '../../kit/list-filters.tsx'
import { Menu } from '../../kit/menu.tsx'
import type { Column } from '../../kit/table.tsx'
import { Foreign, Quiet, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { toast, toastProblem } from '../../kit/toast.tsx'
import { words } from '../../words/words.ts'
import { entries, saveEntries, type Entry } from './data.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { logSearch } from './search.ts'

type Name = keyof typeof logSearch

interface LogPageProps {
  /** The parameters that this page reads from its address. */
  search: Partial<typeof logSearch>
  /** What every entry has, whatever is searched for. */
  only: Found<typeof logSearch>
  /** What is searched for now. */
  found: Found<typeof logSearch>
  filters?: readonly Filter<Name>[]
  columns?: readonly Column<Entry>[]
  above?: ReactNode
}

/** Who did what, and when. */
export function LogPage({ search, only, found, filters = [], columns = [], above }: LogPageProps) {
  const [shown, setShown] = useState<Entry>()
  return (
    <ListPage
      title={words.log.title}
      above={above}
      search={search as typeof logSearch}
      rows={(now) => entries({ ...now, ...only })}
      rowId={({ id }) => id}
      rowName={({ sentence }) => sentence}
      columns={[
        { name: 'what', title: words.log.what, cell: (entry) => <What entry={entry} /> },
        { name: 'when', title: words.log.when, cell: ({ at }) => <Time at={at} />, isNarrow: true },
        ...columns,
        {
          name: 'request',
          title: words.log.request,
          cell: ({ requestId }) => requestId !== null && <Id id={requestId} />,
          isNarrow: true,
        },
        {
          name: 'actions',
          title: words.log.actions,
          isActions: true,
          cell: (entry) => (
            <Button isSmall onClick={() => setShown(entry)}>
              {words.log.details}
            </Button>
          ),
        },
      ]}
      find={{ parameter: 'action', placeholder: words.log.filters.actionHint }}
      filters={[...commonFilters, ...filters]}
      tools={<Export query={{ ...found, ...only }} />}
      empty={{ title: words.log.empty, sentence: words.log.emptySentence, icon: 'log' }}
      below={<EntryDialog entry={shown} onClose={() => setShown(undefined)} />}
    />
  )
}

const commonFilters: readonly Filter<Name>[] = [
  { kind: 'text', name: 'actor', label: words.log.filters.actor, placeholder: words.log.filters.actorHint },
  { kind: 'text', name: 'subject', label: words.log.filters.subject, placeholder: words.log.filters.subjectHint },
  { kind: 'text', name: 'requestId', label: words.log.filters.request, placeholder: words.log.filters.requestHint },
  { kind: 'time', name: 'after', label: words.log.filters.after },
  { kind: 'time', name: 'before', label: words.log.filters.before },
]

const What = ({ entry: { actor, sentence } }: { entry: Entry }) => (
  <Stack isTight>
    <Foreign text={`${actor.name ?? words.log.actors[actor.type]} ${sentence}`} />
    {actor.name !== null && <Quiet isSmall>{words.log.actors[actor.type]}</Quiet>}
  </Stack>
)

function Export({ query }: { query: Found<typeof logSearch> }) {
  const run = (format: 'csv' | 'ndjson') => () =>
    saveEntries(query, format).then(() => toast({ text: words.log.exported }), toastProblem)
  return (
    <Menu
      button={<Button icon="download">{words.log.export}</Button>}
      groups={[
        {
          entries: [
            { label: words.log.csv, run: run('csv') },
            { label: words.log.ndjson, run: run('ndjson') },
          ],
        },
      ]}
    />
  )
}
