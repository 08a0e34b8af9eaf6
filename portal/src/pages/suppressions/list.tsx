import { useState } from 'react'
import { Badge, type StateTone } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Link } from '../../kit/link.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import type { Column } from '../../kit/table.tsx'
import { Foreign, Quiet, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { asCurl } from '../../shell/requests.ts'
import { useProject, useSession, type Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { AddAddresses } from './add.tsx'
import { suppressionRows, type Suppression } from './data.ts'
import { ExportDialog } from './export.tsx'
import { LiftMany } from './lift-many.tsx'
import { LiftOne } from './lift.tsx'
import { suppressionReasons, suppressionsSearch } from './search.ts'

const said = words.suppressions

/** The addresses that the project does not mail, and why. */
export function Page() {
  const project = useProject()
  const { installation } = useSession()
  const [open, setOpen] = useState<'add' | 'lift' | 'export'>()
  const [lifted, setLifted] = useState<Suppression>()
  const mayChange = project.can('suppressions:write')
  const close = (): void => setOpen(undefined)
  const about = { project: project.id, onClose: close }
  return (
    <>
      <ListPage
        title={said.title}
        search={suppressionsSearch}
        rows={(found) => suppressionRows(project.id, found)}
        columns={columnsFor(project, setLifted)}
        rowId={({ id }) => id}
        rowName={({ email }) => email}
        find={{ parameter: 'email', placeholder: said.find }}
        filters={[
          {
            kind: 'one',
            name: 'reason',
            label: said.filters.reason,
            options: suppressionReasons.map((value) => ({ value, label: said.reasons[value] })),
          },
          { kind: 'time', name: 'after', label: said.filters.after },
        ]}
        actions={[
          ...(mayChange
            ? ([
                { label: said.add.action, tone: 'main', icon: 'plus', keys: 'n', run: () => setOpen('add') },
                { label: said.liftMany.action, icon: 'undo', place: 'menu', run: () => setOpen('lift') },
              ] as const)
            : []),
          { label: said.export.action, icon: 'download', run: () => setOpen('export') },
        ]}
        empty={{
          icon: 'forbidden',
          title: said.empty.title,
          sentence: said.empty.sentence,
          ...(mayChange && {
            action: (
              <Button tone="main" icon="plus" onClick={() => setOpen('add')}>
                {said.empty.action}
              </Button>
            ),
          }),
          curl: asCurl(
            {
              method: 'POST',
              path: '/api/v1/suppressions',
              project: project.id,
              body: JSON.stringify({ email: 'ann@example.org', note: 'Asked us on the phone.' }),
            },
            installation.publicUrl,
          ),
          docs: '/docs',
        }}
      />
      {mayChange && (
        <>
          <AddAddresses key={`add-${open}`} {...about} isOpen={open === 'add'} />
          <LiftMany key={`lift-${open}`} {...about} isOpen={open === 'lift'} />
          <LiftOne key={lifted?.id} project={project.id} suppression={lifted} onClose={() => setLifted(undefined)} />
        </>
      )}
      <ExportDialog key={`export-${open}`} {...about} isOpen={open === 'export'} />
    </>
  )
}

const tones: Readonly<Record<Suppression['reason'], StateTone>> = { bounce: 'bad', spam: 'bad', manual: 'none' }

const columnsFor = (project: Project, onLift: (row: Suppression) => void): readonly Column<Suppression>[] => [
  { name: 'email', title: said.columns.email, cell: ({ email }) => <Foreign text={email} /> },
  {
    name: 'reason',
    title: said.columns.reason,
    isNarrow: true,
    cell: ({ reason }) => <Badge tone={tones[reason]}>{said.reasons[reason]}</Badge>,
  },
  { name: 'cause', title: said.columns.cause, cell: (row) => <Cause suppression={row} project={project} /> },
  { name: 'since', title: said.columns.since, isNarrow: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ...(project.can('suppressions:write')
    ? [
        {
          name: 'actions',
          title: said.columns.actions,
          isActions: true,
          cell: (row: Suppression) => (
            <Button isSmall onClick={() => onLift(row)}>
              {said.lift.action}
            </Button>
          ),
        },
      ]
    : []),
]

/** What the server or the person said, and the email that it was about. */
const Cause = ({ suppression: { note, messageId }, project }: { suppression: Suppression; project: Project }) => (
  <Stack isTight>
    {note === null || note === '' ? <Quiet>{said.noCause}</Quiet> : <Foreign text={note} />}
    {messageId !== null && (
      <Quiet isSmall>
        <Link to={to.email(project.id, messageId)}>{said.theEmail}</Link>
      </Quiet>
    )}
  </Stack>
)
