import { Badge, Status, stateWord } from '../../kit/badge.tsx'
import { LinkButton } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { Foreign, Quiet, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { usePageExists } from '../../shell/pages.ts'
import type { Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { subjectOf } from '../emails/data.ts'
import type { Address, Contact, Mail, Received as ReceivedMail, Run } from './data.ts'

const said = words.addresses

interface PartProps {
  address: Address
  project: Project
}

/** What was sent to the address, and what became of it. */
export function Emails({ address: { email, emails }, project }: PartProps) {
  const text = said.emails
  return (
    <Card
      title={text.title}
      isFlush={emails.last.length > 0}
      note={<Quiet isSmall>{countsOf(emails.counts)}</Quiet>}
      tools={
        <LinkButton isSmall to={`${to.emails(project.id)}?to=${encodeURIComponent(email)}`}>
          {text.all}
        </LinkButton>
      }
    >
      {emails.last.length === 0 ? (
        <Quiet>{text.none}</Quiet>
      ) : (
        <Table
          label={text.title}
          rows={emails.last}
          rowId={({ id }) => id}
          rowTo={({ id }) => to.email(project.id, id)}
          columns={mailColumns}
        />
      )}
    </Card>
  )
}

const countsOf = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([state, count]) => said.emails.counts(count, stateWord(state)))
    .join(', ')

const mailColumns: readonly Column<Mail>[] = [
  { name: 'subject', title: said.emails.subject, cell: (mail) => <Foreign text={subjectOf(mail)} /> },
  { name: 'status', title: said.emails.status, isNarrow: true, cell: ({ status }) => <Status state={status} /> },
  {
    name: 'meaning',
    title: said.emails.meaning,
    cell: ({ explanation }) => (explanation === null ? words.kit.none : explanation.title),
  },
  { name: 'time', title: said.emails.time, isNarrow: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** What came from the address. */
export function Received({ address: { received }, project }: PartProps) {
  const exists = usePageExists()
  const text = said.received
  const rowTo = exists('/p/$projectId/inbox/$receivedId')
    ? ({ id }: ReceivedMail) => to.received(project.id, id)
    : undefined
  return (
    <Card title={text.title} isFlush={received.length > 0}>
      {received.length === 0 ? (
        <Quiet>{text.none}</Quiet>
      ) : (
        <Table label={text.title} rows={received} rowId={({ id }) => id} rowTo={rowTo} columns={receivedColumns} />
      )}
    </Card>
  )
}

const receivedColumns: readonly Column<ReceivedMail>[] = [
  {
    name: 'subject',
    title: said.received.subject,
    cell: ({ subject }) => <Foreign text={subject === null || subject === '' ? words.emails.noSubject : subject} />,
  },
  { name: 'to', title: said.received.to, cell: ({ to: receiver }) => <Foreign text={receiver} /> },
  { name: 'time', title: said.received.time, isNarrow: true, cell: ({ receivedAt }) => <Time at={receivedAt} /> },
]

/** The automations that the address went through. */
export function Runs({ address: { runs }, project }: PartProps) {
  const exists = usePageExists()
  const text = said.runs
  const rowTo = exists('/p/$projectId/automations/$automationId')
    ? ({ automationId }: Run) => to.automation(project.id, automationId)
    : undefined
  return (
    <Card title={text.title} isFlush={runs.length > 0}>
      {runs.length === 0 ? (
        <Quiet>{text.none}</Quiet>
      ) : (
        <Table label={text.title} rows={runs} rowId={({ id }) => id} rowTo={rowTo} columns={runColumns} />
      )}
    </Card>
  )
}

const runColumns: readonly Column<Run>[] = [
  {
    name: 'automation',
    title: said.runs.automation,
    cell: ({ automationName }) => <Foreign text={automationName} />,
  },
  { name: 'status', title: said.runs.status, isNarrow: true, cell: ({ status }) => <Status state={status} /> },
  { name: 'started', title: said.runs.started, isNarrow: true, cell: ({ startedAt }) => <Time at={startedAt} /> },
]

/** Which lists the address is on, and whether it asked to be. */
export const Audiences = ({ address: { contacts } }: { address: Address }) => (
  <Card title={said.audiences.title} isFlush={contacts.length > 0}>
    {contacts.length === 0 ? (
      <Quiet>{said.audiences.none}</Quiet>
    ) : (
      <Table label={said.audiences.title} rows={contacts} rowId={({ id }) => id} columns={contactColumns} />
    )}
  </Card>
)

const contactColumns: readonly Column<Contact>[] = [
  {
    name: 'name',
    title: said.audiences.name,
    cell: ({ audienceName, firstName, lastName }) => (
      <Stack isTight>
        <Foreign text={audienceName} />
        <Quiet isSmall>
          <Foreign text={[firstName, lastName].filter((name) => name !== null).join(' ')} />
        </Quiet>
      </Stack>
    ),
  },
  {
    name: 'state',
    title: said.audiences.state,
    isNarrow: true,
    cell: ({ subscribed }) => (
      <Badge tone={subscribed ? 'ok' : 'none'}>
        {subscribed ? said.audiences.subscribed : said.audiences.unsubscribed}
      </Badge>
    ),
  },
  { name: 'consent', title: said.audiences.consent, cell: ({ consent }) => <Consent consent={consent} /> },
]

const Consent = ({ consent }: Pick<Contact, 'consent'>) =>
  consent === null ? (
    <Quiet>{said.audiences.noConsent}</Quiet>
  ) : (
    <Stack isTight>
      <Time at={consent.at ?? consent.recordedAt} />
      {consent.source !== null && (
        <Quiet isSmall>
          <Foreign text={consent.source} />
        </Quiet>
      )}
    </Stack>
  )
