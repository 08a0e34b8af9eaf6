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
/** More different answers to one project are not counted until the next write, but for the first of each destination. */
const MAX_ANSWERS_OF_PROJECT = 500
/** Of more texts of a project all are forgotten, and begin anew. */
const MAX_TEXTS_OF_PROJECT = 1_000
const HOUR_MS = 3_600_000

/** What was answered to one project. No project takes the room of another. */
interface Answers {
  byKey: Map<string, CountedReply>
  destinations: Set<string>
}

interface Texts {
  byDestination: Map<string, Set<string>>
  count: number
}

export class ReplyTally {
  readonly #clock: Clock
  #counted = new Map<ProjectId, Answers>()
  #left = new Map<ProjectId, number>()
  /** The different texts of this hour. */
  #texts = new Map<ProjectId, Texts>()
  #textsSince = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(projectId: ProjectId, destination: string, sent: Sent): void {
    const answer = answerOf(sent)
    if (answer === undefined) return
    if (answer.outcome === 'accepted') this.#left.set(projectId, (this.#left.get(projectId) ?? 0) + 1)
    const text = this.#bounded(projectId, destination, answer.text)
    const { host, address, tls, outcome, stage, code, enhanced } = answer
    const mark = markOf([host, address, tls, outcome, stage, code, enhanced, withoutNumbers(text)])
    const key = `${destination} ${mark}`
    const own = this.#counted.get(projectId) ?? { byKey: new Map(), destinations: new Set() }
    this.#counted.set(projectId, own)
    const known = own.byKey.get(key)
    const at = this.#clock.now()
    if (known !== undefined) Object.assign(known, { count: known.count + 1, text, at })
    else if (own.byKey.size < MAX_ANSWERS_OF_PROJECT || !own.destinations.has(destination)) {
      own.byKey.set(key, { ...answer, projectId, destination, text, mark, count: 1, at })
      own.destinations.add(destination)
    }
  }

  /** What was counted, which begins anew. */
  take(): { replies: CountedReply[]; left: Map<ProjectId, number> } {
    const replies = [...this.#counted.values()].flatMap(({ byKey }) => [...byKey.values()])
    const taken = { replies, left: this.#left }
    this.#counted = new Map()
    this.#left = new Map()
    return taken
  }

  #bounded(project: ProjectId, destination: string, text: string): string {
    const now = this.#clock.now()
    if (now - this.#textsSince >= HOUR_MS) {
      this.#texts = new Map()
      this.#textsSince = now
    }
    const before = this.#texts.get(project)
    const own =
      before !== undefined && before.count < MAX_TEXTS_OF_PROJECT ? before : { byDestination: new Map(), count: 0 }
    this.#texts.set(project, own)
    const known = own.byDestination.get(destination) ?? new Set()
    own.byDestination.set(destination, known)
    const pattern = withoutNumbers(text)
    if (known.has(pattern)) return text
    if (known.size >= MAX_TEXTS) return OTHER_TEXTS
    known.add(pattern)
    own.count++
    return text
  }
}

/** What was said to one mail, without the addresses in it, or what became of the connection. */
export type Said = Pick<CountedReply, 'outcome' | 'stage' | 'code' | 'enhanced' | 'text' | 'host' | 'address' | 'tls'>

/** Undefined when no server was asked. */
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
