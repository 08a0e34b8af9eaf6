import { Card } from '../../kit/card.tsx'
import { Facts } from '../../kit/facts.tsx'
import { Id } from '../../kit/id.tsx'
import { Time } from '../../kit/time.tsx'
import { words } from '../../words/words.ts'
import type { Domain } from './records.ts'

const said = words.domains.facts

export const DomainFacts = ({ domain }: { domain: Domain }) => (
  <Card title={said.title}>
    <Facts
      facts={[
        { name: said.added, value: <Time at={domain.createdAt} form="short" /> },
        domain.verifiedAt !== null && { name: said.verified, value: <Time at={domain.verifiedAt} form="short" /> },
        { name: said.looked, value: <Time at={domain.lastCheckedAt} /> },
        { name: said.next, value: <Time at={domain.nextCheckAt} /> },
        { name: said.id, value: <Id id={domain.id} /> },
      ]}
    />
  </Card>
)
