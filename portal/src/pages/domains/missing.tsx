import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Code } from '../../kit/code.tsx'
import { Failure } from '../../kit/empty.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Segments } from '../../kit/tabs.tsx'
import { Quiet, Row, Stack } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'
import { zoneQuery } from './data.ts'
import { letterFor } from './letter.ts'
import { missingOf, type Domain } from './records.ts'

const said = words.domains.missingAll

/** All that is missing in one piece: for a DNS that takes files, or for whoever looks after it. */
export function MissingRecords({ domain, project }: { domain: Domain; project: string }) {
  const [form, setForm] = useState<'zone' | 'text'>('zone')
  if (missingOf(domain).length === 0) return null
  return (
    <Card title={said.title}>
      <Stack>
        <Quiet>{said.sentence}</Quiet>
        <Segments
          label={said.form}
          options={[
            { value: 'zone', label: said.forms.zone },
            { value: 'text', label: said.forms.text },
          ]}
          value={form}
          onChange={setForm}
        />
        {form === 'zone' ? (
          <ZoneFile domain={domain} project={project} />
        ) : (
          <Code text={letterFor(domain)} label={said.text} copyLabel={said.copyText} wraps />
        )}
      </Stack>
    </Card>
  )
}

function ZoneFile({ domain, project }: { domain: Domain; project: string }) {
  const { data, error, refetch } = useQuery(zoneQuery(project, domain))
  if (data === undefined) {
    return error === null ? <Skeleton rows={3} /> : <Failure error={error} onRetry={() => void refetch()} />
  }
  return (
    <>
      <Code text={data.text} label={said.zone} copyLabel={said.copyZone} />
      <Row>
        <Button icon="download" onClick={data.save}>
          {said.download}
        </Button>
      </Row>
    </>
  )
}
