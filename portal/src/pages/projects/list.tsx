import { useState } from 'react'
import { Status } from '../../kit/badge.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { Id } from '../../kit/id.tsx'
import { Link } from '../../kit/link.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import { Menu } from '../../kit/menu.tsx'
import { Foreign } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { toast, toastProblem } from '../../kit/toast.tsx'
import { mayAdminister, projectIn, useSession } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { SettingsSections } from '../settings/sections.tsx'
import { projects, useArchiveProject, useRestoreProject, useUpdateProject, type Project } from './data.ts'
import { ProjectDialog } from './project-form.tsx'
import { Quotas } from './quotas.tsx'
import { projectsSearch } from './search.ts'

export function Page() {
  const session = useSession()
  const isAdmin = mayAdminister(session)
  const [edited, setEdited] = useState<Project | 'new'>()
  const [archived, setArchived] = useState<Project>()
  const archive = useArchiveProject()
  const add = (): void => setEdited('new')
  return (
    <ListPage
      title={words.projects.title}
      above={<SettingsSections />}
      search={projectsSearch}
      rows={projects}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      columns={[
        { name: 'name', title: words.projects.name, cell: (project) => <Name project={project} /> },
        { name: 'state', title: words.projects.state, cell: ({ status }) => <Status state={status} />, isNarrow: true },
        { name: 'quotas', title: words.projects.quotas, cell: (project) => <Quotas project={project} /> },
        {
          name: 'created',
          title: words.projects.created,
          cell: ({ createdAt }) => <Time at={createdAt} form="short" />,
        },
        { name: 'id', title: words.projects.id, cell: ({ id }) => <Id id={id} />, isNarrow: true },
        {
          name: 'actions',
          title: words.projects.actions,
          isActions: true,
          cell: (project) => (
            <Doings
              project={project}
              isAdmin={isAdmin}
              mayRename={projectIn(session, project.id)?.can('projects:write') ?? isAdmin}
              onEdit={() => setEdited(project)}
              onArchive={() => setArchived(project)}
            />
          ),
        },
      ]}
      find={{ in: ({ name }) => name, placeholder: words.projects.find }}
      filters={[
        {
          kind: 'one',
          name: 'status',
          label: words.projects.filterState,
          options: (['active', 'paused', 'archived'] as const).map((value) => ({
            value,
            label: words.kit.states[value],
          })),
        },
      ]}
      actions={isAdmin ? [{ label: words.projects.add, tone: 'main', icon: 'plus', keys: 'n', run: add }] : []}
      empty={{
        title: words.projects.empty,
        sentence: words.projects.emptySentence,
        action: isAdmin && (
          <Button tone="main" onClick={add}>
            {words.projects.add}
          </Button>
        ),
      }}
      below={
        <>
          <ProjectDialog subject={edited} mayChangeQuotas={isAdmin} onClose={() => setEdited(undefined)} />
          <Confirm
            title={words.projects.archiveTitle(archived?.name ?? '')}
            action={words.projects.archive}
            typed={archived?.name ?? ''}
            isOpen={archived !== undefined}
            onClose={() => setArchived(undefined)}
            onConfirm={async () => {
              if (archived === undefined) return
              await archive.run({ params: { id: archived.id } })
              toast({ text: words.projects.archived(archived.name) })
            }}
          >
            {words.projects.archiveSentence}
          </Confirm>
        </>
      }
    />
  )
}

const Name = ({ project: { id, name } }: { project: Project }) => (
  <Link to={to.overview(id)}>
    <Foreign text={name} />
  </Link>
)

interface DoingsProps {
  project: Project
  isAdmin: boolean
  mayRename: boolean
  onEdit: () => void
  onArchive: () => void
}

function Doings({ project: { id, name, status }, isAdmin, mayRename, onEdit, onArchive }: DoingsProps) {
  const update = useUpdateProject()
  const restore = useRestoreProject()
  const params = { id }
  const set = async (next: 'active' | 'paused'): Promise<void> => {
    const sentence = next === 'paused' ? words.projects.paused : words.projects.resumed
    const undo = (): void => void set(next === 'paused' ? 'active' : 'paused')
    await update.run({ params, body: { status: next } }).then(() => toast({ text: sentence(name), undo }), toastProblem)
  }
  const bringBack = (): unknown =>
    restore.run({ params }).then(() => toast({ text: words.projects.restored(name) }), toastProblem)
  if (status === 'archived') {
    return (
      isAdmin && (
        <Button isSmall icon="undo" isBusy={restore.isBusy} onClick={bringBack}>
          {words.projects.restore}
        </Button>
      )
    )
  }
  return (
    <>
      {isAdmin && (
        <Button
          isSmall
          icon={status === 'paused' ? 'play' : 'pause'}
          isBusy={update.isBusy}
          onClick={() => void set(status === 'paused' ? 'active' : 'paused')}
        >
          {status === 'paused' ? words.projects.resume : words.projects.pause}
        </Button>
      )}
      {mayRename && (
        <Button isSmall icon="edit" onClick={onEdit}>
          {words.projects.edit}
        </Button>
      )}
      {isAdmin && (
        <Menu
          button={<IconButton label={words.projects.more(name)} icon="more" isSmall />}
          groups={[{ entries: [{ label: words.projects.archive, icon: 'bin', tone: 'bad', run: onArchive }] }]}
        />
      )}
    </>
  )
}
