import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Action } from '../../kit/actions.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { DetailPage } from '../../kit/detail-page.tsx'
import { formatDuration, formatPercent } from '../../kit/format.ts'
import { Notice } from '../../kit/notice.tsx'
import { toastProblem } from '../../kit/toast.tsx'
import { useLive } from '../../shell/live.ts'
import { useParameter } from '../../shell/parameters.ts'
import { useProject } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { CheckCode } from './check.tsx'
import { stateOf, useUpdateWebhook, webhookQuery, type Webhook } from './data.ts'
import { Deliveries } from './deliveries.tsx'
import { DeleteEndpoint, EditEndpoint } from './endpoint-dialogs.tsx'
import { EndpointFacts } from './endpoint-facts.tsx'
import { Receivers } from './receivers-card.tsx'
import { SecretCard } from './secret.tsx'
import { TestCard } from './test-card.tsx'
import { useSecret } from './use-secret.ts'

const said = words.webhooks

/** One endpoint: its secret, a test, what it was told, and help for the code behind it. */
export function Page() {
  const project = useProject()
  const id = useParameter('webhookId')
  const query = useQuery(webhookQuery(project.id, id))
  useLive(query.data && `webhook:${id}`, ['GET /webhooks/:id', 'GET /webhooks/:id/deliveries'])
  const secret = useSecret(project.id, id)
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const mayChange = project.can('webhooks:write')
  const close = (): void => setOpen(undefined)
  const actions: readonly Action[] = mayChange
    ? [
        { label: said.edit.action, icon: 'edit', run: () => setOpen('edit') },
        { label: said.remove.action, icon: 'bin', tone: 'bad', place: 'menu', run: () => setOpen('delete') },
      ]
    : []
  return (
    <>
      <DetailPage
        path={[{ label: said.title, to: to.webhooks(project.id) }]}
        id={id}
        query={query}
        title={({ url }) => url}
        status={(endpoint) => <StateOf endpoint={endpoint} />}
        note={healthOf}
        actions={() => actions}
        above={(endpoint) =>
          !endpoint.enabled && <Disabled endpoint={endpoint} project={project.id} mayChange={mayChange} />
        }
        aside={(endpoint) => <EndpointFacts endpoint={endpoint} project={project} />}
      >
        {(endpoint) => (
          <>
            {mayChange && <SecretCard secret={secret} />}
            {mayChange && <TestCard endpoint={endpoint} project={project.id} />}
            <Deliveries endpoint={endpoint} project={project} />
            {mayChange && <CheckCode secret={secret} />}
            <Receivers endpoint={endpoint} />
          </>
        )}
      </DetailPage>
      {query.data !== undefined && mayChange && (
        <>
          <EditEndpoint
            key={`edit-${open}`}
            endpoint={query.data}
            project={project.id}
            isOpen={open === 'edit'}
            onClose={close}
          />
          <DeleteEndpoint endpoint={query.data} project={project.id} isOpen={open === 'delete'} onClose={close} />
        </>
      )}
    </>
  )
}

function StateOf({ endpoint }: { endpoint: Webhook }) {
  const { tone, word } = stateOf(endpoint)
  return <Badge tone={tone}>{word}</Badge>
}

/** "99.8 % in 24 h · p95 120 ms". */
const healthOf = ({ health }: Webhook): string =>
  [
    health.successRate24h === null ? undefined : said.health.rate(formatPercent(health.successRate24h)),
    health.p95Ms === null ? undefined : said.health.p95(formatDuration(health.p95Ms)),
  ]
    .filter((part) => part !== undefined)
    .join(' · ')

function Disabled({ endpoint, project, mayChange }: { endpoint: Webhook; project: string; mayChange: boolean }) {
  const update = useUpdateWebhook()
  const enable = (): void =>
    void update.run({ project, params: { id: endpoint.id }, body: { enabled: true } }).catch(toastProblem)
  return (
    <Notice
      tone="warn"
      title={said.disabledWhy}
      actions={
        mayChange && (
          <Button isBusy={update.isBusy} onClick={enable}>
            {said.enable}
          </Button>
        )
      }
    >
      {endpoint.disabledReason ?? said.disabledByPerson}
    </Notice>
  )
}
