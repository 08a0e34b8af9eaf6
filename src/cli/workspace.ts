import { resolve } from 'node:path'
import type { Services } from '../app/compose.ts'
import { loadConfig } from '../config/load.ts'
import { systemClock } from '../core/clock.ts'
import { SetupError } from '../core/errors.ts'
import type { WorkspaceId } from '../core/ids.ts'
import { printable, type Terminal } from './command.ts'

/** Runs an operator's command on this installation's workspace. */
export async function inWorkspace<T>(
  { env }: Terminal,
  work: (services: Services, workspaceId: WorkspaceId) => Promise<T>,
): Promise<T> {
  const config = loadConfig(env)
  const { hasDatabase, withDatabase } = await import('../app/database.ts')
  if (!hasDatabase(config)) {
    throw new SetupError(
      `There is no installation in ${resolve(config.dataDir)}: run "posthouse start" first, or name its place in DATA_DIR.`,
    )
  }
  const [{ compose }, { Vault }, { loadSmsConnections }] = await Promise.all([
    import('../app/compose.ts'),
    import('../app/vault.ts'),
    import('../app/sms-connections.ts'),
  ])
  const smsConnections = await loadSmsConnections(config)
  return withDatabase(config, async (db) => {
    const services = compose(db, new Vault(config, db), config, systemClock, { smsConnections })
    const workspaceId = await services.projects.workspace()
    if (workspaceId === undefined)
      throw new SetupError('This installation was never started: run "posthouse start" first.')
    return work(services, workspaceId)
  })
}

/** Columns are as wide as they need to be; the text of a cell stays in its line. */
export function table(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(printable))
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
