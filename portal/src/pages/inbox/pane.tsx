import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, LinkButton } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Freshness } from '../../kit/freshness.tsx'
import { Foreign, Quiet, Row, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { Waiting } from '../../kit/waiting.tsx'
import type { Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { Content } from './content.tsx'
import { mayReply, receivedQuery, subjectOf, writerOf, type Received } from './data.ts'
import { Proof } from './proof.tsx'
import { ReplyDialog } from './reply.tsx'

const said = words.inbox

/** The mail that is chosen in the list, to read without leaving it. Its page has everything else. */
export const ReadingPane = ({ project, id }: { project: Project; id: string | undefined }) =>
  id === undefined ? (
    <Card isFlush>
      <Empty icon="inbox" title={said.pane.nothing} sentence={said.pane.nothingSentence} />
    </Card>
  ) : (
    <Chosen key={id} project={project} id={id} />
  )

function Chosen({ project, id }: { project: Project; id: string }) {
  const query = useQuery(receivedQuery(project.id, id))
  if (query.data === undefined) {
    return (
      <Card>
        <Waiting query={query} rows={8} />
      </Card>
    )
  }
  return (
    <Stack>
      <Freshness query={query} />
      <Head project={project} mail={query.data} />
      <Card isFlush>
        <Content mail={query.data} project={project.id} />
      </Card>
    </Stack>
  )
}

function Head({ project, mail }: { project: Project; mail: Received }) {
  const [isReplying, setReplying] = useState(false)
  return (
    <Card
      title={subjectOf(mail)}
      tools={
        <Row>
          {mayReply(project, mail) && (
            <Button isSmall icon="send" onClick={() => setReplying(true)}>
              {said.reply.action}
            </Button>
          )}
          <LinkButton isSmall to={to.received(project.id, mail.id)}>
            {said.pane.open}
          </LinkButton>
        </Row>
      }
    >
      <Stack isTight>
        <Row>
          <Foreign text={writerOf(mail)} />
          <Proof mail={mail} />
        </Row>
        <Quiet isSmall>
          <Foreign text={mail.envelope.to} /> · <Time at={mail.receivedAt} />
        </Quiet>
      </Stack>
      <ReplyDialog
        key={String(isReplying)}
        mail={mail}
        project={project}
        isOpen={isReplying}
        onClose={() => setReplying(false)}
      />
    </Card>
  )
}
