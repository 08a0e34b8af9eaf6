import { Button } from '../../kit/button.tsx'
import { toast, toastProblem } from '../../kit/toast.tsx'
import { words } from '../../words/words.ts'
import { useReplayAll } from './data.ts'

const said = words.webhooks.deliveries

export interface ReplayAllProps {
  project: string
  id: string
  /** Only those that came into being after this; empty is all that are kept. */
  since?: string
  isSmall?: boolean
}

/** Sends everything again that did not arrive, and says how much that is. */
export function ReplayAll({ project, id, since = '', isSmall = false }: ReplayAllProps) {
  const replay = useReplayAll()
  const press = async (): Promise<void> => {
    try {
      const body = { status: 'failed' as const, ...(since !== '' && { createdAfter: since }) }
      const { deliveries } = await replay.run({ project, params: { id }, body })
      toast({ text: deliveries === 0 ? said.againNothing : said.againStarted(deliveries) })
    } catch (error) {
      toastProblem(error)
    }
  }
  return (
    <Button icon="refresh" isSmall={isSmall} isBusy={replay.isBusy} onClick={() => void press()}>
      {said.again}
    </Button>
  )
}
