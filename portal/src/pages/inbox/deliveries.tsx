import { useQuery } from '@tanstack/react-query'
import { Status } from '../../kit/badge.tsx'
import { Card } from '../../kit/card.tsx'
import { Link } from '../../kit/link.tsx'
import { Foreign, Quiet, Row, Stack } from '../../kit/text.tsx'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { endpointsQuery, toldQuery } from './data.ts'

const said = words.inbox.deliveries

/** Which endpoints were told of a received mail, and what became of that. */
export function Deliveries({ project, id }: { project: string; id: string }) {
  const { data } = useQuery(endpointsQuery(project))
  const endpoints = data?.data ?? []
  return (
    <Card title={said.title}>
      {data !== undefined && endpoints.length === 0 ? (
        <Quiet>{said.none}</Quiet>
      ) : (
        <Stack>
          {endpoints.map((endpoint) => (
            <Told key={endpoint.id} project={project} id={id} endpoint={endpoint} />
          ))}
        </Stack>
      )}
    </Card>
  )
}

interface ToldProps {
  project: string
  id: string
  endpoint: { id: string; url: string }
}

function Told({ project, id, endpoint }: ToldProps) {
  const { data } = useQuery(toldQuery(project, endpoint.id, id))
  const [delivery] = data?.data ?? []
  return (
    <Stack isTight>
      <Foreign text={endpoint.url} />
      <Row>
        {delivery === undefined ? (
          <Quiet isSmall>{data === undefined ? words.kit.loading : said.notTold}</Quiet>
        ) : (
          <>
            <Status state={delivery.status} />
            <Link to={to.delivery(project, endpoint.id, delivery.id)}>{said.open}</Link>
          </>
        )}
      </Row>
    </Stack>
  )
}
