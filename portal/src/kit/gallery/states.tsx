import { Button } from '../button.tsx'
import { Card } from '../card.tsx'
import { Empty, Failure, NotForYou, NotFound } from '../empty.tsx'
import { Refusal } from '../refusal.tsx'
import { Skeleton } from '../skeleton.tsx'
import { Stack } from '../text.tsx'

const thrown = (status: number, code: string) =>
  Object.assign(new Error('The project is paused and does not send.'), {
    status,
    code,
    requestId: 'req_01k9t3v8qf0e5r7w2m4x6z8abc',
  })

export const States = () => (
  <Stack>
    <Card title="Nothing yet" isFlush>
      <Empty
        icon="webhook"
        title="No endpoint yet"
        sentence="An endpoint is an address of yours that hears what became of each email."
        action={<Button tone="main">Add an endpoint</Button>}
        curl="curl http://localhost:3000/api/v1/webhooks"
        docs="/docs"
      />
    </Card>
    <Card title="Not for you" isFlush>
      <NotForYou scope="webhooks:write" />
    </Card>
    <Card title="Not found" isFlush>
      <NotFound />
    </Card>
    <Card title="Failed" isFlush>
      <Failure error={thrown(503, 'unavailable')} isTrying onRetry={() => undefined} />
    </Card>
    <Card title="Loading" isFlush>
      <Skeleton />
    </Card>
    <Refusal error={thrown(403, 'project_paused')} />
  </Stack>
)
