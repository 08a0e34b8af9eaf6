import { compose, type House } from '../app/compose.ts'
import { hasDatabase, withDatabase } from '../app/database.ts'
import { Vault } from '../app/vault.ts'
import { loadConfig } from '../config/load.ts'
import { systemClock } from '../core/clock.ts'
import { SetupError } from '../core/errors.ts'
import type { WorkspaceId } from '../core/ids.ts'
import type { Terminal } from './command.ts'

/** Runs an operator's command on this installation's workspace. */
export async function inWorkspace<T>(
  { env }: Terminal,
  work: (house: House, workspaceId: WorkspaceId) => Promise<T>,
): Promise<T> {
  const config = loadConfig(env)
  if (!hasDatabase(config)) throw neverStarted()
  return withDatabase(config, async (db) => {
    const house = compose(db, new Vault(config, db), systemClock)
    const workspaceId = await house.projects.workspace()
    if (workspaceId === undefined) throw neverStarted()
    return work(house, workspaceId)
  })
}

const neverStarted = (): SetupError =>
  new SetupError('This installation was never started: run "posthouse start" first.')

/** Columns as wide as they need to be. */
export function table(rows: readonly (readonly string[])[]): string {
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
