import { useQuery } from '@tanstack/react-query'
import { Card } from '../../kit/card.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Progress } from '../../kit/skeleton.tsx'
import { Foreign, Stack } from '../../kit/text.tsx'
import { useAddressExists } from '../../shell/pages.ts'
import type { Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { leavingBroadcasts, type BroadcastRow } from './data.ts'

const said = words.overview.leaving

/** Broadcasts that are on their way, and how far they are. There is nothing here while none leaves. */
export function LeavingBroadcasts({ project }: { project: Project }) {
  const rows = useQuery({ ...leavingBroadcasts(project.id), enabled: project.sees('broadcasts:write') }).data?.data
  if (rows === undefined || rows.length === 0) return null
  return (
    <Card title={said.title}>
      {rows.map((row) => (
        <OneBroadcast key={row.id} project={project} row={row} />
      ))}
    </Card>
  )
}

function OneBroadcast({ project, row: { id, name, stats } }: { project: Project; row: BroadcastRow }) {
  const exists = useAddressExists()
  const page = to.broadcast(project.id, id)
  const { recipients, queued, deferred } = stats
  const done = recipients - queued - deferred
  const [left, all] = [formatNumber(done), formatNumber(recipients)]
  return (
    <Stack isTight>
      {exists(page) && (
        <Link to={page}>
          <Foreign text={name} />
        </Link>
      )}
      <Progress
        label={exists(page) ? said.progress : name}
        value={done}
        max={Math.max(1, recipients)}
        note={deferred === 0 ? said.done(left, all) : said.doneAndDeferred(left, all, formatNumber(deferred))}
      />
    </Stack>
  )
}
