import { useQuery } from '@tanstack/react-query'
import { Card } from '../../kit/card.tsx'
import { Code } from '../../kit/code.tsx'
import { Facts } from '../../kit/facts.tsx'
import { Notice } from '../../kit/notice.tsx'
import { Foreign, Quiet, Stack, Strong } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'
import type { DnsRecord, Domain } from './records.ts'
import { dmarcAdviceQuery } from './dmarc-data.ts'
import { meaningOf, nextRecordOf, type DmarcStep } from './dmarc-steps.ts'

const said = words.domains.dmarc

/** Explains the DMARC record that is there part by part, and offers the next step. */
export function DmarcHelper({ domain, project }: { domain: Domain; project: string }) {
  const { dmarc, records, name, status } = domain
  const { data: advice } = useQuery(dmarcAdviceQuery(project, domain.id))
  const step = advice?.step
  const record = records.find(({ purpose }) => purpose === 'dmarc')
  if (record === undefined) return null
  const isSent = status === 'verified' || status === 'warning'
  return (
    <Card title={said.title}>
      <Stack>
        {dmarc === null ? (
          <span>{record.observed.length > 1 ? said.several : said.none}</span>
        ) : (
          <Explained dmarc={dmarc} record={record} step={step} />
        )}
        <Quiet isSmall>{isSent ? said.ours(name) : said.oursUnsigned(name)}</Quiet>
      </Stack>
    </Card>
  )
}

interface ExplainedProps {
  dmarc: NonNullable<Domain['dmarc']>
  record: DnsRecord
  /** Undefined until it is known. */
  step: DmarcStep | undefined
}

function Explained({ dmarc, record, step }: ExplainedProps) {
  return (
    <>
      <Code text={dmarc.record} label={said.record} copyLabel={null} wraps />
      {dmarc.policy === null && <Notice tone="warn">{said.ignored}</Notice>}
      <Facts
        facts={dmarc.parts.map((part, place) => ({
          name: `${place + 1}. ${part.tag.slice(0, 20)}`,
          value: (
            <Stack isTight>
              <Foreign text={part.value} />
              <Quiet isSmall>{meaningOf(part)}</Quiet>
            </Stack>
          ),
        }))}
      />
      {step !== undefined && (
        <Stack isTight>
          <Strong>{said.nextTitle}</Strong>
          <span>{said.next[step]}</span>
        </Stack>
      )}
      {step !== undefined && step !== 'done' && step !== 'collect' && (
        <Code
          text={nextRecordOf(dmarc, record.value, step)}
          label={said.nextRecord}
          copyLabel={said.copyRecord}
          wraps
        />
      )}
    </>
  )
}
