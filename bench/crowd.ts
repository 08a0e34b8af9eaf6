/** Contacts by the million, put straight into the database: what is measured is how one lives with them. */
import { decodeId, type ProjectId } from '../src/core/ids.ts'
import { sql } from '../src/storage/sql.ts'
import type { MailNode } from './mail-node.ts'

/** A statement may not take longer than half a minute. */
const PIECE = 50_000

export async function newAudience({ api }: MailNode): Promise<string> {
  const { body } = await api.post<{ id: string }>('audiences', { name: 'Everybody' })
  return body.id
}

/** Those from one number up to another: `user1@sink.test` and so on. */
export async function addContacts(
  { inDatabase }: MailNode,
  audienceId: string,
  from: number,
  to: number,
): Promise<void> {
  const audience = decodeId('aud', audienceId)
  if (audience === undefined) throw new Error('no audience')
  await inDatabase(async (db) => {
    const { id } = await db.one(sql<{ id: ProjectId }>`select id from projects`)
    for (let at = from; at < to; at += PIECE) {
      await db.run(sql`
        insert into contacts (id, project_id, audience_id, email, first_name, properties)
        select uuidv7(), ${id}, ${audience}, 'user' || n || '@sink.test', 'User ' || n, '{"plan": "free"}'
          from generate_series(${at}::int + 1, ${Math.min(to, at + PIECE)}::int) as n`)
    }
    await db.run(sql`analyze contacts`)
  })
}
