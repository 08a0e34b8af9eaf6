import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Card } from '../../kit/card.tsx'
import { Figures, type Figure } from '../../kit/figures.tsx'
import { formatDuration, formatNumber, formatPercent } from '../../kit/format.ts'
import { Freshness } from '../../kit/freshness.tsx'
import { useNow } from '../../kit/now.ts'
import { useSettings } from '../../kit/settings.ts'
import { Waiting } from '../../kit/waiting.tsx'
import { type Project } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { Became } from './became.tsx'
import { ByDomain, ByProvider } from './breakdown.tsx'
import { numbers, type Numbers } from './data.ts'
import { rangesOf } from './period.ts'
import type { Period } from './search.ts'
import { bouncedIn, complainedIn, endedIn, MAX_BOUNCED, MAX_COMPLAINTS, shareOf } from './shares.ts'

const REFRESH_MS = 30_000
const MINUTE_MS = 60_000

/** What the mail of a period came to: figures, bars, and whom it went to. */
export function PeriodNumbers({ project, period }: { project: Project; period: Period }) {
  const { timeZone } = useSettings()
  const { current, before } = rangesOf(period, useNow(MINUTE_MS), timeZone)
  const often = { refetchInterval: REFRESH_MS, placeholderData: keepPreviousData }
  const query = useQuery({ ...numbers(project.id, current, timeZone), ...often })
  const earlier = useQuery({ ...numbers(project.id, before, timeZone), placeholderData: keepPreviousData })
  const byProvider = useQuery({ ...numbers(project.id, current, timeZone, 'provider'), ...often })
  const byDomain = useQuery({ ...numbers(project.id, current, timeZone, 'domain'), ...often })
  if (query.data === undefined) {
    return (
      <Card title={words.overview.became.title}>
        <Waiting query={query} rows={10} />
      </Card>
    )
  }
  return (
    <>
      <Freshness query={query} />
      <Figures label={words.overview.figures.label} figures={figuresOf(query.data, earlier.data, period)} />
      <Became project={project} numbers={query.data} />
      <ByProvider series={byProvider.data?.series} />
      <ByDomain project={project} series={byDomain.data?.series} />
    </>
  )
}

const said = words.overview.figures

function figuresOf({ totals, latency, waiting }: Numbers, earlier: Numbers | undefined, period: Period): Figure[] {
  const was = (write: (numbers: Numbers) => string | undefined): string[] => {
    const text = earlier && write(earlier)
    return text === undefined ? [] : [said.before(text, words.overview.period[period])]
  }
  const [bounced, complained] = [bouncedIn(totals), complainedIn(totals)]
  return [
    {
      name: 'accepted',
      label: said.accepted,
      value: formatNumber(totals.accepted),
      notes: was(({ totals: old }) => formatNumber(old.accepted)),
    },
    {
      name: 'delivered',
      label: said.delivered,
      value: percent(shareOf(totals.delivered, endedIn(totals))),
      notes: [
        said.recipients(totals.delivered),
        ...was(({ totals: old }) => known(shareOf(old.delivered, endedIn(old)))),
      ],
    },
    {
      name: 'bounced',
      label: said.bounced,
      value: percent(bounced),
      tone: (bounced ?? 0) > MAX_BOUNCED ? 'bad' : 'plain',
      notes: [said.bouncedLimit(formatPercent(MAX_BOUNCED)), ...was(({ totals: old }) => known(bouncedIn(old)))],
    },
    {
      name: 'complaints',
      label: said.complaints,
      value: percent(complained, 2),
      tone: (complained ?? 0) > MAX_COMPLAINTS ? 'bad' : 'plain',
      notes: [
        said.complaintsLimit(formatPercent(MAX_COMPLAINTS, 2)),
        ...was(({ totals: old }) => known(complainedIn(old), 2)),
      ],
    },
    {
      name: 'latency',
      label: said.latency,
      value: latency.p50 === null ? said.none : formatDuration(latency.p50),
      notes: [
        latency.p95 === null || latency.p99 === null
          ? said.median
          : said.slower(formatDuration(latency.p95), formatDuration(latency.p99)),
        ...was(({ latency: old }) => (old.p50 === null ? undefined : formatDuration(old.p50))),
      ],
    },
    waitingFigure(waiting),
  ]
}

/** There is no period before: it is now. */
const waitingFigure = ({ recipients, isMore, oldestAt }: Numbers['waiting']): Figure => ({
  name: 'waiting',
  label: said.waiting,
  value: isMore ? said.more(formatNumber(recipients)) : formatNumber(recipients),
  notes:
    oldestAt === null
      ? recipients === 0
        ? [said.nothingWaits]
        : []
      : [said.oldest(formatDuration(Math.max(0, Date.now() - Date.parse(oldestAt))))],
})

const percent = (share: number | undefined, digits?: number): string => known(share, digits) ?? said.none

const known = (share: number | undefined, digits?: number): string | undefined =>
  share === undefined ? undefined : formatPercent(share, digits)
