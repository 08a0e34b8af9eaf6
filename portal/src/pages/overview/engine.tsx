import type { LiveChange } from '@posthouse/sdk'
import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../kit/badge.tsx'
import { Card } from '../../kit/card.tsx'
import { Facts, type Fact } from '../../kit/facts.tsx'
import { formatBytes, formatDuration, formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { useNow } from '../../kit/now.ts'
import { Waiting } from '../../kit/waiting.tsx'
import { useMaySee } from '../../shell/pages.ts'
import type { Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { queueNow, useInstallation, webhooksOfLastHour, type InstallationNow, type QueueNow } from './data.ts'

const said = words.overview.engine

const MINUTE_MS = 60_000

/** How mail leaves at this moment. What the API does not know is not there. */
export function Engine({ project, told }: { project: Project; told: LiveChange | undefined }) {
  const queue = useQuery(queueNow(project.id))
  const webhooks = useQuery(webhooksOfLastHour(project.id, useNow(MINUTE_MS))).data?.totals
  const installation = useInstallation()
  if (queue.data === undefined) {
    return (
      <Card title={said.title}>
        <Waiting query={queue} rows={6} />
      </Card>
    )
  }
  return (
    <Card title={said.title} note={installation && <Processes roles={installation.roles} />}>
      <Facts
        facts={[
          {
            name: said.leaving,
            value: said.perSecond(formatNumber(told?.leavingPerSecond ?? queue.data.leavingPerSecond)),
          },
          told?.counts !== undefined && minuteOf(told.counts, told.isMore === true),
          { name: said.waiting, value: <WaitingHere project={project} count={queue.data.waiting} /> },
          { name: said.connections, value: connectionsOf(queue.data) },
          webhooks && {
            name: said.webhooks,
            value:
              webhooks.attempts === 0 || webhooks.p95Ms === null
                ? said.noWebhooks
                : said.delivered(
                    formatNumber(webhooks.delivered),
                    formatNumber(webhooks.failed),
                    formatDuration(webhooks.p95Ms),
                  ),
          },
          ...(installation === undefined ? [] : machinesOf(installation)),
        ]}
      />
    </Card>
  )
}

function WaitingHere({ project, count }: { project: Project; count: number }) {
  return <Link to={to.queue(project.id)}>{said.recipients(count)}</Link>
}

/** "12 accepted, 10 delivered, 1 bounced"; what did not arrive is said where there is any. */
function minuteOf(counts: Readonly<Record<string, number>>, isMore: boolean): Fact {
  const { accepted = 0, delivered = 0 } = counts
  const others = (['deferred', 'bounced', 'failed'] as const).flatMap((kind) =>
    counts[kind] ? [said.kinds[kind](formatNumber(counts[kind]))] : [],
  )
  const parts = [said.kinds.accepted(formatNumber(accepted)), said.kinds.delivered(formatNumber(delivered)), ...others]
  return { name: said.minute, value: isMore ? said.atLeast(parts.join(', ')) : parts.join(', ') }
}

function connectionsOf({ data }: QueueNow): string {
  const open = data.filter(({ pace }) => pace.connections > 0)
  const sum = open.reduce((all, { pace }) => all + pace.connections, 0)
  return open.length === 0 ? said.noConnections : said.openTo(formatNumber(sum), open.length)
}

function machinesOf({ database, disk }: InstallationNow): (Fact | false)[] {
  return [
    database !== null && {
      name: said.database,
      value: said.ofLimit(formatNumber(database.connections), formatNumber(database.limit)),
    },
    disk.freeBytes !== null && { name: said.disk, value: said.free(formatBytes(disk.freeBytes)) },
  ]
}

/** Whether all processes of all nodes run, with the way to the page that says which do not. */
function Processes({ roles }: Pick<InstallationNow, 'roles'>) {
  const maySee = useMaySee()
  const down = roles.filter(({ up }) => !up).length
  if (roles.length === 0) return null
  const badge = (
    <Badge tone={down === 0 ? 'ok' : 'bad'}>{down === 0 ? said.allUp(roles.length) : said.down(down)}</Badge>
  )
  return maySee('administrators') ? <Link to={to.installation()}>{badge}</Link> : badge
}
