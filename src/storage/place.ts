/**
 * Where a database lives, told by what a copy of it cannot have in common with it.
 *
 * A server keeps its system identifier for life and shares it with its standbys, so a failover is no move; a dump that
 * is read in elsewhere meets another one. A copy of the files has the same one: there, the file that PostgreSQL writes
 * in place for as long as the cluster exists (`global/pg_control`) was born when it was copied. Moving the folder within
 * its file system changes nothing of all this. What copies whole volumes, or takes the same server back in time, cannot
 * be seen from here.
 */
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { clusterIn } from './cluster-folder.ts'
import type { Db } from './postgres.ts'
import { sql } from './sql.ts'

/** Null is what cannot be told. */
export interface Place {
  server: string | null
  controlFile: { born: string | null; inode: string | null }
}

/** `dataDir` where the embedded server is used. */
export const databasePlace = async (db: Db, dataDir: string | undefined): Promise<Place> => ({
  server: await systemIdentifier(db),
  controlFile: dataDir === undefined ? { born: null, inode: null } : controlFileIn(clusterIn(resolve(dataDir))),
})

/** Every role may call this, unless an administrator has revoked it. */
async function systemIdentifier(db: Db): Promise<string | null> {
  try {
    const { id } = await db.one(sql<{ id: string }>`select system_identifier::text as id from pg_control_system()`)
    return id
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE) return null
    throw error
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'

function controlFileIn(cluster: string): Place['controlFile'] {
  const { ino, birthtimeNs, ctimeNs } = statSync(join(cluster, 'global', 'pg_control'), { bigint: true })
  // Where a file system keeps no births Node says nought, or the last change, which for this file is never the birth.
  const isKnown = birthtimeNs !== 0n && birthtimeNs !== ctimeNs
  return { born: isKnown ? String(birthtimeNs) : null, inode: String(ino) }
}
