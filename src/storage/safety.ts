import type { Db } from './postgres.ts'
import { sql } from './sql.ts'

const MIN_MAJOR = 15

/**
 * Returns why this server must not store mail: each entry is a sentence for the operator, and no entry means it is
 * fine. With any of these settings off, an acknowledged message could be lost when the machine crashes.
 */
export async function unsafeSettings(db: Db): Promise<string[]> {
  const settings = await db.one(sql<{ version: number; off: string[] }>`
    select current_setting('server_version_num')::int / 10000 as version,
           array(select name
                   from unnest(array['fsync', 'full_page_writes', 'synchronous_commit']) as name
                  where current_setting(name) = 'off') as off`)
  const problems = settings.off.map(
    (name) => `${name} is off: mail that was acknowledged could be lost in a crash. Turn it on.`,
  )
  if (settings.version < MIN_MAJOR) {
    problems.push(`it is PostgreSQL ${settings.version}; Posthouse needs ${MIN_MAJOR} or newer.`)
  }
  return problems
}
