import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Action } from '../../kit/actions.ts'
import { Card } from '../../kit/card.tsx'
import { DetailPage } from '../../kit/detail-page.tsx'
import { useParameter } from '../../shell/parameters.ts'
import { useProject, type Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { Content } from './content.tsx'
import { mayReply, receivedQuery, subjectOf, useKnownSubject, writerOf, type Received } from './data.ts'
import { Deliveries } from './deliveries.tsx'
import { FactsOf, Proofs } from './facts.tsx'
import { Proof } from './proof.tsx'
import { ReplyDialog } from './reply.tsx'

const said = words.inbox

/** One received mail: what it says, what its sender could prove, who was told of it. */
export function Page() {
  const project = useProject()
  const id = useParameter('receivedId')
  const query = useQuery(receivedQuery(project.id, id))
  const knownTitle = useKnownSubject(id)
  const [isReplying, setReplying] = useState(false)
  return (
    <>
      <DetailPage
        path={[{ label: said.title, to: to.inbox(project.id) }]}
        id={id}
        query={query}
        title={subjectOf}
        knownTitle={knownTitle}
        status={(mail) => <Proof mail={mail} />}
        note={(mail) => writerOf(mail)}
        actions={(mail) => actionsFor(project, mail, () => setReplying(true))}
        aside={(mail) => (
          <>
            <Card title={said.proof.title}>
              <Proofs mail={mail} />
            </Card>
            <Card title={said.facts.title}>
              <FactsOf mail={mail} />
            </Card>
            {project.sees('webhooks:write') && <Deliveries project={project.id} id={mail.id} />}
          </>
        )}
      >
        {(mail) => (
          <Card isFlush>
            <Content mail={mail} project={project.id} />
          </Card>
        )}
      </DetailPage>
      {query.data !== undefined && (
        <ReplyDialog
          key={String(isReplying)}
          mail={query.data}
          project={project}
          isOpen={isReplying}
          onClose={() => setReplying(false)}
        />
      )}
    </>
  )
}

function actionsFor(project: Project, mail: Received, reply: () => void): readonly Action[] {
  return mayReply(project, mail) ? [{ label: said.reply.action, icon: 'send', tone: 'main', run: reply }] : []
}
