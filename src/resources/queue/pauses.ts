import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Database } from '../../storage/postgres.ts'
import { isPaused } from './store/holds.ts'

/** An answer may be used for as long as the permission to send a mail, which asks the same about its own destination. */
const GOOD_FOR_MS = 500
const MAX_REMEMBERED = 10_000

/** Tells workers whether a site is paused that is not the destination of the row in their hands. */
export class Pauses {
  readonly #db: Database
  readonly #clock: Clock
  readonly #answers = new Map<string, { askedAt: number; answer: Promise<boolean> }>()

  constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  isPaused(project: ProjectId, site: string): Promise<boolean> {
    const key = `${project} ${site}`
    const known = this.#answers.get(key)
    const now = this.#clock.now()
    if (known !== undefined && now - known.askedAt < GOOD_FOR_MS) return known.answer
    if (this.#answers.size >= MAX_REMEMBERED) this.#answers.clear()
    const answer = isPaused(this.#db, project, site)
    this.#answers.set(key, { askedAt: now, answer })
    answer.catch(() => this.#answers.delete(key))
    return answer
  }
}
