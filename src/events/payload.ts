/** The body that webhooks post. Its one maker: events that happened and test events are told alike. */
import { encodeId, type EmailId, type Id, type IdPrefix, type WorkspaceId } from '../core/ids.ts'
import { encodeReference } from '../core/mail-reference.ts'
import type { EventKind } from './kinds.ts'

/**
 * What is told of an SMS beside the fields that every event has. Written out here, field by field, because it leaves
 * our system: no text of a message, nothing that proves a consent, nothing of the caller's own.
 */
export interface SmsFields {
  projectId: string
  mode: 'test' | 'live'
  direction?: 'outbound' | 'inbound'
  status?: string
  category?: string | null
  programId?: string | null
  senderId?: string | null
  segments?: number
  encoding?: string | null
  errorCode?: string | null
  providerErrorCode?: string | null
  keyword?: string | null
  /** How a person opted out: by a keyword, or by what the text seems to mean. */
  origin?: string
  /** Counts the events of one message, for receivers that get them out of order. */
  sequence?: number
}

export interface ToldEvent {
  kind: EventKind
  workspaceId: WorkspaceId
  messageId: string
  position?: number | undefined
  /** What `messageId` names, where the kind does not tell. */
  about?: IdPrefix
  recipient: string
  detail: string
  sms?: { fields: SmsFields } | undefined
}

/** The body in two parts: between them stands the time, which only the database knows. */
export function payloadAround(event: ToldEvent): { before: string; after: string } {
  const { kind, recipient, detail, workspaceId, sms } = event
  const before = JSON.stringify({ type: kind, messageId: wireMessageId(event), recipient })
  const after = JSON.stringify({ detail, accountId: encodeId('acc', workspaceId), sms: sms?.fields })
  return { before: `${before.slice(0, -1)},"timestamp":"`, after: `",${after.slice(1)}` }
}

function wireMessageId({ kind, messageId, position, about }: ToldEvent): string {
  if (position !== undefined) return encodeReference({ emailId: messageId as EmailId, position })
  const prefix = about ?? prefixOf(kind)
  return encodeId(prefix, messageId as Id<typeof prefix>)
}

/** What `messageId` names. Of some events of SMS it is no message, so that no two of them have the same. */
function prefixOf(kind: EventKind): IdPrefix {
  switch (kind) {
    case 'email.received':
      return 'rcv'
    case 'sms.optedout':
      return 'smssp'
    case 'sms.optedin':
      return 'smscn'
    case 'sms.walletlow':
      return 'sml'
    default:
      return kind.startsWith('sms.') ? 'sms' : 'em'
  }
}
