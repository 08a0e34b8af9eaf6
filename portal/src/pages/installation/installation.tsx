import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Freshness } from '../../kit/freshness.tsx'
import { Notice } from '../../kit/notice.tsx'
import { useNow } from '../../kit/now.ts'
import { PageBody, PageHead } from '../../kit/page.tsx'
import { Table } from '../../kit/table.tsx'
import { Columns, Foreign, Mono, Stack } from '../../kit/text.tsx'
import { toast, toastProblem } from '../../kit/toast.tsx'
import { Waiting } from '../../kit/waiting.tsx'
import { words } from '../../words/words.ts'
import { SettingsSections } from '../settings/sections.tsx'
import { checksOf } from './checks.ts'
import { Configuration } from './configuration.tsx'
import { installation, useNoteBackup, type Installation } from './data.ts'
import { Machines, Retention } from './facts.tsx'
import { Mailbox } from './mailbox.tsx'
import { Processes } from './processes.tsx'

const REFRESH_MS = 60_000

export function Page() {
  const query = useQuery({ ...installation(), refetchInterval: REFRESH_MS })
  return (
    <PageBody>
      <PageHead title={words.installation.title} note={words.installation.note} />
      <SettingsSections />
      <Freshness query={query} />
      {query.data !== undefined ? <Seen seen={query.data} /> : <Waiting query={query} rows="tall" />}
    </PageBody>
  )
}

const Seen = ({ seen }: { seen: Installation }) => (
  <Stack>
    {!seen.master.backedUpHint && <BackupNotice />}
    <Checks seen={seen} />
    {seen.smtp.addresses.length > 0 && <Addresses addresses={seen.smtp.addresses} />}
    <Processes roles={seen.roles} />
    <Columns areHalves>
      <Machines seen={seen} />
      <Retention days={seen.retention} />
    </Columns>
    <Configuration settings={seen.configuration} />
    <Mailbox />
  </Stack>
)

function BackupNotice() {
  const text = words.installation.masterKey
  const note = useNoteBackup()
  const say = (): void => {
    note.run({}).then(() => toast({ text: text.noted }), toastProblem)
  }
  return (
    <Notice
      tone="warn"
      title={text.title}
      actions={
        <Button isBusy={note.isBusy} onClick={say}>
          {text.note}
        </Button>
      }
    >
      {text.sentences.notKept}
    </Notice>
  )
}

const MINUTE_MS = 60_000

function Checks({ seen }: { seen: Installation }) {
  const text = words.installation.checks
  const now = useNow(MINUTE_MS)
  return (
    <Card title={text.title} isFlush>
      <Table
        label={text.title}
        rows={checksOf(seen, now)}
        rowId={({ name }) => name}
        columns={[
          { name: 'check', title: text.check, cell: ({ name }) => name },
          {
            name: 'state',
            title: text.state,
            isNarrow: true,
            cell: ({ tone, state }) => <Badge tone={tone}>{state}</Badge>,
          },
          { name: 'meaning', title: text.meaning, cell: ({ sentence }) => <Foreign text={sentence} /> },
        ]}
      />
    </Card>
  )
}

function Addresses({ addresses }: { addresses: Installation['smtp']['addresses'] }) {
  const text = words.installation.addresses
  return (
    <Card title={text.title} isFlush>
      <Table
        label={text.title}
        rows={addresses}
        rowId={({ address }) => address}
        columns={[
          { name: 'address', title: text.address, cell: ({ address }) => <Mono>{address}</Mono> },
          { name: 'ptr', title: text.ptr, cell: ({ ptr }) => (ptr === null ? text.none : <Foreign text={ptr} />) },
          {
            name: 'state',
            title: text.state,
            isNarrow: true,
            cell: ({ matches }) => <Badge tone={matches ? 'ok' : 'warn'}>{matches ? text.fits : text.differs}</Badge>,
          },
        ]}
      />
    </Card>
  )
}
