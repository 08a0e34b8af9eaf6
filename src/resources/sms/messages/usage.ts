import type { ProjectContext } from '../../../core/caller.ts'
import { parseTimestamp } from '../../../core/clock.ts'
import { invalid, notFound } from '../../../core/errors.ts'
import { encodeId, type SmsProgramId, type SmsSenderId } from '../../../core/ids.ts'
import type { Database } from '../../../storage/postgres.ts'
import type { ReadUsage, Tally, UsageView } from './schema/usage.ts'
import { groupings, type Grouping } from './states.ts'
import * as store from './store/usage.ts'
import { find as findWallet } from '../wallet/index.ts'

const MAX_DAYS = 366

const nothing: Tally = {
  outbound: 0,
  inbound: 0,
  segments: 0,
  delivered: 0,
  undelivered: 0,
  failed: 0,
  expired: 0,
  unconfirmed: 0,
  pending: 0,
  chargedMicros: 0,
  refundedMicros: 0,
}

/** How much a project texts, and what it costs: messages by when they were made, money by when it moved. */
export class SmsUsage {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async read(project: ProjectContext, query: ReadUsage): Promise<UsageView> {
    const wallet = await findWallet(this.#db.reads, project.id, query.mode)
    if (wallet === undefined) throw notFound('SMS wallet')
    const { now, mode, currency } = wallet
    const from = query.from ? parseTimestamp(query.from, '/query/from') : monthOf(now, 0)
    const to = query.to ? parseTimestamp(query.to, '/query/to') : monthOf(from > now ? from : now, 1)
    if (from >= to || to.getTime() - from.getTime() > MAX_DAYS * 86_400_000) {
      throw invalid([{ path: '/query/to', message: `must be after from, and at most ${MAX_DAYS} days after it` }])
    }
    const groups = groupsIn(query.groupBy)
    const span = { from, to, mode }
    const [messages, money, ...byGroup] = await Promise.all([
      store.messages(this.#db.reads, project.id, span, []),
      store.money(this.#db.reads, project.id, span, []),
      ...(groups.length === 0
        ? []
        : [
            store.messages(this.#db.reads, project.id, span, groups),
            store.money(this.#db.reads, project.id, span, groups),
          ]),
    ])
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      mode,
      currency,
      totals: rated({ ...nothing, ...tallyOf(messages[0]), ...tallyOf(money[0]) }),
      buckets: merged(byGroup.flat()).map(({ first, second, ...tally }) => ({
        key: { ...keyOf(groups[0], first), ...keyOf(groups[1], second) },
        ...rated(tally),
      })),
      asOf: now.toISOString(),
    }
  }
}

function groupsIn(text: string | undefined): Grouping[] {
  const words = text?.split(',') ?? []
  if (new Set(words).size < words.length) throw invalid([{ path: '/query/groupBy', message: 'names one thing twice' }])
  return groupings
    .filter((grouping) => words.includes(grouping))
    .toSorted((a, b) => words.indexOf(a) - words.indexOf(b))
}

const tallyOf = (counted: store.Counted | undefined): Partial<Tally> => {
  const { first: _first, second: _second, ...tally } = counted ?? { first: null, second: null }
  return tally
}

/** What was counted in two ways under the same name. */
function merged(all: readonly store.Counted[]): (Tally & { first: string | null; second: string | null })[] {
  const byName = new Map<string, Tally & { first: string | null; second: string | null }>()
  for (const counted of all) {
    const name = JSON.stringify([counted.first, counted.second])
    const known = byName.get(name) ?? { ...nothing, first: counted.first, second: counted.second }
    byName.set(name, { ...known, ...counted })
  }
  return [...byName.values()]
}

const rated = (tally: Tally) => {
  const reported = tally.delivered + tally.undelivered
  return { ...tally, deliveryRate: reported === 0 ? null : tally.delivered / reported }
}

function keyOf(grouping: Grouping | undefined, value: string | null): UsageView['buckets'][number]['key'] {
  if (grouping === undefined) return {}
  if (value !== null && grouping === 'sender') return { sender: encodeId('smssn', value as SmsSenderId) }
  if (value !== null && grouping === 'program') return { program: encodeId('smspg', value as SmsProgramId) }
  return { [grouping]: value }
}

/** The first moment of a month, so many months later. */
const monthOf = (moment: Date, later: number): Date =>
  new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + later, 1))
