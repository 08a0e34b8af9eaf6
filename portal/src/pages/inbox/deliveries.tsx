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
  const query = useQuery(endpointsQuery(project))
  const endpoints = query.data?.data ?? []
  return (
    <Card title={said.title}>
      {endpoints.length === 0 ? (
        <Quiet>{stateOf(query) ?? said.none}</Quiet>
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
  const query = useQuery(toldQuery(project, endpoint.id, id))
  const [delivery] = query.data?.data ?? []
  return (
    <Stack isTight>
      <Foreign text={endpoint.url} />
      <Row>
        {delivery === undefined ? (
          <Quiet isSmall>{stateOf(query) ?? said.notTold}</Quiet>
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

/** Why there is no answer yet. It stands beside others that say the same, so it is not read out. */
function stateOf({ data, failureReason }: { data: unknown; failureReason: Error | null }): string | undefined {
  if (data !== undefined) return undefined
  return failureReason === null ? words.kit.loading : said.unknown
}
