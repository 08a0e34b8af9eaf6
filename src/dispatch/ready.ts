/**
 * The destinations that have something ready, as far as this process knows, and whose turn it is.
 *
 * They are found by scanning the queue's index round and round, a bounded stretch at a time, for each lane by itself.
 * What is known is a hint and may be wrong both ways: another process may have taken the rows (then a claim finds fewer
 * than it asked for, and the destination is dropped until it is seen again), and a row may have become ready at a place
 * that a claim has already passed (then the next round moves the start back to it).
 */
import type { Claimed, Ready, Wanted, ScanPosition } from './claim.ts'
import type { Destinations } from './destinations.ts'

export interface Candidate extends Ready {
  room: number
}

/** More destinations are not remembered; the next round meets them again. */
const MAX_KNOWN = 20_000

/** How many destinations that have no room are passed over in one pass. */
const MAX_PASSED = 1_000

/** How many destinations one claim asks for. */
const MAX_ASKED = 100

export class ReadyDestinations {
  /** The order of a map's keys is the order of the turns: a destination that had its turn is put behind the others. */
  readonly #lanes = new Map<number, { known: Map<string, string>; after: string }>()

  constructor(lanes: readonly number[]) {
    for (const lane of lanes) this.#lanes.set(lane, { known: new Map(), after: '' })
  }

  scanPositions(): ScanPosition[] {
    return [...this.#lanes].map(([lane, { after }]) => ({ lane, after }))
  }

  /** Takes in what a scan found, at most `most` per lane. True when every lane has been scanned to its end. */
  scanned(found: readonly Ready[], most: number): boolean {
    let ended = true
    for (const [lane, state] of this.#lanes) {
      const here = found.filter((ready) => ready.lane === lane)
      for (const { destination, firstId } of here) {
        if (state.known.has(destination) || state.known.size < MAX_KNOWN) state.known.set(destination, firstId)
      }
      state.after = here.length < most ? '' : (here.at(-1)?.destination ?? '')
      if (state.after !== '') ended = false
    }
    return ended
  }

  /** The destinations of a lane whose turn it is: at most `most` that have room. */
  candidates(lane: number, most: number, destinations: Destinations): { candidates: Candidate[]; opensAt: number } {
    const known = this.#lanes.get(lane)?.known ?? new Map<string, string>()
    const candidates: Candidate[] = []
    const passed: string[] = []
    for (const [destination, firstId] of known) {
      if (candidates.length >= Math.min(most, MAX_ASKED) || passed.length >= MAX_PASSED) break
      const room = destinations.room(destination)
      if (room > 0) candidates.push({ lane, destination, firstId, room })
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

function moveBehind(known: Map<string, string>, destination: string, firstId = known.get(destination)): void {
  known.delete(destination)
  if (firstId !== undefined) known.set(destination, firstId)
}
