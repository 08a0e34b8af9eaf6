import { Card } from '../../kit/card.tsx'
import { Switch } from '../../kit/choice.tsx'
import { Facts } from '../../kit/facts.tsx'
import { formatDuration, formatNumber, formatPercent } from '../../kit/format.ts'
import { Id } from '../../kit/id.tsx'
import { Foreign, Mono, Quiet, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { toastProblem } from '../../kit/toast.tsx'
import type { Project } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { useUpdateWebhook, type Webhook } from './data.ts'
import { meaningOf } from './kinds.ts'

const said = words.webhooks

/** What an endpoint is, how it does, and what it is told of. */
export const EndpointFacts = ({ endpoint, project }: { endpoint: Webhook; project: Project }) => (
  <>
    <Card title={said.facts.title}>
      <Stack>
        {project.can('webhooks:write') && <EnabledSwitch endpoint={endpoint} project={project.id} />}
        <Facts
          facts={[
            { name: said.facts.url, value: <Foreign text={endpoint.url} /> },
            endpoint.description !== null && {
              name: said.facts.description,
              value: <Foreign text={endpoint.description} />,
            },
            { name: said.facts.added, value: <Time at={endpoint.createdAt} form="short" /> },
            { name: said.facts.id, value: <Id id={endpoint.id} /> },
          ]}
        />
      </Stack>
    </Card>
    <Health endpoint={endpoint} />
    <Card title={said.facts.events}>
      <Stack>
        {endpoint.events.map((kind) => (
          <Stack isTight key={kind}>
            <Mono>{kind}</Mono>
            <Quiet isSmall>{meaningOf(kind)}</Quiet>
          </Stack>
        ))}
      </Stack>
    </Card>
  </>
)

function EnabledSwitch({ endpoint, project }: { endpoint: Webhook; project: string }) {
  const update = useUpdateWebhook()
  const change = (enabled: boolean): void =>
    void update.run({ project, params: { id: endpoint.id }, body: { enabled } }).catch(toastProblem)
  return (
    <Switch
      label={said.enabledSwitch}
      name="enabled"
      value={endpoint.enabled}
      onChange={change}
      hint={said.enabledHint}
      isDisabled={update.isBusy}
    />
  )
}

const Health = ({ endpoint: { health } }: { endpoint: Webhook }) => (
  <Card title={said.health.title}>
    <Facts
      facts={[
        {
          name: said.health.rateName,
          value: health.successRate24h === null ? said.health.nothing : formatPercent(health.successRate24h),
        },
        health.p95Ms !== null && { name: said.health.p95Name, value: formatDuration(health.p95Ms) },
        { name: said.health.lastDelivered, value: <Time at={health.lastDeliveredAt} /> },
        health.failingSince !== null && { name: said.health.failingSince, value: <Time at={health.failingSince} /> },
        { name: said.health.waiting, value: formatNumber(health.pending) },
      ]}
    />
  </Card>
)
