import type { PersonId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import { FORGOTTEN_AFTER_HOURS, SILENT_AFTER_MINUTES } from '../limits.ts'
import type { DatabaseFacts, HostRow, NodeRow } from '../schema.ts'

/** More nodes than these are no installation of ours. */
const MAX_NODES = 100

export interface InstallationRow {
  database: DatabaseFacts | null
  databaseLookedAt: Date | null
  backupNotedAt: Date | null
}

export const find = (db: Db) =>
  db.one(sql<InstallationRow>`
    select database, database_looked_at as "databaseLookedAt", backup_noted_at as "backupNotedAt" from installation`)

export const nodes = (db: Db) =>
  db.all(sql<NodeRow>`
    select id, name, version, started_at as "startedAt", roles, disk_free_bytes as "diskFreeBytes",
           disk_total_bytes as "diskTotalBytes", certificate_ends_at as "certificateEndsAt", seen_at as "seenAt",
           seen_at < clock_now() - ${SILENT_AFTER_MINUTES} * interval '1 minute' as "isSilent"
      from nodes
     where seen_at > clock_now() - ${FORGOTTEN_AFTER_HOURS} * interval '1 hour'
     order by name, id
     limit ${MAX_NODES}`)

export const hosts = (db: Db) =>
  db.all(sql<HostRow>`
    select hostname, addresses, outgoing, looked_at as "lookedAt"
      from node_hosts
     where looked_at > clock_now() - ${FORGOTTEN_AFTER_HOURS} * interval '1 hour'
     order by hostname, id
     limit ${MAX_NODES}`)

export const noteBackup = (tx: Tx, by: PersonId) =>
  tx.one(sql<{ notedAt: Date }>`
    update installation
       set backup_noted_at = clock_now(), backup_noted_by = ${by}
    returning backup_noted_at as "notedAt"`)
