import { useState } from 'react'
import { Status, stateWord } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import type { Column } from '../../kit/table.tsx'
import { Foreign, Quiet } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { asCurl } from '../../shell/requests.ts'
import { useProject, useSession } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { AddDomain } from './add.tsx'
import { domainRows, type DomainRow } from './data.ts'
import { missingOf } from './records.ts'
import { domainsSearch, domainStates } from './search.ts'

const said = words.domains

/** The sending domains of the project. */
export function Page() {
  const project = useProject()
  const { installation } = useSession()
  const [isAdding, setAdding] = useState(false)
  const mayChange = project.can('domains:write')
  const add = (): void => setAdding(true)
  return (
    <>
      <ListPage
        title={said.title}
        search={domainsSearch}
        rows={(found) => domainRows(project.id, found)}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowTo={({ id }) => to.domain(project.id, id)}
        find={{ in: ({ name }) => name, placeholder: said.find }}
        filters={[
          {
            kind: 'one',
            name: 'status',
            label: said.filters.status,
            options: domainStates.map((value) => ({ value, label: stateWord(value) })),
          },
        ]}
        actions={mayChange ? [{ label: said.add.action, tone: 'main', icon: 'plus', keys: 'n', run: add }] : []}
        empty={{
          icon: 'globe',
          title: said.empty.title,
          sentence: said.empty.sentence,
          ...(mayChange && {
            action: (
              <Button tone="main" icon="plus" onClick={add}>
                {said.empty.action}
              </Button>
            ),
          }),
          curl: asCurl(
            {
              method: 'POST',
              path: '/api/v1/domains',
              project: project.id,
              body: JSON.stringify({ name: 'mail.example.com' }),
            },
            installation.publicUrl,
          ),
          docs: '/docs',
        }}
      />
      {mayChange && (
        <AddDomain key={String(isAdding)} project={project.id} isOpen={isAdding} onClose={() => setAdding(false)} />
      )}
    </>
  )
}

const columns: readonly Column<DomainRow>[] = [
  { name: 'name', title: said.columns.name, cell: ({ name }) => <Foreign text={name} /> },
  { name: 'status', title: said.columns.status, isNarrow: true, cell: ({ status }) => <Status state={status} /> },
  { name: 'missing', title: said.columns.missing, cell: (domain) => <Missing domain={domain} /> },
  {
    name: 'looked',
    title: said.columns.looked,
    isNarrow: true,
    cell: ({ lastCheckedAt }) => <Time at={lastCheckedAt} />,
  },
  { name: 'added', title: said.columns.added, isNarrow: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

function Missing({ domain }: { domain: DomainRow }) {
  const count = missingOf(domain).length
  return count === 0 ? <Quiet>{said.complete}</Quiet> : said.missing(count)
}
