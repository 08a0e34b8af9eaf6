import { Card } from '../../kit/card.tsx'
import { Facts } from '../../kit/facts.tsx'
import { Notice } from '../../kit/notice.tsx'
import { Foreign, Stack } from '../../kit/text.tsx'
import { NumberedList } from '../../kit/numbered-list.tsx'
import { words } from '../../words/words.ts'
import type { Domain } from './records.ts'

const said = words.domains.host

/** Whose panel the records are created in, how that is done there, and what goes wrong there. */
export function DnsHostCard({ dns: { provider, nameServers } }: Pick<Domain, 'dns'>) {
  const host = words.domains.hosts[provider ?? 'other']
  return (
    <Card title={said.title}>
      <Stack>
        <span>{provider === null ? said.unknown : provider === 'other' ? said.other : said.recognised(host.name)}</span>
        <NumberedList label={said.steps(host.name)} items={host.steps} />
        <Notice tone="warn" title={said.trap}>
          {host.trap}
        </Notice>
        {nameServers.length > 0 && (
          <Facts
            facts={[
              {
                name: said.servers,
                value: (
                  <Stack isTight>
                    {nameServers.map((server) => (
                      <Foreign key={server} text={server} />
                    ))}
                  </Stack>
                ),
              },
            ]}
          />
        )}
      </Stack>
    </Card>
  )
}
