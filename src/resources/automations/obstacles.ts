import type { ProjectContext } from '../../core/caller.ts'
import { DomainError } from '../../core/errors.ts'
import type { Mailings, MailingSender } from '../emails/index.ts'
import type { Advance, Obstacle } from './advance.ts'
import type { Plan } from './plan.ts'
import type { DueRun, Move } from './store/due.ts'

/** The sender of a version, or why it cannot send; undefined for a version that sends no mail. */
export type SenderState = MailingSender | Obstacle | undefined

export async function senderState(mailings: Mailings, project: ProjectContext, plan: Plan): Promise<SenderState> {
  if (plan.sender === null) return undefined
  const { opens, clicks } = plan.tracking
  const tracking = { ...(opens === null ? {} : { opens }), ...(clicks === null ? {} : { clicks }) }
  try {
    return await mailings.senderOf(project, plan.sender, tracking)
  } catch (error) {
    if (error instanceof DomainError) return { problem: error.message, again: 'later' }
    throw error
  }
}

export function whyNotMail(mailings: Mailings, sender: SenderState, email: string): Obstacle | undefined {
  if (sender === undefined) return { problem: 'There is no sender.', again: 'never' }
  if ('problem' in sender) return sender
  const refusal = mailings.refusal(sender, email)
  return refusal === undefined ? undefined : { problem: refusal.message, again: 'never' }
}

/** A domain that lost its records has a day to get them back. */
const MAX_ATTEMPTS = 12
const FIRST_MS = 60_000
const MAX_MS = 4 * 3_600_000

/** A run that cannot do what is next: it tries again, or gives up. */
export function blocked(
  { id, contactId, attempts }: DueRun,
  stepId: string | null,
  { problem, again }: Obstacle,
  { results, effects }: Pick<Advance, 'results' | 'effects'>,
): Move {
  const isFinal = again === 'never' || (again === 'later' && attempts + 1 >= MAX_ATTEMPTS)
  return {
    id,
    contactId,
    status: isFinal ? 'failed' : 'waiting',
    stopReason: isFinal ? 'error' : null,
    stepId,
    nextStep: stepId,
    dueAt: again instanceof Date ? again : null,
    dueInMs: Math.min(MAX_MS, FIRST_MS * 2 ** attempts),
    recalled: false,
    attempts: again === 'later' ? attempts + 1 : attempts,
    problem,
    results,
    emails: effects.filter(({ kind }) => kind === 'email').length,
    byItself: false,
  }
}
