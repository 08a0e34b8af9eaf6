import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Action } from '../../kit/actions.ts'
import { Status } from '../../kit/badge.tsx'
import { DetailPage } from '../../kit/detail-page.tsx'
import { Notice } from '../../kit/notice.tsx'
import { Refusal } from '../../kit/refusal.tsx'
import { Stack } from '../../kit/text.tsx'
import { useKnownRows } from '../../shell/api.ts'
import { useLive } from '../../shell/live.ts'
import { useParameter } from '../../shell/parameters.ts'
import { useProject } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { domainQuery } from './data.ts'
import { Deliverability } from './deliverability.tsx'
import { DkimKeys } from './dkim.tsx'
import { DmarcReports } from './dmarc-reports.tsx'
import { DmarcHelper } from './dmarc.tsx'
import { DomainFacts } from './facts.tsx'
import { DnsHostCard } from './host.tsx'
import { useLooking } from './looking.ts'
import { MissingRecords } from './missing.tsx'
import { RecordCard } from './record.tsx'
import { isWanted, missingOf, type Domain } from './records.ts'
import { DeleteDomain } from './remove.tsx'
import { TrackingCard } from './tracking.tsx'

const said = words.domains

/** One domain: the records to create, what was seen of each, and help with the panel in which they are created. */
export function Page() {
  const project = useProject()
  const id = useParameter('domainId')
  const query = useQuery(domainQuery(project.id, id))
  useLive(query.data && `domain:${id}`, ['GET /domains/:id'])
  const known = useKnownRows('GET /domains').find((row) => row.id === id)
  const mayChange = project.can('domains:write')
  const looking = useLooking(project.id, id, query.data, mayChange)
  const [isDeleting, setDeleting] = useState(false)
  const actions = (domain: Domain): readonly Action[] =>
    mayChange
      ? [
          {
            label: said.look.action,
            icon: 'refresh',
            tone: missingOf(domain).length > 0 ? 'main' : 'plain',
            isBusy: looking.isBusy,
            run: looking.look,
          },
          { label: said.remove.action, icon: 'bin', tone: 'bad', place: 'menu', run: () => setDeleting(true) },
        ]
      : []
  return (
    <>
      <DetailPage
        path={[{ label: said.title, to: to.domains(project.id) }]}
        id={id}
        query={query}
        title={({ name }) => name}
        knownTitle={known?.name}
        status={({ status }) => <Status state={status} />}
        note={(domain) => missingOf(domain).length > 0 && said.look.every}
        actions={actions}
        above={(domain) => <State domain={domain} refusal={looking.refusal} />}
        aside={(domain) => (
          <>
            <DnsHostCard dns={domain.dns} />
            <DkimKeys domain={domain} project={project.id} mayChange={mayChange} />
            <TrackingCard domain={domain} project={project.id} mayChange={mayChange} />
            <DomainFacts domain={domain} />
          </>
        )}
      >
        {(domain) => (
          <>
            {domain.records
              .filter((record) => isWanted(domain, record))
              .map((record) => (
                <RecordCard
                  key={`${record.purpose} ${record.name}`}
                  record={record}
                  nextAt={looking.nextAt ?? domain.nextCheckAt}
                />
              ))}
            <MissingRecords domain={domain} project={project.id} />
            {project.sees('stats:read') && <Deliverability project={project.id} id={id} />}
            <DmarcHelper domain={domain} project={project.id} />
            <DmarcReports domain={domain} project={project.id} />
          </>
        )}
      </DetailPage>
      {query.data !== undefined && mayChange && (
        <DeleteDomain domain={query.data} project={project.id} isOpen={isDeleting} onClose={() => setDeleting(false)} />
      )}
    </>
  )
}

const tones = { pending: 'info', warning: 'warn', failed: 'bad' } as const

function State({ domain: { status }, refusal }: { domain: Domain; refusal: unknown }) {
  return (
    <Stack isTight>
      {refusal !== undefined && <Refusal error={refusal} />}
      {status !== 'verified' && <Notice tone={tones[status]}>{said.state[status]}</Notice>}
    </Stack>
  )
}
