import type { Lane } from './queue.ts'

export interface LaneLoad extends Lane {
  /** How many slots the lane has taken. */
  busy: number
  /** How many rows could start at once. */
  demand: number
}

/**
 * Says how many free slots each lane may take now. First every lane gets what it is short of its share, then what is
 * left is lent, both in the order of the list. A lane can borrow everything except what is kept for the others: a
 * borrowed slot comes back only when its row is done, which behind a slow destination takes minutes, and until then the
 * lane that is owed must not stand still.
 */
export function allot(slots: number, lanes: readonly LaneLoad[]): number[] {
  let free = slots - lanes.reduce((sum, { busy }) => sum + busy, 0)
  const given = lanes.map(() => 0)
  // With hardly any slots nothing can be kept back, or nobody would get one.
  const mostKept = Math.floor(slots / (lanes.length + 1))
  const stillKept = ({ kept, busy }: LaneLoad, i: number): number =>
    Math.max(0, Math.min(mostKept, atLeastOne(slots * kept)) - busy - (given[i] ?? 0))
  const give = (most: (lane: LaneLoad) => number): void => {
    lanes.forEach((lane, i) => {
      const keptForOthers = lanes.reduce((sum, other, j) => (j === i ? sum : sum + stillKept(other, j)), 0)
      const had = given[i] ?? 0
      const more = Math.max(0, Math.min(most(lane), lane.demand - had, free - keptForOthers))
      given[i] = had + more
      free -= more
    })
  }
  give(({ share, busy }) => atLeastOne(slots * share) - busy)
  give(() => slots)
  return given
}

const atLeastOne = (slots: number): number => Math.max(1, Math.floor(slots))
