import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Action } from '../../kit/actions.ts'
import { useSearch } from '../../kit/address.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import type { EmptyProps } from '../../kit/empty.tsx'
import { formatNumber } from '../../kit/format.ts'
import { ListPage } from '../../kit/list-page.tsx'
import type { Column } from '../../kit/table.tsx'
import { Segments } from '../../kit/tabs.tsx'
import { Foreign, Quiet, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { toast, toastProblem } from '../../kit/toast.tsx'
import { useLive } from '../../shell/live.ts'
import { sendingQuery } from '../../shell/sending.ts'
import { mayAdminister, useProject, useSession, type Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { destinationRows, queueQuery, useResumeAll, type DestinationRow } from './data.ts'
import { Doings } from './doings.tsx'
import { HoldDialog } from './hold-dialog.tsx'
import { Pace, StateOf, Why } from './parts.tsx'
import { queueSearch } from './search.ts'

const said = words.queue

/** Where mail of the project waits and why: what needs a look first. */
export function Page() {
  const project = useProject()
  const [{ show }, change] = useSearch(queueSearch)
  useLive('queue', ['GET /queue', 'GET /sending'])
  const whole = useQuery(queueQuery(project.id)).data
  const sending = useQuery(sendingQuery()).data
  const [isHolding, setHolding] = useState(false)
  const label = (text: string, count: number | undefined): string =>
    count === undefined ? text : said.withCount(text, formatNumber(count))
  return (
    <>
      <ListPage
        title={said.title}
        search={queueSearch}
        status={sending !== undefined && <SendingState isHeld={sending.held} />}
        note={whole !== undefined && <Numbers whole={whole} />}
        actions={useSendingActions(sending?.held, () => setHolding(true))}
        rows={(found) => destinationRows(project.id, found)}
        columns={columnsFor(project)}
        rowId={({ destination }) => destination}
        rowName={({ name }) => name}
        rowTo={({ destination }) => to.destination(project.id, destination)}
        tools={
          <Segments
            label={said.show.label}
            options={[
              { value: 'look', label: label(said.show.look, whole?.destinations.needsLook) },
              { value: 'all', label: label(said.show.all, whole?.destinations.all) },
            ]}
            value={show ?? 'look'}
            onChange={(value) => change({ show: value === 'all' ? 'all' : undefined })}
          />
        }
        empty={emptyFor(whole, show === 'all', () => change({ show: 'all' }))}
      />
      <HoldDialog key={String(isHolding)} isOpen={isHolding} onClose={() => setHolding(false)} />
    </>
  )
}

/** Owners and admins hold all sending, and let it go on. */
function useSendingActions(isHeld: boolean | undefined, onHold: () => void): readonly Action[] {
  const isAdmin = mayAdminister(useSession())
  const resumeAll = useResumeAll()
  if (!isAdmin || isHeld === undefined) return []
  if (!isHeld) return [{ label: said.hold.action, icon: 'pause', run: onHold }]
  const resume = async (): Promise<void> => {
    try {
      await resumeAll.run({ body: {} })
      toast({ text: said.resumeAll.done })
    } catch (error) {
      toastProblem(error)
    }
  }
  return [
    { label: said.resumeAll.action, icon: 'play', tone: 'main', isBusy: resumeAll.isBusy, run: () => void resume() },
  ]
}

const SendingState = ({ isHeld }: { isHeld: boolean }) => (
  <Badge tone={isHeld ? 'plan' : 'ok'}>{isHeld ? said.sending.held : said.sending.on}</Badge>
)

interface Whole {
  waiting: number
  leavingPerSecond: number
  oldestAt: string | null
  lastLeftAt: string | null
}

/** "312 wait · 41 leave per second · oldest 1 hr. ago". */
const Numbers = ({ whole: { waiting, leavingPerSecond, oldestAt } }: { whole: Whole }) => (
  <>
    {said.waiting(waiting)} · {said.leaving(formatNumber(leavingPerSecond))}
    {oldestAt !== null && (
      <>
        {' '}
        · {said.oldest} <Time at={oldestAt} />
      </>
    )}
  </>
)

const columnsFor = (project: Project): readonly Column<DestinationRow>[] => [
  {
    name: 'site',
    title: said.columns.site,
    cell: ({ name, destination }) => (
      <Stack isTight>
        <Foreign text={name} />
        {name.toLowerCase() !== destination && (
          <Quiet isSmall>
            <Foreign text={destination} />
          </Quiet>
        )}
      </Stack>
    ),
  },
  { name: 'waiting', title: said.columns.waiting, isNumber: true, cell: ({ waiting }) => formatNumber(waiting) },
  { name: 'oldest', title: said.columns.oldest, isNarrow: true, cell: ({ oldestAt }) => <Time at={oldestAt} /> },
  { name: 'state', title: said.columns.state, isNarrow: true, cell: (row) => <StateOf row={row} /> },
  { name: 'why', title: said.columns.why, cell: (row) => <Why row={row} /> },
  { name: 'pace', title: said.columns.pace, cell: (row) => <Pace row={row} /> },
  ...(project.can('queue:write')
    ? [
        {
          name: 'actions',
          title: said.columns.actions,
          isActions: true,
          cell: (row: DestinationRow) => <Doings project={project} row={row} isSmall />,
        },
      ]
    : []),
]

/** What leaves as it should is no reason to look; whoever wants to see it can. */
function emptyFor(whole: Whole | undefined, isAll: boolean, onShowAll: () => void): EmptyProps {
  const { waiting = 0, lastLeftAt = null } = whole ?? {}
  if (waiting === 0 || isAll) {
    const sentence = <NothingWaits lastLeftAt={waiting === 0 ? lastLeftAt : null} />
    return { icon: 'done', title: said.empty.nothing, sentence }
  }
  return {
    icon: 'done',
    title: said.empty.calm,
    sentence: said.empty.calmSentence(waiting),
    action: <Button onClick={onShowAll}>{said.empty.showAll}</Button>,
  }
}

/** "The last mail left 3 s ago." */
const NothingWaits = ({ lastLeftAt }: { lastLeftAt: string | null }) => (
  <>
    {said.empty.nothingSentence}
    {lastLeftAt !== null && (
      <>
        {' '}
        {said.empty.lastLeft} <Time at={lastLeftAt} />.
      </>
    )}
  </>
)
