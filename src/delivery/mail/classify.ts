/** Turns what became of an attempt into what it means for the mail. */
import { providerOf } from '../../mail/replies/providers.ts'
import { classOf, type ReplyContext, type ReplyStage, type ReplyClass } from '../../mail/replies/reply-class.ts'
import type { FailureClass } from '../../mail/replies/reply-rules.ts'
import { replyLine, type Reply } from '../../mail/replies/reply.ts'
import { waitAskedFor } from '../../mail/replies/reply-wait.ts'
import type { Result, Stage } from '../../smtp/client/attempt.ts'
import type { Sent } from './transports/transport.ts'

export type Outcome =
  /** `complaint` says that its recipient complained, which only the simulator knows so soon. */
  | { kind: 'delivered'; detail: string; complaint?: true }
  /** The mail is tried again. `maybeDuplicate` says that the same bytes may have arrived already. */
  | { kind: 'deferred'; detail: string; askedMs?: number; maybeDuplicate?: true }
  /** `bounced` and `filteredspam` are followed by a suppression; `quarantined` and `failed` are not. */
  | { kind: 'bounced' | 'filteredspam' | 'quarantined' | 'failed'; detail: string; cause: FailureClass }
  | { kind: 'suppressed'; detail: string }
  /** The mail was not tried, and goes back to the queue without an attempt counted. */
  | { kind: 'returned'; detail: string; afterMs?: number }
  /** The permission to send the mail was refused; the database knows why. */
  | { kind: 'withheld' }

export function classify({ result, peer, pretend, isRelayed }: Sent): Outcome {
  if (pretend === 'suppression') return { kind: 'suppressed', detail: 'The recipient is suppressed (simulated).' }
  switch (result.kind) {
    case 'accepted':
      return accepted(result.reply, pretend === 'complaint')
    case 'refused':
      return refused(
        result.reply,
        meaningOf(result, {
          provider: peer && providerOf(peer.host),
          isRelayed: isRelayed ?? false,
        }),
      )
    case 'declined':
      return refused(result.reply, byCodes(result.reply))
    case 'lost':
      return { kind: 'deferred', detail: `The connection failed (${result.stage}): ${result.reason}` }
    case 'unknown':
      return { kind: 'deferred', detail: `Sent, but not confirmed: ${result.reason}`, maybeDuplicate: true }
    case 'withheld':
      return { kind: 'withheld' }
    case 'returned': {
      const { reason, afterMs } = result
      return { kind: 'returned', detail: reason, ...(afterMs === undefined ? {} : { afterMs }) }
    }
  }
}

function accepted(reply: Reply, complaint: boolean): Outcome {
  const detail = replyLine(reply)
  if (classOf(reply) === 'quarantined') return { kind: 'quarantined', detail, cause: 'quarantine' }
  return { kind: 'delivered', detail, ...(complaint ? { complaint } : {}) }
}

function meaningOf({ reply, stage }: Result & { kind: 'refused' }, circumstances: ReplyContext): ReplyClass {
  // A smarthost refused our password: the mail must not be lost for a mistake in the configuration.
  if (stage === 'auth') return 'temporary'
  return stage === 'dns' ? byCodes(reply) : classOf(reply, { ...circumstances, occasion: occasionOf(stage) })
}

/** Up to MAIL the server does not know the recipient yet, and from DATA on it has accepted the recipient. */
function occasionOf(stage: Stage): ReplyStage {
  if (stage === 'rcpt') return 'recipient'
  if (stage === 'data') return 'data'
  return stage === 'body' || stage === 'dot' ? 'message' : 'early'
}

/** Replies of our own are read by their codes: their words contain names that others have chosen. */
const byCodes = (reply: Reply): ReplyClass => classOf({ ...reply, text: '' })

function refused(reply: Reply, meaning: ReplyClass): Outcome {
  const detail = replyLine(reply)
  // Replies below 400 are no refusals; if one comes here all the same, another attempt is made.
  if (meaning === 'temporary' || meaning === 'accepted' || meaning === 'quarantined') {
    const askedMs = waitAskedFor(reply.text)
    return { kind: 'deferred', detail, ...(askedMs === undefined ? {} : { askedMs }) }
  }
  return { kind: words[meaning], detail, cause: meaning }
}

const words: Readonly<Record<FailureClass, 'bounced' | 'filteredspam' | 'quarantined' | 'failed'>> = {
  recipient: 'bounced',
  spam: 'filteredspam',
  quarantine: 'quarantined',
  full: 'failed',
  content: 'failed',
  infrastructure: 'failed',
}
