import { useState } from 'react'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import type { Column } from '../../kit/table.tsx'
import { Foreign, Quiet, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { asCurl } from '../../shell/requests.ts'
import { useProject, useSession, type Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { AddEndpoint } from './add.tsx'
import { stateOf, webhookRows, type WebhookRow } from './data.ts'
import { isStandard } from './kinds.ts'
import { ReplayAll } from './replay-all.tsx'
import { webhooksSearch } from './search.ts'

const said = words.webhooks

/** The endpoints of the project. */
export function Page() {
  const project = useProject()
  const { installation } = useSession()
  const [isAdding, setAdding] = useState(false)
  const mayChange = project.can('webhooks:write')
  const add = (): void => setAdding(true)
  return (
    <>
      <ListPage
        title={said.title}
        search={webhooksSearch}
        rows={() => webhookRows(project.id)}
        columns={columnsFor(project)}
        rowId={({ id }) => id}
        rowName={({ url }) => url}
        rowTo={({ id }) => to.webhook(project.id, id)}
        find={{ in: ({ url, description }) => `${url} ${description ?? ''}`, placeholder: said.find }}
        actions={mayChange ? [{ label: said.add.action, tone: 'main', icon: 'plus', keys: 'n', run: add }] : []}
        empty={{
          icon: 'webhook',
          title: said.empty.title,
          sentence: said.empty.sentence,
          ...(mayChange && {
            action: (
              <Button tone="main" icon="plus" onClick={add}>
                {said.empty.action}
              </Button>
            ),
          }),
          curl: curlFor(project.id, installation.publicUrl),
          docs: '/docs',
        }}
      />
      {mayChange && (
        <AddEndpoint key={String(isAdding)} project={project.id} isOpen={isAdding} onClose={() => setAdding(false)} />
      )}
    </>
  )
}

const columnsFor = (project: Project): readonly Column<WebhookRow>[] => [
  {
    name: 'url',
    title: said.columns.url,
    cell: ({ url, description }) => (
      <Stack isTight>
        <Foreign text={url} />
        {description !== null && (
          <Quiet isSmall>
            <Foreign text={description} />
          </Quiet>
        )}
      </Stack>
    ),
  },
  { name: 'state', title: said.columns.state, isNarrow: true, cell: (endpoint) => <StateOf endpoint={endpoint} /> },
  {
    name: 'events',
    title: said.columns.events,
    cell: ({ events }) => (isStandard(events) ? said.allStandard : said.events(events.length)),
  },
  { name: 'created', title: said.columns.created, isNarrow: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ...(project.can('webhooks:write')
    ? [
        {
          name: 'actions',
          title: said.columns.actions,
          isActions: true,
          cell: ({ id }: WebhookRow) => <ReplayAll project={project.id} id={id} isSmall />,
        },
      ]
    : []),
]

function StateOf({ endpoint }: { endpoint: WebhookRow }) {
  const { tone, word } = stateOf(endpoint)
  return <Badge tone={tone}>{word}</Badge>
}

const curlFor = (project: string, origin: string): string =>
  asCurl(
    {
      method: 'POST',
      path: '/api/v1/webhooks',
      project,
      body: JSON.stringify({ url: 'https://example.com/hooks/posthouse' }),
    },
    origin,
  )
