import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Status } from '../../kit/badge.tsx'
import { Card } from '../../kit/card.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { DetailPage } from '../../kit/detail-page.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { Facts } from '../../kit/facts.tsx'
import { Id } from '../../kit/id.tsx'
import { useGo } from '../../kit/link.tsx'
import { Mono, Quiet, Row } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { toast, toastProblem } from '../../kit/toast.tsx'
import { useParameter } from '../../shell/parameters.ts'
import { useProject } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { RecordCard } from '../domains/record.tsx'
import {
  receivingDomainQuery,
  useDeleteReceivingDomain,
  useVerifyReceivingDomain,
  type ReceivingDomain,
} from './data.ts'

const said = words.inbox.domains

/** One domain that mail comes to, with the records that it needs. */
export function Page() {
  const project = useProject()
  const id = useParameter('receivingDomainId')
  const query = useQuery(receivingDomainQuery(project.id, id))
  const verify = useVerifyReceivingDomain()
  const [isDeleting, setDeleting] = useState(false)
  const mayChange = project.can('receiving:write')
  const look = (): void => void verify.run({ project: project.id, params: { id } }).catch(toastProblem)
  return (
    <>
      <DetailPage
        path={[
          { label: words.inbox.title, to: to.inbox(project.id) },
          { label: said.title, to: to.receivingDomains(project.id) },
        ]}
        id={id}
        query={query}
        title={({ name }) => name}
        status={({ status }) => <Status state={status} />}
        actions={({ type }) => [
          ...(mayChange && type === 'custom'
            ? [{ label: said.look, icon: 'refresh' as const, isBusy: verify.isBusy, run: look }]
            : []),
          ...(mayChange
            ? [{ label: said.remove, icon: 'bin' as const, tone: 'bad' as const, run: () => setDeleting(true) }]
            : []),
        ]}
        aside={(domain) => (
          <Card title={words.inbox.facts.title}>
            <Facts
              facts={[
                { name: said.type, value: said.types[domain.type] },
                { name: said.created, value: <Time at={domain.createdAt} form="short" /> },
                domain.verifiedAt !== null && {
                  name: said.verified,
                  value: <Time at={domain.verifiedAt} form="short" />,
                },
                domain.lastCheckedAt !== null && {
                  name: said.checked,
                  value: <Time at={domain.lastCheckedAt} />,
                },
                { name: words.emails.facts.id, value: <Id id={domain.id} /> },
              ]}
            />
          </Card>
        )}
      >
        {(domain) =>
          domain.type === 'managed' ? (
            <Card title={said.address}>
              <Row>
                <Mono>{`hello@${domain.name}`}</Mono>
                <CopyButton text={`hello@${domain.name}`} label={words.inbox.empty.copyAddress} />
              </Row>
              <Quiet isSmall>{said.anyAddress}</Quiet>
            </Card>
          ) : (
            domain.records.map((record) => <RecordCard key={record.purpose} record={record} />)
          )
        }
      </DetailPage>
      {query.data !== undefined && (
        <RemoveDomain domain={query.data} project={project.id} isOpen={isDeleting} onClose={() => setDeleting(false)} />
      )}
    </>
  )
}

interface RemoveDomainProps {
  domain: ReceivingDomain
  project: string
  isOpen: boolean
  onClose: () => void
}

function RemoveDomain({ domain, project, isOpen, onClose }: RemoveDomainProps) {
  const go = useGo()
  const remove = useDeleteReceivingDomain()
  return (
    <Confirm
      title={said.removeTitle(domain.name)}
      action={said.remove}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={async () => {
        await remove.run({ project, params: { id: domain.id } })
        toast({ text: said.removed })
        go(to.receivingDomains(project))
      }}
    >
      {said.removeSentence}
    </Confirm>
  )
}
