import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Row } from '../../kit/text.tsx'
import { toast, toastProblem } from '../../kit/toast.tsx'
import { mayAdminister, useSession, type Project } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { useResume, useRetry, type DestinationRow } from './data.ts'
import { PauseDialog } from './pause-dialog.tsx'

const said = words.queue

export interface DoingsProps {
  project: Project
  row: DestinationRow
  isSmall?: boolean
}

/** What can be done about a destination. */
export function Doings({ project, row, isSmall = false }: DoingsProps) {
  const [isPausing, setPausing] = useState(false)
  if (!project.can('queue:write')) return null
  return (
    <>
      <Row>
        {row.paused === null ? (
          <>
            <Button icon="pause" isSmall={isSmall} onClick={() => setPausing(true)}>
              {said.pause.action}
            </Button>
            <TryNow project={project.id} row={row} isSmall={isSmall} />
          </>
        ) : (
          <Resume project={project.id} row={row} isSmall={isSmall} />
        )}
      </Row>
      <PauseDialog
        key={String(isPausing)}
        project={project.id}
        row={row}
        isOpen={isPausing}
        onClose={() => setPausing(false)}
      />
    </>
  )
}

interface OneDoing {
  project: string
  row: DestinationRow
  isSmall: boolean
}

function TryNow({ project, row: { destination }, isSmall }: OneDoing) {
  const retry = useRetry()
  const press = async (): Promise<void> => {
    try {
      const { recipients } = await retry.run({ project, params: { destination } })
      toast({ text: recipients === 0 ? said.retry.nothing : said.retry.done(recipients) })
    } catch (error) {
      toastProblem(error)
    }
  }
  return (
    <Button icon="refresh" isSmall={isSmall} isBusy={retry.isBusy} onClick={() => void press()}>
      {said.retry.action}
    </Button>
  )
}

function Resume({ project, row: { destination, name, paused }, isSmall }: OneDoing) {
  const resume = useResume()
  const isAdmin = mayAdminister(useSession())
  const everywhere = paused?.everywhere ?? false
  const press = async (): Promise<void> => {
    try {
      await resume.run({ project, params: { destination }, body: everywhere ? { everywhere } : {} })
      toast({ text: said.resume.done(name) })
    } catch (error) {
      toastProblem(error)
    }
  }
  return (
    <Button
      icon="play"
      tone="main"
      isSmall={isSmall}
      isBusy={resume.isBusy}
      reason={everywhere && !isAdmin ? said.resume.onlyAdmins : undefined}
      onClick={() => void press()}
    >
      {said.resume.action}
    </Button>
  )
}
