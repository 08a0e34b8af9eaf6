import { Card } from '../../kit/card.tsx'
import { Switch } from '../../kit/choice.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { Quiet, Stack } from '../../kit/text.tsx'
import { toast, toastProblem } from '../../kit/toast.tsx'
import { words } from '../../words/words.ts'
import { useUpdateDomain } from './data.ts'
import type { Domain } from './records.ts'

const said = words.domains.tracking

interface TrackingProps {
  domain: Domain
  project: string
  mayChange: boolean
}

/** Whether opens and clicks are counted, over which host, and what that means for readers. */
export function TrackingCard({ domain, project, mayChange }: TrackingProps) {
  const update = useUpdateDomain()
  const { tracking } = domain
  const change = (next: Partial<Domain['tracking']>): void =>
    void update.run({ project, params: { id: domain.id }, body: { tracking: next } }).catch(toastProblem)
  const isDisabled = !mayChange || update.isBusy
  return (
    <Card title={said.title}>
      <Stack>
        <Quiet>{said.sentence}</Quiet>
        <Switch
          label={said.opens}
          name="opens"
          value={tracking.opens}
          onChange={(opens) => change({ opens })}
          hint={said.opensHint}
          isDisabled={isDisabled}
        />
        <Switch
          label={said.clicks}
          name="clicks"
          value={tracking.clicks}
          onChange={(clicks) => change({ clicks })}
          hint={said.clicksHint}
          isDisabled={isDisabled}
        />
        {mayChange && <TrackingHost key={tracking.host} domain={domain} project={project} />}
      </Stack>
    </Card>
  )
}

function TrackingHost({ domain, project }: Omit<TrackingProps, 'mayChange'>) {
  const update = useUpdateDomain()
  const form = useForm({
    start: { host: domain.tracking.host ?? '' },
    send: ({ host }) =>
      update.run({
        project,
        params: { id: domain.id },
        body: { tracking: { host: host.trim() === '' ? null : host.trim() } },
      }),
    paths: { '/tracking/host': 'host' },
    onDone: () => toast({ text: said.saved }),
  })
  return (
    <Form form={form} submit={said.save} tone="main" isWide>
      <TextField
        label={said.host}
        {...form.field('host')}
        hint={said.hostHint(domain.name)}
        autoComplete="off"
        isMono
        isOptional
      />
    </Form>
  )
}
