import { explain, type Explanation } from './explain.ts'
import { providerOf } from './providers.ts'

/** What was last said about a recipient whose mail was not simply delivered. */
export interface LastReply {
  detail: string
  smtp: { code?: number; enhanced?: string; host?: string } | null
}

/** The states that a server's answer brings about. */
const answered: ReadonlySet<string> = new Set(['deferred', 'bounced', 'filteredspam', 'quarantined', 'failed'])

/** What the state says about the class of the reply. What was given up is not tried again, whatever the last reply was. */
const classes: Readonly<Record<string, string>> = { deferred: 'temporary', filteredspam: 'spam' }

/** Explains the state of a recipient by the last reply; null where no server's answer brought it about. */
export function explainOutcome(state: string, reply: LastReply | undefined): Explanation | null {
  if (reply === undefined || !answered.has(state)) return null
  const { detail, smtp } = reply
  return explain({
    code: smtp?.code ?? null,
    enhanced: smtp?.enhanced ?? null,
    text: detail,
    provider: smtp?.host === undefined ? null : (providerOf(smtp.host) ?? null),
    class: classes[state] ?? state,
  })
}
