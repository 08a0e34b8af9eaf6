import { isTimeZone, parseTimestamp } from '../../core/clock.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { decodeId, type Id, type IdPrefix } from '../../core/ids.ts'
import type { Grain, MailGroup, Step } from './kinds.ts'
import { MAX_CELLS, MAX_DAYS, MAX_POINTS, MINUTES_KEPT_DAYS } from './limits.ts'
import { boundaries, grainOf, isInQuarters } from './periods.ts'
import type { AskMail, AskWebhooks } from './schema.ts'
import type { Asked } from './store/numbers.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** A question that can be answered. */
export interface Question extends Asked {
  step: Step
}

export interface Circumstances {
  now: Date
  retainDays: number
}

export const mailQuestion = (asked: AskMail, circumstances: Circumstances): Question => ({
  ...periodsOf(asked, circumstances),
  groupBy: asked.groupBy && groupColumns[asked.groupBy],
  filter: filterOf({
    domain_id: idOf('dom', asked.domainId, 'sending domain'),
    provider: asked.provider,
    source: asked.source,
    template_id: idOf('tpl', asked.templateId, 'template'),
    tag: asked.tag,
  }),
  withPoints: asked.points !== 'none',
  withLatencies: false,
})

export const webhookQuestion = (asked: AskWebhooks, circumstances: Circumstances): Question => ({
  ...periodsOf(asked, circumstances),
  groupBy: undefined,
  filter: filterOf({ endpoint_id: idOf('whk', asked.endpointId, 'webhook endpoint') }),
  withPoints: true,
  withLatencies: true,
})

const groupColumns: Readonly<Record<MailGroup, string>> = {
  domain: 'domain_id',
  provider: 'provider',
  source: 'source',
  template: 'template_id',
  tag: 'tag',
}

function periodsOf(
  { from, to, step = 'hour', timeZone = 'UTC' }: AskMail | AskWebhooks,
  { now, retainDays }: Circumstances,
): Pick<Question, 'bounds' | 'grain' | 'keptSince' | 'step'> {
  const [first, last] = [parseTimestamp(from, '/query/from').getTime(), parseTimestamp(to, '/query/to').getTime()]
  if (last <= first) throw invalid([{ path: '/query/to', message: 'must be later than from' }])
  if (last - first > MAX_DAYS * DAY_MS) {
    throw invalid([{ path: '/query/to', message: `must not be more than ${MAX_DAYS} days after from` }])
  }
  if (!isTimeZone(timeZone)) {
    throw invalid([{ path: '/query/timeZone', message: 'must be the name of a time zone, such as Europe/Berlin' }])
  }
  if (!isInQuarters(timeZone, first) || !isInQuarters(timeZone, last)) {
    throw invalid([
      { path: '/query/timeZone', message: 'must be a zone whose clocks differ from UTC by whole quarters of an hour' },
    ])
  }
  const bounds = boundaries(step, timeZone, first, last, MAX_POINTS)
  if (bounds === undefined) throw tooManyPoints(step)
  const grain = grainOf(bounds)
  const keptSince = sinceOf(now, step === 'minute' ? MINUTES_KEPT_DAYS : retainDays)
  if (step !== 'day' && (bounds[0] ?? first) < keptSince) throw tooOld(step, keptSince)
  return {
    step,
    bounds: bounds.map((bound) => new Date(bound)),
    // Minutes are kept for a short time; nothing but a question by minute needs them.
    grain: step === 'minute' ? 'minutes' : coarserThanMinutes(grain),
    keptSince: new Date(keptSince),
  }
}

const coarserThanMinutes = (grain: Grain): Grain => (grain === 'minutes' ? 'quarters' : grain)

/** What is older is forgotten, or may be at any moment: whole days of UTC. */
const sinceOf = (now: Date, days: number): number => Math.floor(now.getTime() / DAY_MS - days) * DAY_MS

const tooManyPoints = (step: Step): Error =>
  invalid([
    {
      path: '/query/step',
      message: `makes more than ${MAX_POINTS} points: ask for a shorter time, or by ${step === 'minute' ? 'hour' : 'day'}`,
    },
  ])

const tooOld = (step: Step, since: number): Error =>
  invalid([
    {
      path: '/query/from',
      message: `is before ${new Date(since).toISOString()}, since when counts by ${step} are kept: ask by ${step === 'minute' ? 'hour' : 'day'}`,
    },
  ])

export const tooManySeries = (): Error =>
  invalid([
    {
      path: '/query/groupBy',
      message: `makes more than ${MAX_CELLS} points in all series together: ask for a shorter time, by a longer step, or for fewer with a filter`,
    },
  ])

const filterOf = (wished: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(wished).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

/** A malformed id is answered like one that never existed. */
export function idOf<P extends IdPrefix>(prefix: P, text: string | undefined, thing: string): Id<P> | undefined {
  if (text === undefined) return undefined
  const id = decodeId(prefix, text)
  if (id === undefined) throw notFound(thing)
  return id
}
