import type { Wanted } from './claim.ts'
import type { Destinations } from './destinations.ts'
import { allot } from './lanes.ts'
import type { Lane } from './queue.ts'
import type { Candidate, ReadyDestinations } from './ready.ts'

/** So many rows in one claim are enough to keep up, and few enough that the statement takes milliseconds. */
const MAX_CLAIMED = 100

interface PlanInput {
  slots: number
  lanes: readonly Lane[]
  ready: ReadyDestinations
  destinations: Destinations
  active: { size: number; inLane(lane: number): number }
}

/** Says what to ask for in one claim, and when a destination that has to be passed over opens again. */
export function plan({ slots, lanes, ready, destinations, active }: PlanInput): {
  wanted: Wanted[]
  opensAt: number
} {
  const most = Math.max(0, Math.min(slots - active.size, MAX_CLAIMED))
  const found = lanes.map(({ lane }) => ready.candidates(lane, most, destinations))
  const loads = lanes.map(({ lane, share, kept }, i) => {
    const demand = found[i]?.candidates.reduce((sum, { room }) => sum + room, 0) ?? 0
    return { lane, share, kept, demand, busy: active.inLane(lane) }
  })
  const promised = new Map<string, number>()
  let left = most
  const wanted = allot(slots, loads).flatMap((given, i) => {
    const part = share(Math.min(given, left), found[i]?.candidates ?? [], promised)
    left -= part.reduce((sum, { most }) => sum + most, 0)
    return part
  })
  return { wanted, opensAt: Math.min(...found.map(({ opensAt }) => opensAt)) }
}

/** Each candidate gets the same, as far as it has room. `promised` counts what other lanes got for a destination. */
function share(slots: number, candidates: readonly Candidate[], promised: Map<string, number>): Wanted[] {
  const each = Math.ceil(slots / candidates.length)
  let left = slots
  return candidates.flatMap(({ room, ...ready }) => {
    const before = promised.get(ready.destination) ?? 0
    const most = Math.min(room - before, each, left)
    if (most <= 0) return []
    left -= most
    promised.set(ready.destination, before + most)
    return [{ ...ready, most }]
  })
}
