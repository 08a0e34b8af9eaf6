import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Failure, NotFound } from '../kit/empty.tsx'
import { useGo } from '../kit/link.tsx'
import { PageBody, PageHead } from '../kit/page.tsx'
import { Skeleton } from '../kit/skeleton.tsx'
import { words } from '../words/words.ts'
import { addressOf, isId } from './ids.ts'
import { useParameter } from './parameters.ts'
import { useSession } from './session.ts'

/** Any id is an address: it leads to the page of the thing, wherever that is. */
export function FindId() {
  const id = useParameter('thing')
  const session = useSession()
  const go = useGo()
  const query = useQuery({
    queryKey: ['id', id],
    queryFn: async () => (await addressOf(session, id)) ?? null,
    enabled: isId(id),
  })
  const address = query.data
  useEffect(() => {
    if (typeof address === 'string') go(address, { replace: true })
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [address])
  if (!isId(id) || address === null) return <NotFoundPage />
  const error = query.error ?? query.failureReason
  return (
    <PageBody>
      <PageHead title={words.shell.goingTo(id)} />
      {error === null ? <Skeleton rows={3} /> : <Failure error={error} onRetry={() => void query.refetch()} />}
    </PageBody>
  )
}

export const NotFoundPage = () => (
  <PageBody>
    <PageHead title={words.kit.notFound.title} />
    <NotFound />
  </PageBody>
)
