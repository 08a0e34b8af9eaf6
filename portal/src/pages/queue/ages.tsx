import { Card } from '../../kit/card.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Table } from '../../kit/table.tsx'
import { Quiet } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'
import type { Destination } from './data.ts'

const said = words.queue.ages

const classes = ['under5Minutes', 'under1Hour', 'under6Hours', 'under24Hours', 'older'] as const

/** The mail that waits for a destination, by how long ago it was accepted. */
export function Ages({ ages }: { ages: Destination['ages'] }) {
  const isEmpty = classes.every((name) => ages[name] === 0)
  return (
    <Card title={said.title} isFlush={!isEmpty} {...(ages.isMore && { foot: <Quiet isSmall>{said.more}</Quiet> })}>
      {isEmpty ? (
        <Quiet>{said.nothing}</Quiet>
      ) : (
        <Table
          label={said.title}
          rows={classes}
          rowId={(name) => name}
          columns={[
            { name: 'age', title: said.age, cell: (name) => said.classes[name] },
            { name: 'waiting', title: said.recipients, isNumber: true, cell: (name) => formatNumber(ages[name]) },
          ]}
        />
      )}
    </Card>
  )
}
