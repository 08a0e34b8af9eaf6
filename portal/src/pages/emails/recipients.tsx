import { useAddress } from '../../kit/address.ts'
import { Status } from '../../kit/badge.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Table, type Column } from '../../kit/table.tsx'
import { Foreign, Quiet, Stack } from '../../kit/text.tsx'
import { Countdown, Time } from '../../kit/time.tsx'
import type { Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import type { Email, Recipient } from './data.ts'

const said = words.emails.recipients

/**
 * Everybody who gets the email. With several, a press on one shows what happened to that one alone; one alone leads to
 * everything about the address.
 */
export function Recipients({ email, project }: { email: Email; project: Project }) {
  const address = useAddress()
  const toAddress = project.sees('stats:read') ? (one: Recipient) => to.address(project.id, one.email) : undefined
  const rowTo = email.recipients.length > 1 ? (one: Recipient) => address.with({ recipient: one.email }) : toAddress
  return (
    <Table
      label={said.title}
      columns={columns}
      rows={email.recipients}
      rowId={({ email: one, kind }) => `${kind} ${one}`}
      rowTo={rowTo}
    />
  )
}

const columns: readonly Column<Recipient>[] = [
  {
    name: 'address',
    title: said.address,
    cell: ({ email, kind }) => (
      <Stack isTight>
        <Foreign text={email} />
        <Quiet isSmall>{said.kinds[kind]}</Quiet>
      </Stack>
    ),
  },
  { name: 'state', title: said.state, isNarrow: true, cell: ({ status }) => <Status state={status} /> },
  { name: 'attempts', title: said.attempts, isNumber: true, cell: ({ attempts }) => formatNumber(attempts) },
  { name: 'next', title: said.next, isNarrow: true, cell: (recipient) => <Next recipient={recipient} /> },
]

const Next = ({ recipient: { nextAttemptAt } }: { recipient: Recipient }) =>
  nextAttemptAt === null ? (
    words.kit.none
  ) : (
    <>
      <Time at={nextAttemptAt} form="clock" />{' '}
      <Quiet>
        <Countdown to={nextAttemptAt} />
      </Quiet>
    </>
  )
