import { useQuery } from '@tanstack/react-query'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Table } from '../../kit/table.tsx'
import { Foreign, Quiet } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { toastProblem } from '../../kit/toast.tsx'
import { Waiting } from '../../kit/waiting.tsx'
import { words } from '../../words/words.ts'
import { operatorMail, saveOperatorMail, type OperatorMail } from './data.ts'

/** What other operators wrote. It can be downloaded, and is not shown here: strangers wrote it. */
export function Mailbox() {
  const query = useQuery(operatorMail())
  const text = words.installation.mailbox
  return (
    <Card title={text.title} isFlush foot={<Quiet isSmall>{text.note}</Quiet>}>
      {query.data === undefined ? (
        <Waiting query={query} rows={3} />
      ) : query.data.data.length === 0 ? (
        <Empty icon="mail" title={text.empty} sentence={text.emptySentence} />
      ) : (
        <Mails mails={query.data.data} />
      )}
    </Card>
  )
}

function Mails({ mails }: { mails: readonly OperatorMail[] }) {
  const text = words.installation.mailbox
  return (
    <Table
      label={text.title}
      rows={mails}
      rowId={({ id }) => id}
      rowName={({ subject }) => subject ?? text.noSubject}
      columns={[
        {
          name: 'subject',
          title: text.subject,
          cell: ({ subject }) => (subject === null ? text.noSubject : <Foreign text={subject} />),
        },
        {
          name: 'from',
          title: text.from,
          cell: ({ from }) => (from === null ? text.noSender : <Foreign text={from} />),
        },
        { name: 'to', title: text.to, cell: ({ recipient }) => <Foreign text={recipient} /> },
        { name: 'time', title: text.time, isNarrow: true, cell: ({ receivedAt }) => <Time at={receivedAt} /> },
        {
          name: 'actions',
          title: text.actions,
          isActions: true,
          cell: ({ id }) => (
            <Button isSmall icon="download" onClick={() => void saveOperatorMail(id).catch(toastProblem)}>
              {text.download}
            </Button>
          ),
        },
      ]}
    />
  )
}
