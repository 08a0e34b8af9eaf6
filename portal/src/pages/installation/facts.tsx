import { Card } from '../../kit/card.tsx'
import { Facts } from '../../kit/facts.tsx'
import { formatBytes, formatNumber } from '../../kit/format.ts'
import { Quiet } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { words } from '../../words/words.ts'
import type { Installation } from './data.ts'

/** What runs, and how much room it has. */
export function Machines({ seen: { version, startedAt, database, disk, asOf } }: { seen: Installation }) {
  const text = words.installation.machines
  return (
    <Card title={text.title}>
      <Facts
        facts={[
          { name: text.version, value: version },
          startedAt !== null && { name: text.startedAt, value: <Time at={startedAt} form="short" /> },
          { name: text.database, value: database?.version ?? text.unknown },
          database !== null && {
            name: text.connections,
            value: text.ofLimit(formatNumber(database.connections), formatNumber(database.limit)),
          },
          database !== null && { name: text.size, value: formatBytes(database.sizeBytes) },
          {
            name: text.disk,
            value:
              disk.freeBytes === null || disk.totalBytes === null
                ? text.unknown
                : text.ofTotal(formatBytes(disk.freeBytes), formatBytes(disk.totalBytes)),
          },
          asOf !== null && { name: text.asOf, value: <Time at={asOf} /> },
        ]}
      />
    </Card>
  )
}

/** What is forgotten after how many days. */
export function Retention({ days }: { days: Installation['retention'] }) {
  const text = words.installation.retention
  return (
    <Card title={text.title} foot={<Quiet isSmall>{text.set}</Quiet>}>
      <Facts
        facts={(['bodies', 'events', 'webhookDeliveries', 'received'] as const).map((what) => ({
          name: text[what],
          value: text.days(days[what]),
        }))}
      />
    </Card>
  )
}
