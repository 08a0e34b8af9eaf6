import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Badge, type StateTone } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Code } from '../../kit/code.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Facts } from '../../kit/facts.tsx'
import { formatNumber, formatPercent } from '../../kit/format.ts'
import { Freshness } from '../../kit/freshness.tsx'
import { Notice } from '../../kit/notice.tsx'
import { Table } from '../../kit/table.tsx'
import { Foreign, Mono, Quiet, Row, Stack } from '../../kit/text.tsx'
import { Waiting } from '../../kit/waiting.tsx'
import { words } from '../../words/words.ts'
import {
  askForReports,
  dmarcAdviceQuery,
  dmarcQuery,
  type DmarcAdvice,
  type DmarcSource,
  type ReportedDomain,
} from './dmarc-data.ts'

const said = words.dmarcReports

/** What receivers report about mail in the name of a domain: by whom it was sent, and what a stricter policy would do. */
export function DmarcReports({ domain, project }: { domain: ReportedDomain; project: string }) {
  const query = useQuery(dmarcQuery(project, domain.id))
  const reports = query.data?.reports ?? 0
  return (
    <>
      <Card title={said.title} isFlush note={reports > 0 && <Quiet isSmall>{said.note(reports)}</Quiet>}>
        <Loaded query={query}>
          {({ data, unproven }) =>
            data.length === 0 ? (
              <NoReports domain={domain} />
            ) : (
              <>
                {unproven > 0 && <Notice tone="info">{said.someUnproven(unproven)}</Notice>}
                <Sources rows={data} />
              </>
            )
          }
        </Loaded>
      </Card>
      <Advice project={project} id={domain.id} />
    </>
  )
}

function Loaded<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  if (query.data === undefined) return <Waiting query={query} rows={3} />
  return (
    <>
      <Freshness query={query} />
      {children(query.data)}
    </>
  )
}

function NoReports({ domain }: { domain: ReportedDomain }) {
  const part = askForReports(domain)
  return (
    <Empty
      title={said.empty.title}
      sentence={said.empty.sentence}
      action={part !== undefined && <Code text={part} label={said.ask} copyLabel={said.copyAsk} wraps />}
    />
  )
}

/** More are shown on request. */
const FIRST_ROWS = 20

const tones: Readonly<Record<'ours' | 'known' | 'stranger' | 'unknown', StateTone>> = {
  ours: 'ok',
  known: 'info',
  stranger: 'warn',
  unknown: 'warn',
}

function Sources({ rows }: { rows: readonly DmarcSource[] }) {
  const [isAll, setAll] = useState(false)
  const hidden = isAll ? 0 : Math.max(0, rows.length - FIRST_ROWS)
  return (
    <>
      <Table
        label={said.title}
        rows={rows.slice(0, rows.length - hidden)}
        rowId={({ key, proven }) => `${key} ${proven}`}
        columns={[
          { name: 'source', title: said.columns.source, cell: ({ key, name }) => <Source address={key} name={name} /> },
          { name: 'kind', title: said.columns.kind, isNarrow: true, cell: (source) => <Whose {...source} /> },
          {
            name: 'messages',
            title: said.columns.messages,
            isNumber: true,
            cell: ({ messages }) => formatNumber(messages),
          },
          {
            name: 'dkim',
            title: said.columns.dkim,
            isNumber: true,
            cell: ({ dkimAligned, messages }) => formatPercent(dkimAligned / messages),
          },
          {
            name: 'spf',
            title: said.columns.spf,
            isNumber: true,
            cell: ({ spfAligned, messages }) => formatPercent(spfAligned / messages),
          },
          { name: 'done', title: said.columns.done, cell: ({ dispositions }) => <HeldBack {...dispositions} /> },
        ]}
      />
      {hidden > 0 && (
        <Row>
          <Button onClick={() => setAll(true)}>{said.showAll(hidden)}</Button>
        </Row>
      )}
    </>
  )
}

const Source = ({ address, name }: { address: string; name: string | null }) => (
  <Stack isTight>
    {address === 'other' ? <span>{said.other}</span> : <Mono>{address}</Mono>}
    {name !== null && (
      <Quiet isSmall>
        <Foreign text={name} />
      </Quiet>
    )}
  </Stack>
)

const Whose = ({ kind, proven = true }: Pick<DmarcSource, 'kind'> & { proven?: boolean }) =>
  kind === null ? null : (
    <Row>
      <Badge tone={tones[kind]}>{said.kinds[kind]}</Badge>
      {!proven && <Badge tone="none">{said.unproven}</Badge>}
    </Row>
  )

const HeldBack = ({ quarantine, reject }: DmarcSource['dispositions']) =>
  quarantine + reject === 0 ? <Quiet>{said.nothingDone}</Quiet> : <span>{said.held(quarantine, reject)}</span>

function Advice({ project, id }: { project: string; id: string }) {
  const query = useQuery(dmarcAdviceQuery(project, id))
  return (
    <Card title={said.advice.title}>
      <Loaded query={query}>{(advice) => <Advised advice={advice} />}</Loaded>
    </Card>
  )
}

function Advised({ advice: { step, messages, wouldLose } }: { advice: DmarcAdvice }) {
  const { messages: lost, share, byKind, sources } = wouldLose
  if (step === 'done') return <span>{said.advice.last(lost, messages)}</span>
  if (step === 'publish' || step === 'reports' || step === 'collect')
    return <span>{words.domains.dmarc.next[step]}</span>
  const isCareful = byKind.ours + byKind.known > 0
  const warning = isCareful ? said.advice.careful : byKind.unknown > 0 ? said.advice.unknown : undefined
  return (
    <Stack>
      <span>{words.domains.dmarc.next[step]}</span>
      <span>
        {lost === 0 ? said.advice.nothingLost(messages) : said.advice.lost(lost, messages, formatPercent(share))}
      </span>
      {lost > 0 && <Notice tone={warning === undefined ? 'info' : 'warn'}>{warning ?? said.advice.strangers}</Notice>}
      {lost > 0 && (
        <Facts
          facts={sources.slice(0, SHOWN_LOST).map(({ key, kind, name, messages: count }) => ({
            name: key === 'other' ? said.other : key,
            value: (
              <Row>
                <span>{formatNumber(count)}</span>
                <Whose kind={kind} />
                {name !== null && <Foreign text={name} />}
              </Row>
            ),
          }))}
        />
      )}
    </Stack>
  )
}

const SHOWN_LOST = 5
