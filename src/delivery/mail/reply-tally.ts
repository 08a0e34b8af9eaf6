/** Counts what servers answered since it was last asked, by project and destination, so that one write tells all of it. */
import { createHash } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import { withoutAddresses, withoutNumbers } from '../../mail/replies/same-answer.ts'
import type { CountedReply } from '../../resources/queue/index.ts'
import type { Sent } from './transports/transport.ts'

/** A server that answers every mail in other words must not fill the table: further texts are counted as one. */
const MAX_TEXTS = 50
const OTHER_TEXTS = '(other answers)'
/** More are not counted until the next write. */
const MAX_COUNTED = 2_000
const MAX_REMEMBERED = 10_000
const HOUR_MS = 3_600_000

export class ReplyTally {
  readonly #clock: Clock
  #counted = new Map<string, CountedReply>()
  #left = new Map<ProjectId, number>()
  /** The different texts of this hour, for each project and destination. */
  #texts = new Map<string, Set<string>>()
  #textsSince = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(projectId: ProjectId, destination: string, sent: Sent): void {
    const answer = answerOf(sent)
    if (answer === undefined) return
    if (answer.outcome === 'accepted') this.#left.set(projectId, (this.#left.get(projectId) ?? 0) + 1)
    const text = this.#bounded(`${projectId} ${destination}`, answer.text)
    const { host, address, tls, outcome, stage, code, enhanced } = answer
    const mark = markOf([host, address, tls, outcome, stage, code, enhanced, withoutNumbers(text)])
    const key = `${projectId} ${destination} ${mark}`
    const known = this.#counted.get(key)
    const at = this.#clock.now()
    if (known !== undefined) Object.assign(known, { count: known.count + 1, text, at })
    else if (this.#counted.size < MAX_COUNTED) {
      this.#counted.set(key, { ...answer, projectId, destination, text, mark, count: 1, at })
    }
  }

  /** What was counted, which begins anew. */
  take(): { replies: CountedReply[]; left: Map<ProjectId, number> } {
    const taken = { replies: [...this.#counted.values()], left: this.#left }
    this.#counted = new Map()
    this.#left = new Map()
    return taken
  }

  #bounded(where: string, text: string): string {
    const now = this.#clock.now()
    if (now - this.#textsSince >= HOUR_MS || this.#texts.size >= MAX_REMEMBERED) {
      this.#texts = new Map()
      this.#textsSince = now
    }
    const known = this.#texts.get(where) ?? new Set()
    this.#texts.set(where, known)
    const pattern = withoutNumbers(text)
    if (!known.has(pattern) && known.size >= MAX_TEXTS) return OTHER_TEXTS
    known.add(pattern)
    return text
  }
}

/** What was said to one mail, without the addresses in it, or what became of the connection. */
export type Said = Pick<CountedReply, 'outcome' | 'stage' | 'code' | 'enhanced' | 'text' | 'host' | 'address' | 'tls'>

/** Undefined when nobody was asked. */
export function answerOf(sent: Sent): Said | undefined {
  const said = saidIn(sent)
  return said && { ...said, text: withoutAddresses(said.text) }
}

function saidIn({ result, peer }: Sent): Said | undefined {
  const where = { host: peer?.host ?? null, address: peer?.address ?? null, tls: peer?.tls ?? null }
  switch (result.kind) {
    case 'accepted':
      // Most servers give every mail a number of its own here, and all say the same.
      return { ...where, outcome: 'accepted', stage: 'dot', code: result.reply.code, enhanced: null, text: '' }
    case 'refused': {
      const { code, enhanced = null, text } = result.reply
      return { ...where, outcome: 'refused', stage: result.stage, code, enhanced, text }
    }
    case 'declined': {
      const { code, enhanced = null, text } = result.reply
      // We did not go there, and where a name of our own network leads is nobody's business.
      return { ...where, address: null, outcome: 'declined', stage: null, code, enhanced, text }
    }
    case 'lost':
      return { ...where, outcome: 'lost', stage: result.stage, code: null, enhanced: null, text: result.reason }
    case 'unknown':
      return { ...where, outcome: 'lost', stage: 'dot', code: null, enhanced: null, text: result.reason }
    case 'withheld':
    case 'returned':
      return undefined
  }
}

const markOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)
