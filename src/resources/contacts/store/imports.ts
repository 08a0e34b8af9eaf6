import type { AudienceId, ImportId, ProjectId } from '../../../core/ids.ts'
import type { PageRequest } from '../../../core/page.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { ColumnMap, Import, ImportFormat } from '../schema.ts'

const columns = sql`
  id, project_id as "projectId", audience_id as "audienceId", format, column_map as map, status, problem, bytes,
  processed_bytes as "processedBytes", processed_rows as "processedRows", created, updated, refused,
  created_at as "createdAt", started_at as "startedAt", finished_at as "finishedAt"`

export const list = (db: Db, project: ProjectId, audience: AudienceId, { limit, after }: PageRequest) =>
  db.all(sql<Import>`
    select ${columns}
      from contact_imports
     where project_id = ${project}
       and audience_id = ${audience}
       and (${after}::uuid is null or id < ${after}::uuid)
     order by id desc
     limit ${limit + 1}`)

export const find = (db: Db, project: ProjectId, id: ImportId) =>
  db.maybeOne(sql<Import>`select ${columns} from contact_imports where project_id = ${project} and id = ${id}`)

export const addPiece = (db: Db, id: ImportId, start: number, bytes: Buffer) =>
  db.run(sql`insert into contact_import_pieces (import_id, start, bytes) values (${id}, ${start}, ${bytes})`)

/** Deletes the pieces of an upload that did not come to its end. */
export const dropPieces = (db: Db, id: ImportId) =>
  db.run(sql`delete from contact_import_pieces where import_id = ${id}`)

export interface NewImport {
  id: ImportId
  audienceId: AudienceId
  format: ImportFormat
  map: ColumnMap | null
  bytes: number
}

export const insert = (tx: Tx, project: ProjectId, { id, audienceId, format, map, bytes }: NewImport) =>
  tx.one(sql<Import>`
    insert into contact_imports (id, project_id, audience_id, format, column_map, bytes)
    values (${id}, ${project}, ${audienceId}, ${format}, ${map && JSON.stringify(map)}::jsonb, ${bytes})
    returning ${columns}`)

/** The piece that holds this byte. */
export const pieceAt = (db: Db, id: ImportId, byte: number) =>
  db.maybeOne(sql<{ start: number; bytes: Buffer }>`
    select start, bytes
      from contact_import_pieces
     where import_id = ${id}
       and start <= ${byte}
     order by start desc
     limit 1`)

/** Undefined when the import is over, or gone. */
export const begin = (db: Db, project: ProjectId, id: ImportId) =>
  db.maybeOne(sql<Import>`
    update contact_imports
       set status = 'running', started_at = coalesce(started_at, clock_now())
     where project_id = ${project}
       and id = ${id}
       and status in ('queued', 'running')
    returning ${columns}`)

export interface Progress {
  from: number
  to: number
  rows: number
  created: number
  updated: number
  refused: number
}

/** Returns whether the import stood where we thought. */
export const advance = async (tx: Tx, project: ProjectId, id: ImportId, progress: Progress): Promise<boolean> => {
  const moved = await tx.run(sql`
    update contact_imports
       set processed_bytes = ${progress.to},
           processed_rows = processed_rows + ${progress.rows},
           created = created + ${progress.created},
           updated = updated + ${progress.updated},
           refused = refused + ${progress.refused}
     where project_id = ${project}
       and id = ${id}
       and status = 'running'
       and processed_bytes = ${progress.from}`)
  return moved > 0
}

export interface RefusedRow {
  row: number
  email: string | null
  problem: string
}

export const addErrors = (tx: Tx, id: ImportId, rows: readonly RefusedRow[]) =>
  tx.run(sql`
    insert into contact_import_errors (import_id, row, email, problem)
    select ${id}, row, email, problem
      from json_to_recordset(${JSON.stringify(rows)}::json) as given (row bigint, email text, problem text)`)

export const errorsAfter = (db: Db, id: ImportId, row: number, limit: number) =>
  db.all(sql<RefusedRow>`
    select row, email, problem
      from contact_import_errors
     where import_id = ${id}
       and row > ${row}
     order by row
     limit ${limit}`)

/** Ends an import, which has failed if there is a problem. The file is not kept any longer. */
export const end = async (tx: Tx, project: ProjectId, id: ImportId, problem: string | null): Promise<void> => {
  await tx.run(sql`
    with ended as (
      update contact_imports
         set status = case when ${problem}::text is null then 'completed' else 'failed' end,
             problem = ${problem},
             finished_at = clock_now()
       where project_id = ${project}
         and id = ${id}
         and status in ('queued', 'running')
      returning id
    )
    delete from contact_import_pieces where import_id in (select id from ended)`)
}

/** Some imports of an audience that is gone. */
export const anyOf = (db: Db, project: ProjectId, audience: AudienceId) =>
  db.all(sql<{ id: ImportId }>`
    select id from contact_imports where project_id = ${project} and audience_id = ${audience} limit 100`)

export const olderThan = (db: Db, days: number) =>
  db.all(sql<{ id: ImportId }>`
    select id from contact_imports where created_at < clock_now() - make_interval(days => ${days}) limit 100`)

/** Deletes a part of the report of an import, and the import itself once the report is gone. */
export const forgetSome = async (tx: Tx, id: ImportId, limit: number): Promise<number> => {
  const rows = await tx.run(sql`
    delete from contact_import_errors
     where import_id = ${id}
       and row in (select row from contact_import_errors where import_id = ${id} limit ${limit})`)
  if (rows > 0) return rows
  await tx.run(sql`delete from contact_import_pieces where import_id = ${id}`)
  await tx.run(sql`delete from contact_imports where id = ${id}`)
  return 0
}

/** Deletes the pieces of uploads that broke off; a whole upload has its import. */
export const dropStrayPieces = (db: Db) =>
  db.run(sql`
    delete from contact_import_pieces
     where created_at < clock_now() - interval '1 day'
       and not exists (select from contact_imports where id = import_id)`)
