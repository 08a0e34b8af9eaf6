import type { ProjectContext } from '../../core/caller.ts'
import { DomainError, type ErrorCode } from '../../core/errors.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { ReadMailing } from '../../mail/compose/mailing.ts'
import type { Filling, MessageParts, PartProblem, Variables } from '../../template/index.ts'

/** What a thread that works on what a project wrote can be asked. */
export type RenderQuestion =
  | { type: 'problems'; sources: MessageParts }
  | { type: 'fill'; sources: MessageParts; variables: Variables; now?: number | undefined }
  /** The same for a mailing, whose html is read once more for what we put into it. */
  | { type: 'mailing'; sources: MessageParts; variables: Variables; now?: number | undefined; unsubscribeUrl: string }
  /** The text part for html that came without one. */
  | { type: 'text'; sources: Pick<MessageParts, 'html'> }

export type MailingFilling = Exclude<Filling, { kind: 'filled' }> | { kind: 'filled'; parts: ReadMailing }

export interface RenderAnswers {
  problems: readonly PartProblem[]
  fill: Filling
  mailing: MailingFilling
  text: string
}

export type RenderOutcome<T> =
  | { kind: 'answered'; answer: T }
  /** It took more time or memory than it may, and was ended. */
  | { kind: 'stopped' }
  /** It was ended a short while ago, and is not tried again before that. */
  | { kind: 'resting'; afterMs: number }
  /** The project has so much under way that this would wait for longer than it may. */
  | { kind: 'busy'; afterMs: number }
  /** A defect of ours. */
  | { kind: 'failed' }

/** Renders templates outside of the thread that serves requests and deliveries. */
export interface Renderer {
  /** One thing after the other for each project. */
  ask<Q extends RenderQuestion>(
    project: ProjectId,
    question: Q,
    patienceMs: number,
  ): Promise<RenderOutcome<RenderAnswers[Q['type']]>>
}

/** For which project a template is rendered, and how long that may wait for other templates of the project. */
export interface RenderContext {
  projectId: ProjectId
  patienceMs: number
  /** The moment that `"now" | date` shows, in milliseconds; the present one unless given. */
  now?: number
}

/** For a request: its client waits for this one answer, so rendering may take long. */
export const askedBy = ({ id }: Pick<ProjectContext, 'id'>): RenderContext => ({ projectId: id, patienceMs: 10_000 })

/** For a delivery: a mail that waits here holds a slot that mail of other projects could have. */
export const deliveredFor = ({ projectId, date }: { projectId: ProjectId; date: Date }): RenderContext => ({
  projectId,
  patienceMs: 500,
  // The same on every attempt, and whenever the mail is read again.
  now: date.getTime(),
})

/** The result is not known yet. A delivery is tried again after `afterMs`; a caller of the API is told to do so. */
export class TemplatePostponed extends DomainError {
  readonly afterMs: number

  constructor(code: ErrorCode, message: string, afterMs: number) {
    super(code, message, code === 'unavailable' ? { retryAfter: Math.ceil(afterMs / 1_000) } : {})
    this.afterMs = afterMs
  }
}
