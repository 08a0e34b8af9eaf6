import { encodeId, type WorkspaceId } from '../../core/ids.ts'
import { explain, type Explanation } from '../../mail/replies/explain.ts'
import { providerOf } from '../../mail/replies/providers.ts'
import { judge, type Known } from './judge.ts'
import { nameOf } from './names.ts'
import type {
  DestinationDetail,
  DestinationView,
  HoldRow,
  HostRow,
  LastReplyRow,
  NotedReply,
  ReplyGroupRow,
  ReplyView,
} from './schema.ts'

export interface Seen extends Known {
  destination: string
  /** How many connections there are to it at most, as a rule. */
  usualLimit: number
}

export function destinationView(seen: Seen, workspace: WorkspaceId): DestinationView {
  const { destination, waiting, engine, reply, hold, usualLimit } = seen
  const { state, since, nextTryAt, needsLook } = judge(seen)
  return {
    destination,
    name: nameOf(destination),
    waiting: waiting?.waiting ?? 0,
    oldestAt: timeOf(waiting?.oldestId ?? null)?.toISOString() ?? null,
    state,
    needsLook,
    since: since?.toISOString() ?? null,
    pace: {
      connections: engine?.connections ?? 0,
      limit: engine?.connectionLimit ?? usualLimit,
      usualLimit,
      perMinute: engine?.perMinute ?? null,
    },
    nextTryAt: nextTryAt?.toISOString() ?? null,
    lastReply: reply === undefined ? foreignReply(engine?.lastReply) : ownReply(reply),
    explanation: explanationOf(destination, seen),
    paused: hold === undefined ? null : pauseView(hold, workspace),
  }
}

/** An id begins with the milliseconds at which it was made. */
export const timeOf = (id: string | null): Date | null =>
  id === null ? null : new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))

const ownReply = ({ code, enhanced, text, stage, host, at }: LastReplyRow): ReplyView => ({
  code,
  enhanced,
  text,
  stage,
  host,
  at: at.toISOString(),
})

/** It may name a recipient or a domain of another project: what it means is told, and its words are not. */
const foreignReply = (reply: NotedReply | null | undefined): ReplyView | null =>
  reply == null
    ? null
    : {
        code: reply.code ?? null,
        enhanced: reply.enhanced ?? null,
        text: null,
        stage: reply.stage ?? null,
        host: reply.host ?? null,
        at: new Date(reply.at).toISOString(),
      }

/** What the workers act upon explains more than what was answered to one mail. */
function explanationOf(destination: string, { engine, reply, waiting }: Seen): Explanation | null {
  const told = engine?.lastReply ?? ((waiting?.waiting ?? 0) > 0 ? reply : undefined)
  return told === undefined ? null : explained(destination, told)
}

interface Told {
  code: number | null
  enhanced: string | null
  text: string
  host: string | null
}

function explained(destination: string, { code, enhanced, text, host }: Told): Explanation {
  const provider = host === null ? destination : (providerOf(host) ?? null)
  // Where no server answered we try again: that is what a connection that fails means to us.
  return explain({ code, enhanced, text, provider, ...(code === null ? { class: 'temporary' } : {}) })
}

/** Who is in another workspace is not named. */
function pauseView(hold: HoldRow, workspace: WorkspaceId): NonNullable<DestinationView['paused']> {
  const { keyId, personId, name, since, because, projectId, workspaceId } = hold
  const isOurs = workspaceId === workspace
  const id = keyId === null ? personId && encodeId('per', personId) : encodeId('key', keyId)
  return {
    by: { type: keyId === null ? 'person' : 'key', id: isOurs ? id : null, name: isOurs ? name : null },
    since: since.toISOString(),
    because,
    everywhere: projectId === null,
  }
}

export const replyGroupView = (destination: string, group: ReplyGroupRow): DestinationDetail['replies'][number] => {
  const { code, enhanced, text, stage, count, lastAt } = group
  return {
    code,
    enhanced,
    text,
    stage,
    count,
    lastAt: lastAt.toISOString(),
    explanation: explained(destination, group),
  }
}

export const hostView = ({ lastAt, ...host }: HostRow): DestinationDetail['hosts'][number] => ({
  ...host,
  lastAt: lastAt.toISOString(),
})
