import { compact, spoken, type CompactLine, type Dialogue } from '../core/dialogue.ts'
import type { EventId, ProjectId } from '../core/ids.ts'
import { keepMonths } from '../storage/monthly-tables.ts'
import type { Db, Tx } from '../storage/postgres.ts'
import { sql } from '../storage/sql.ts'
import type { SmtpDetail } from './smtp-detail.ts'

/** A dialogue and the event that it belongs to. */
export interface KeptDialogue extends Dialogue {
  eventId: EventId
  projectId: ProjectId
  messageId: string
}

/** Stores them in the transaction of their events. */
export const keepDialogues = async (tx: Tx, kept: readonly KeptDialogue[]): Promise<void> => {
  if (kept.length === 0) return
  await tx.run(sql`
    insert into dialogues (event_id, project_id, message_id, lines, bytes)
    select * from unnest(
      ${kept.map(({ eventId }) => eventId)}::uuid[], ${kept.map(({ projectId }) => projectId)}::uuid[],
      ${kept.map(({ messageId }) => messageId)}::uuid[],
      ${kept.map(({ lines }) => JSON.stringify(lines.map(compact)))}::json[],
      ${kept.map(({ bytes }) => bytes)}::int[])`)
}

/** The events of a message whose dialogue is kept. */
export const dialogueIdsOf = async (db: Db, project: ProjectId, messageId: string): Promise<Set<EventId>> => {
  const rows = await db.all(sql<{ id: EventId }>`
    select event_id as id from dialogues where project_id = ${project} and message_id = ${messageId}`)
  return new Set(rows.map(({ id }) => id))
}

export interface StoredDialogue extends Dialogue {
  smtp: SmtpDetail | null
}

/** The dialogue of one event of a message. */
export const findDialogue = async (
  db: Db,
  project: ProjectId,
  messageId: string,
  event: EventId,
): Promise<StoredDialogue | undefined> => {
  const row = await db.maybeOne(sql<{ lines: CompactLine[]; bytes: number; smtp: SmtpDetail | null }>`
    select lines, bytes, smtp
      from dialogues
      join events on events.message_id = dialogues.message_id and events.id = dialogues.event_id
     where dialogues.project_id = ${project}
       and dialogues.message_id = ${messageId}
       and event_id = ${event}
     limit 1`)
  return row && { ...row, lines: row.lines.map(spoken) }
}

/** Drops the months that are over, and makes room for those to come. */
export const forgetDialogues = (db: Db, days: number): Promise<void> =>
  keepMonths(db, { table: 'dialogues', moment: 'at' }, days)
