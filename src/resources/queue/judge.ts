/** What a destination is like, from what waits, what the workers know, what was answered, and who paused it. */
import type { EngineRow, HoldRow, LastReplyRow, WaitingRow } from './schema.ts'
import type { DestinationStateWord } from './states.ts'

export interface Known {
  waiting: WaitingRow | undefined
  engine: EngineRow | undefined
  /** The last answer to mail of the project that was no acceptance. */
  reply: LastReplyRow | undefined
  hold: HoldRow | undefined
  now: Date
}

export interface Verdict {
  state: DestinationStateWord
  since: Date | null
  nextTryAt: Date | null
  needsLook: boolean
}

export function judge(known: Known): Verdict {
  const { waiting, engine, hold } = known
  if (hold !== undefined) return { state: 'paused', since: hold.since, nextTryAt: null, needsLook: true }
  const state = stateOf(known)
  return {
    state,
    since: state === 'flows' ? null : (engine?.since ?? known.reply?.at ?? null),
    nextTryAt: nextTryAt(waiting, engine),
    needsLook: (waiting?.waiting ?? 0) > 0 && (state !== 'flows' || (waiting?.deferred ?? 0) > 0),
  }
}

function stateOf({ waiting, engine, reply, now }: Known): Verdict['state'] {
  const isSuspended = engine?.suspendedUntil != null && engine.suspendedUntil > now
  if (engine !== undefined && (isSuspended || engine.onTrial)) {
    return engine.lastReply !== null && isOutOfReach(engine.lastReply) ? 'unreachable' : 'suspended'
  }
  const hasFailedSince = reply !== undefined && (reply.acceptedAt === null || reply.acceptedAt < reply.at)
  const isWaited = (waiting?.deferred ?? 0) > 0 && hasFailedSince
  if (isWaited && isOutOfReach(reply)) return 'unreachable'
  return isWaited || engine?.connectionLimit != null || engine?.perMinute != null ? 'slowed' : 'flows'
}

/** No server answered, or none that we may go to. */
const isOutOfReach = ({ code, stage }: { code: number | null; stage: string | null }): boolean =>
  (code === null && stage !== 'dot' && stage !== 'body') || stage === 'dns'

/** What is due waits for the destination only; the rest for its own time as well. */
function nextTryAt(waiting: WaitingRow | undefined, engine: EngineRow | undefined): Date | null {
  if (waiting === undefined || waiting.waiting === 0) return null
  const own = waiting.due > 0 ? null : waiting.nextTryAt
  const opens = engine?.suspendedUntil ?? null
  if (own === null || opens === null) return own ?? opens
  return own > opens ? own : opens
}
