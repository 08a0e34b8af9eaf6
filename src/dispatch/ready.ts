/**
 * The destinations that have something ready, as far as this process knows, and whose turn it is.
 *
 * Knowledge comes from scouting: a walk over the queue's index that goes round and round, a bounded stretch at a time,
 * for each lane by itself. It is a hint and may be wrong both ways: another process may have taken the rows (then a
 * claim finds fewer than it asked for, and the destination is struck until it is seen again), and a row may have become
 * ready at a place that a claim has already passed (then the next round moves the start back to it).
 */
import type { Claimed, Ready, Wanted, Whereabouts } from './claim.ts'
import type { Destinations } from './destinations.ts'

export interface Candidate extends Ready {
  room: number
}

/** More are not remembered; the next round meets them again. */
const MAX_KNOWN = 20_000

/** How many destinations that have no room are passed in one survey. */
const MAX_PASSED = 1_000

/** How many destinations one claim asks for. */
const MAX_ASKED = 100

export class ReadyDestinations {
  /** The order of a map's keys is the order of the turns: whoever had a turn is put behind the others. */
  readonly #lanes = new Map<number, { known: Map<string, string>; after: string }>()

  constructor(lanes: readonly number[]) {
    for (const lane of lanes) this.#lanes.set(lane, { known: new Map(), after: '' })
  }

  whereabouts(): Whereabouts[] {
    return [...this.#lanes].map(([lane, { after }]) => ({ lane, after }))
  }

  /** Takes in what was found, at most `most` per lane. True when every lane has been walked to its end. */
  scouted(found: readonly Ready[], most: number): boolean {
    let ended = true
    for (const [lane, state] of this.#lanes) {
      const here = found.filter((ready) => ready.lane === lane)
      for (const { destination, from } of here) {
        if (state.known.has(destination) || state.known.size < MAX_KNOWN) state.known.set(destination, from)
      }
      state.after = here.length < most ? '' : (here.at(-1)?.destination ?? '')
      if (state.after !== '') ended = false
    }
    return ended
  }

  /** Whose turn it is in a lane: at most `most` destinations that have room. */
  survey(lane: number, most: number, destinations: Destinations): { candidates: Candidate[]; opensAt: number } {
    const known = this.#lanes.get(lane)?.known ?? new Map<string, string>()
    const candidates: Candidate[] = []
    const passed: string[] = []
    for (const [destination, from] of known) {
      if (candidates.length >= Math.min(most, MAX_ASKED) || passed.length >= MAX_PASSED) break
      const room = destinations.room(destination)
      if (room > 0) candidates.push({ lane, destination, from, room })
      else passed.push(destination)
    }
    for (const destination of passed) moveBehind(known, destination)
    const opensAt = Math.min(Infinity, ...passed.map((destination) => destinations.opensAt(destination)))
    return { candidates, opensAt }
  }

  /** Moves the start of each destination behind what was taken. One that gave less than asked for has no more. */
  taken(wanted: readonly Wanted[], claimed: readonly Claimed[]): void {
    const rows = Map.groupBy(claimed, ({ lane, destination }) => `${lane} ${destination}`)
    for (const { lane, destination, most } of wanted) {
      const known = this.#lanes.get(lane)?.known
      const ids = (rows.get(`${lane} ${destination}`) ?? []).map(({ id }) => id)
      if (ids.length < most) known?.delete(destination)
      else if (known) moveBehind(known, destination, ids.toSorted().at(-1))
    }
  }
}

function moveBehind(known: Map<string, string>, destination: string, from = known.get(destination)): void {
  known.delete(destination)
  if (from !== undefined) known.set(destination, from)
}
