import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, type ReactNode } from 'react'
import { Card } from '../../kit/card.tsx'
import { Figures, type Figure } from '../../kit/figures.tsx'
import { formatDuration, formatNumber, formatPercent } from '../../kit/format.ts'
import { Freshness } from '../../kit/freshness.tsx'
import { Notice } from '../../kit/notice.tsx'
import { useNow } from '../../kit/now.ts'
import { useSettings } from '../../kit/settings.ts'
import { Columns } from '../../kit/text.tsx'
import { Waiting } from '../../kit/waiting.tsx'
import { type Project } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { Became } from './became.tsx'
import { numbers, type Numbers } from './data.ts'
import { rangesOf, type Range } from './period.ts'
import type { OverviewWish } from './search.ts'
import { bouncedIn, complainedIn, endedIn, MAX_BOUNCED, MAX_COMPLAINTS, shareOf } from './shares.ts'
import { ToCome } from './to-come.tsx'

const REFRESH_MS = 30_000
const MINUTE_MS = 60_000

interface PeriodNumbersProps {
  project: Project
  wish: OverviewWish
  /** Stands at the side of the bars. */
  beside: ReactNode
}

/** What the mail of a period came to: figures, bars, and whom it went to. */
export function PeriodNumbers({ project, wish, beside }: PeriodNumbersProps) {
  const { timeZone } = useSettings()
  const ranges = rangesOf(wish, useNow(MINUTE_MS), timeZone)
  if (ranges !== undefined) return <NumbersOf project={project} wish={wish} beside={beside} ranges={ranges} />
  return (
    <>
      <Notice tone="warn">{words.overview.period.wrong}</Notice>
      {beside}
    </>
  )
}

interface NumbersOfProps extends PeriodNumbersProps {
  ranges: { current: Range; before: Range }
}

function NumbersOf({ project, wish, beside, ranges }: NumbersOfProps) {
  const { timeZone } = useSettings()
  const { domain, source } = wish
  const filter = { timeZone, ...(domain !== undefined && { domain }), ...(source !== undefined && { source }) }
  const current = { ...filter, range: ranges.current }
  const often = { refetchInterval: REFRESH_MS, placeholderData: keepPreviousData }
  const query = useQuery({ ...numbers(project.id, current), ...often })
  const before = numbers(project.id, { ...filter, range: ranges.before })
  const earlier = useQuery({ ...before, placeholderData: keepPreviousData })
  const byProvider = useQuery({ ...numbers(project.id, current, 'provider'), ...often })
  const byDomain = useQuery({ ...numbers(project.id, current, 'domain'), ...often })
  if (query.data === undefined) {
    return (
      <Columns>
        <Card title={words.overview.became.title}>
          <Waiting query={query} rows={10} />
        </Card>
        {beside}
      </Columns>
    )
  }
  return (
    <>
      <Freshness query={query} />
      <Figures label={words.overview.figures.label} figures={figuresOf(query.data, earlier.data, wish)} />
      <Columns>
        <Became project={project} numbers={query.data} wish={wish} />
        {beside}
      </Columns>
      <Suspense>
        <Engagement project={project} totals={query.data.totals} earlier={earlier.data?.totals} wish={wish} />
      </Suspense>
      <Suspense fallback={<ToCome title={words.overview.byProvider.title} rows={3} />}>
        <ByProvider project={project} series={byProvider.data?.series} />
      </Suspense>
      <Suspense fallback={<ToCome title={words.overview.byDomain.title} rows={3} />}>
        <ByDomain project={project} series={byDomain.data?.series} />
      </Suspense>
    </>
  )
}

/** They are below what is seen first, and fetched after it. */
const Engagement = lazy(async () => ({ default: (await import('./engagement.tsx')).Engagement }))
const ByProvider = lazy(async () => ({ default: (await import('./breakdown.tsx')).ByProvider }))
const ByDomain = lazy(async () => ({ default: (await import('./breakdown.tsx')).ByDomain }))

const said = words.overview.figures

function figuresOf({ totals, latency, waiting }: Numbers, earlier: Numbers | undefined, wish: OverviewWish): Figure[] {
  const isOwn = wish.from !== undefined || wish.to !== undefined
  const period = words.overview.period[isOwn ? 'same' : (wish.period ?? '24h')]
  const was = (write: (numbers: Numbers) => string | undefined): string[] => {
    const text = earlier && write(earlier)
    return text === undefined ? [] : [said.before(text, period)]
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
    waitingFigure(waiting, wish.domain !== undefined || wish.source !== undefined),
  ]
}

/** There is no period before: it is now. */
const waitingFigure = ({ recipients, isMore, oldestAt }: Numbers['waiting'], isFiltered: boolean): Figure => ({
  name: 'waiting',
  label: said.waiting,
  value: isMore ? said.more(formatNumber(recipients)) : formatNumber(recipients),
  notes: [
    ...(recipients === 0 ? [said.nothingWaits] : []),
    ...(oldestAt === null ? [] : [said.oldest(formatDuration(Math.max(0, Date.now() - Date.parse(oldestAt))))]),
    // What waits is counted for the whole project, whatever is chosen.
    ...(isFiltered ? [said.ofProject] : []),
  ],
})

const percent = (share: number | undefined, digits?: number): string => known(share, digits) ?? said.none

const known = (share: number | undefined, digits?: number): string | undefined =>
  share === undefined ? undefined : formatPercent(share, digits)
