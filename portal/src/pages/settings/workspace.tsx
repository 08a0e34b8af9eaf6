import { useQuery } from '@tanstack/react-query'
import { Card } from '../../kit/card.tsx'
import { Checkbox } from '../../kit/choice.tsx'
import { Facts } from '../../kit/facts.tsx'
import { NumberField, TextField } from '../../kit/field.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { Freshness } from '../../kit/freshness.tsx'
import { Id } from '../../kit/id.tsx'
import { Notice } from '../../kit/notice.tsx'
import { PageBody, PageHead } from '../../kit/page.tsx'
import { Foreign, Quiet, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { Waiting } from '../../kit/waiting.tsx'
import type { Reply } from '@posthouse/sdk'
import { mayAdminister, useSession } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { useUpdateWorkspace, workspace } from './data.ts'
import { SettingsSections } from './sections.tsx'

type Workspace = Reply<'GET /workspace'>

export function Page() {
  const query = useQuery(workspace())
  return (
    <PageBody isNarrow>
      <PageHead title={words.settings.title} />
      <SettingsSections />
      <Freshness query={query} />
      {query.data !== undefined ? <Settings workspace={query.data} /> : <Waiting query={query} rows="tall" />}
    </PageBody>
  )
}

function Settings({ workspace: { id, createdAt, ...rest } }: { workspace: Workspace }) {
  const session = useSession()
  const { version, publicUrl, systemSender } = session.installation
  return (
    <Stack>
      <Card title={words.settings.general}>
        <WorkspaceForm workspace={{ id, createdAt, ...rest }} mayChange={mayAdminister(session)} />
      </Card>
      <Card title={words.settings.installation}>
        <Facts
          facts={[
            { name: words.settings.version, value: version },
            { name: words.settings.publicUrl, value: publicUrl },
            {
              name: words.settings.systemSender,
              value: (
                <Stack isTight>
                  {systemSender === null ? words.settings.noSystemSender : <Foreign text={systemSender} />}
                  <Quiet isSmall>{words.settings.systemSenderHint}</Quiet>
                </Stack>
              ),
            },
            { name: words.settings.workspaceId, value: <Id id={id} /> },
            { name: words.settings.since, value: <Time at={createdAt} form="short" /> },
          ]}
        />
      </Card>
    </Stack>
  )
}

function WorkspaceForm({ workspace: stored, mayChange }: { workspace: Workspace; mayChange: boolean }) {
  const update = useUpdateWorkspace()
  const form = useForm({
    start: {
      name: stored.name,
      secondFactor: stored.secondFactor === 'required',
      sessionDays: stored.sessionDays as number | undefined,
      sessionIdleHours: stored.sessionIdleHours as number | undefined,
    },
    send: ({ name, secondFactor, sessionDays, sessionIdleHours }) =>
      update.run({
        body: {
          name: name.trim(),
          secondFactor: secondFactor ? 'required' : 'optional',
          sessionDays: sessionDays ?? null,
          sessionIdleHours: sessionIdleHours ?? null,
        },
      }),
    onDone: () => toast({ text: words.settings.saved }),
  })
  return (
    <Form form={form} submit={words.settings.save} reason={mayChange ? undefined : words.settings.onlyAdmins}>
      {!mayChange && <Notice tone="none">{words.settings.onlyAdmins}</Notice>}
      <TextField label={words.settings.name} {...form.field('name')} isDisabled={!mayChange} />
      <Checkbox
        label={words.settings.secondFactor}
        hint={words.settings.secondFactorHint}
        {...form.field('secondFactor')}
        isDisabled={!mayChange}
      />
      <NumberField
        label={words.settings.sessionDays}
        hint={words.settings.sessionDaysHint}
        {...form.field('sessionDays')}
        min={1}
        max={365}
        isDisabled={!mayChange}
      />
      <NumberField
        label={words.settings.sessionIdleHours}
        hint={words.settings.sessionIdleHoursHint}
        {...form.field('sessionIdleHours')}
        min={1}
        max={8760}
        isDisabled={!mayChange}
      />
    </Form>
  )
}
