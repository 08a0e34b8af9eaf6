import { createHmac } from 'node:crypto'
import { madeBy, type Actor, type ProjectContext } from '../core/caller.ts'
import { encodeId, newId, type Id, type IdPrefix, type ProjectId, type WorkspaceId } from '../core/ids.ts'
import type { Tx } from '../storage/postgres.ts'
import { sql } from '../storage/sql.ts'

/** Actions that are recorded for good. The subject of an entry is an id as clients see it. */
export type AuditAction =
  | `project.${'created' | 'updated' | 'traced' | 'archived' | 'restored'}`
  | `key.${'created' | 'revoked'}`
  | `domain.${'created' | 'updated' | 'dkim_rotated' | 'removed'}`
  | `suppression.${'added' | 'removed'}`
  | `email.${'cancelled' | 'rescheduled' | 'resent' | 'retried'}`
  | `audience.${'created' | 'updated' | 'deleted' | 'imported' | 'exported'}`
  | `contact.${'unsubscribed' | 'resubscribed' | 'deleted'}`
  | `tag.${'created' | 'renamed' | 'deleted'}`
  | `broadcast.${'created' | 'updated' | 'deleted' | 'sent' | 'scheduled' | 'cancelled' | 'paused' | 'resumed' | 'exported'}`
  | `automation.${'created' | 'updated' | 'deleted'}`
  | `receiving_domain.${'created' | 'removed'}`
  | `sms.${'invited' | 'uninvited' | 'live_on' | 'live_off' | 'message_read' | 'consent_read' | 'reconciled'}`
  | `sms_wallet.${'topped_up' | 'reversed' | 'adjusted' | 'frozen' | 'unfrozen' | 'capped'}`
  | `sms_record.${'created' | 'updated' | 'submitted' | 'approved' | 'rejected' | 'suspended'}`
  | `sms_sender.${'activated' | 'deactivated'}`
  | `sms_consent.recorded`
  | `sms_suppression.${'added' | 'lifted'}`
  | `sms_rates.loaded`
  | `sending.${'held' | 'resumed'}`
  | `destination.${'paused' | 'resumed' | 'retried'}`
  | `person.${'invited' | 'joined' | 'role_changed' | 'disabled' | 'enabled' | 'reset' | 'removed'}`
  | `invitation.${'renewed' | 'withdrawn'}`
  | `session.${'started' | 'ended' | 'refused'}`
  | `passkey.${'added' | 'renamed' | 'removed'}`
  | `password.changed`
  | `totp.${'enabled' | 'disabled' | 'recovered'}`
  | `workspace.updated`
  | `installation.backup_noted`
  | `audit.exported`
  | `template.${'created' | 'updated' | 'deleted' | 'starters_made'}`
  | `webhook.${'created' | 'updated' | 'deleted' | 'secret_rotated' | 'secret_shown' | 'replayed'}`

export interface AuditEntry {
  workspaceId: WorkspaceId
  projectId: ProjectId | null
  action: AuditAction
  subject: string
  /**
   * What changed. Never a secret: whoever reads the log need not be who holds the key. Nor anybody's address: the log is
   * kept for ever, and people may ask to be forgotten. Addresses in texts that callers wrote are taken out on the way in.
   */
  details?: Readonly<Record<string, unknown>>
}

/** Written in the transaction of the change itself: there is no change without its entry, and no entry without it. */
export async function recordAudit(tx: Tx, actor: Actor, entry: AuditEntry): Promise<void> {
  const { keyId, personId } = madeBy(actor)
  const sessionId = actor.type === 'person' ? actor.sessionId : null
  const requestId = 'requestId' in actor ? actor.requestId : null
  await tx.run(sql`
    insert into audit_log (id, workspace_id, project_id, actor, key_id, person_id, session_id, request_id, action,
                           subject, details)
    values (${newId<'log'>()}, ${entry.workspaceId}, ${entry.projectId}, ${actor.type}, ${keyId}, ${personId},
            ${sessionId}, ${requestId}, ${entry.action}, ${entry.subject}, ${JSON.stringify(withoutAddresses(entry.details ?? {}))})`)
}

/** Takes the addresses out of every text in a value, however deep it is. */
function withoutAddresses(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(ADDRESS, '[address]')
  if (Array.isArray(value)) return value.map(withoutAddresses)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutAddresses(part)]))
}

/**
 * Matches an email address, and any other word with an @ inside: the audit log may lose a word, but never show an address.
 * Links write @ as `%40`. The match starts at the beginning of a word only: starting at each letter of a long word would
 * take time that grows with the square of its length.
 */
const ADDRESS = /(?<![^\s@<>()[\]"',;:=?&/])[^\s@<>()[\]"',;:=?&/]+(?:@|%40)[^\s@<>()[\]"',;:=?&/]+/gi

/** A keyed hash of an address: the same each time, and without the key the address cannot be read from it. */
export const addressMark = (key: Buffer, project: ProjectId, address: string): string =>
  createHmac('sha256', key).update(`${project}\0${address}`).digest('hex').slice(0, 32)

/** `recordAudit` for resources of one kind, each in its project and known by its id. */
export const auditOf =
  <P extends IdPrefix>(prefix: P) =>
  (
    tx: Tx,
    project: ProjectContext,
    actor: Actor,
    action: AuditAction,
    id: Id<P>,
    details: object = {},
  ): Promise<void> =>
    recordAudit(tx, actor, {
      workspaceId: project.workspaceId,
      projectId: project.id,
      action,
      subject: encodeId(prefix, id),
      details: { ...details },
    })
