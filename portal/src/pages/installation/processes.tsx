import { Badge } from '../../kit/badge.tsx'
import { Card } from '../../kit/card.tsx'
import { Empty } from '../../kit/empty.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Table } from '../../kit/table.tsx'
import { Foreign } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { words } from '../../words/words.ts'
import type { Installation } from './data.ts'

/** The processes of every node. */
export function Processes({ roles }: { roles: Installation['roles'] }) {
  const text = words.installation.processes
  return (
    <Card title={text.title} isFlush>
      {roles.length === 0 ? (
        <Empty title={text.empty} sentence={text.emptySentence} />
      ) : (
        <Table
          label={text.title}
          rows={roles}
          rowId={({ node, role }) => `${node} ${role}`}
          columns={[
            { name: 'role', title: text.role, cell: ({ role }) => role },
            { name: 'node', title: text.node, cell: ({ node }) => <Foreign text={node} /> },
            {
              name: 'state',
              title: text.state,
              cell: ({ up }) => <Badge tone={up ? 'ok' : 'bad'}>{up ? text.up : text.down}</Badge>,
            },
            { name: 'restarts', title: text.restarts, isNumber: true, cell: ({ restarts }) => formatNumber(restarts) },
            {
              name: 'heard',
              title: text.heard,
              isNarrow: true,
              cell: ({ heartbeatAt }) => <Time at={heartbeatAt} />,
            },
          ]}
        />
      )}
    </Card>
  )
}
