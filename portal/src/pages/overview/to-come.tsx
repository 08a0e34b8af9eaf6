import { Card } from '../../kit/card.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'

/** The place of a card whose code is being fetched. */
export const ToCome = ({ title, rows }: { title: string; rows: number }) => (
  <Card title={title}>
    <Skeleton rows={rows} />
  </Card>
)
