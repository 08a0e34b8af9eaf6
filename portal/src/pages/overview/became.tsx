import { lazy, Suspense, useState } from 'react'
import { Bars, Legend } from '../../kit/bars.tsx'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { formatNumber, hourTime, shortDate } from '../../kit/format.ts'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Quiet } from '../../kit/text.tsx'
import type { Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import type { Numbers } from './data.ts'
import { outcomes } from './outcome.tsx'
import { titleOf } from './period.ts'
import type { OverviewWish } from './search.ts'
import { lostIn, lostStates } from './shares.ts'

const said = words.overview.became

type Point = Numbers['series'][number]['points'][number]

/** It is fetched when it is asked for. */
const BecameTable = lazy(async () => ({ default: (await import('./became-table.tsx')).BecameTable }))

/** Bars, or the same as a table. */
export function Became({ project, numbers, wish }: { project: Project; numbers: Numbers; wish: OverviewWish }) {
  const [isTable, setTable] = useState(false)
  const points = numbers.series[0]?.points ?? []
  const happened = points.filter((point) => point.accepted + point.delivered + point.deferred + lostIn(point) > 0)
  const leads = project.sees('email:send')
  return (
    <Card
      title={said.title}
      note={<Legend series={outcomes} />}
      tools={
        <Button isSmall onClick={() => setTable(!isTable)}>
          {isTable ? said.asBars : said.asTable}
        </Button>
      }
      isFlush={isTable && happened.length > 0}
    >
      {happened.length === 0 ? (
        <Quiet>{said.nothing}</Quiet>
      ) : isTable ? (
        <Suspense fallback={<Skeleton rows={10} />}>
          <BecameTable step={numbers.step} points={happened} />
        </Suspense>
      ) : (
        <>
          <Quiet>{sentenceOf(numbers, points)}</Quiet>
          <Bars
            label={said.title}
            series={outcomes}
            bars={points.map((point) => ({
              label: numbers.step === 'day' ? shortDate(new Date(point.at)) : hourTime(new Date(point.at)),
              title: titleOf(numbers.step, point.at),
              values: [point.delivered, point.deferred, lostIn(point)],
            }))}
            barTo={
              leads
                ? (bar, part) =>
                    to.emailsBetween(project.id, {
                      after: points[bar]?.at ?? numbers.from,
                      before: points[bar + 1]?.at ?? numbers.to,
                      ...statusOf(points[bar], part),
                      ...(wish.domain !== undefined && { domain: wish.domain }),
                      ...(wish.source !== undefined && { source: wish.source }),
                    })
                : undefined
            }
          />
        </>
      )}
    </Card>
  )
}

/** The list shows one state at a time: where a part of a bar has several, it shows all. */
function statusOf(point: Point | undefined, part: number | undefined): { status?: string } {
  if (part === 0) return { status: 'delivered' }
  if (part === 1) return { status: 'deferred' }
  const lost = part === undefined ? [] : lostStates.filter((state) => point !== undefined && point[state] > 0)
  return lost.length === 1 && lost[0] !== undefined ? { status: lost[0] } : {}
}

const heightOf = (point: Point): number => point.delivered + point.deferred + lostIn(point)

function sentenceOf({ totals, step }: Numbers, points: readonly Point[]): string {
  const busiest = points.toSorted((a, b) => heightOf(b) - heightOf(a))[0]
  if (busiest === undefined) return said.nothing
  return said.sentence(totals.accepted, totals.delivered, titleOf(step, busiest.at), formatNumber(heightOf(busiest)))
}
