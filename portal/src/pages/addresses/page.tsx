import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../kit/badge.tsx'
import { Card } from '../../kit/card.tsx'
import { DetailPage } from '../../kit/detail-page.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Link } from '../../kit/link.tsx'
import { Notice } from '../../kit/notice.tsx'
import { Foreign, Quiet, Row } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { useParameter } from '../../shell/parameters.ts'
import { useProject, type Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { addressQuery, isUnknown, type Address, type Part } from './data.ts'
import { Audiences, Emails, Received, Runs } from './parts.tsx'

const said = words.addresses

/** Everything that the project knows of one address, as far as this person may see it. */
export function Page() {
  const project = useProject()
  const email = useParameter('email')
  const query = useQuery(addressQuery(project.id, email))
  const path = project.sees('email:send') ? [{ label: words.emails.title, to: to.emails(project.id) }] : []
  return (
    <DetailPage
      path={path}
      id={email}
      query={query}
      title={(address) => address.email}
      knownTitle={email}
      status={(address) => !isHidden(address, 'suppression') && <ListState address={address} />}
      above={(address) => <Suppressed address={address} project={project} />}
      aside={(address) => <Beside address={address} />}
    >
      {(address) =>
        isUnknown(address) ? (
          <Card>
            <Empty icon="search" title={said.nothing.title} sentence={said.nothing.sentence} />
          </Card>
        ) : (
          <>
            {!isHidden(address, 'emails') && <Emails address={address} project={project} />}
            {!isHidden(address, 'received') && <Received address={address} project={project} />}
            {!isHidden(address, 'runs') && <Runs address={address} project={project} />}
          </>
        )
      }
    </DetailPage>
  )
}

const isHidden = ({ hidden }: Address, part: Part): boolean => hidden.includes(part)

const ListState = ({ address: { suppression } }: { address: Address }) =>
  suppression === null ? (
    <Badge tone="ok">{said.notSuppressed}</Badge>
  ) : (
    <Badge tone="bad">{said.suppressed.title}</Badge>
  )

/** Why nothing is sent to the address any more. */
function Suppressed({ address: { suppression }, project }: { address: Address; project: Project }) {
  if (suppression === null) return null
  const { reason, note, createdAt, messageId } = suppression
  return (
    <Notice tone="bad" title={said.suppressed.title}>
      <p>{said.suppressed.reasons[reason]}</p>
      <p>
        {said.suppressed.since} <Time at={createdAt} />
        {messageId !== null && project.sees('email:send') && (
          <>
            {' · '}
            <Link to={to.email(project.id, messageId)}>{said.suppressed.cause}</Link>
          </>
        )}
      </p>
      {note !== null && <Foreign text={note} />}
    </Notice>
  )
}

const Beside = ({ address }: { address: Address }) => (
  <>
    {!isHidden(address, 'contacts') && <Audiences address={address} />}
    {!isHidden(address, 'tags') && (
      <Card title={said.tags.title}>
        {address.tags.length === 0 ? (
          <Quiet>{said.tags.none}</Quiet>
        ) : (
          <Row>
            {address.tags.map(({ id, name }) => (
              <Badge key={id} isPlain>
                <Foreign text={name} />
              </Badge>
            ))}
          </Row>
        )}
      </Card>
    )}
  </>
)
