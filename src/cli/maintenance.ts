import { withDatabase } from '../app/database.ts'
import { describedApi } from '../app/describe.ts'
import { migrateAll } from '../app/migrate.ts'
import { loadConfig } from '../config/load.ts'
import type { Command } from './command.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Bring the database up to date. "posthouse start" does so by itself.',
  options: { json: { type: 'boolean', help: 'Answer in JSON.' } },
  async run(input, terminal) {
    // Opening it migrates; the second call only says that nothing is left.
    const left = await withDatabase(loadConfig(terminal.env), migrateAll)
    terminal.out(input.flag('json') ? JSON.stringify({ upToDate: left.length === 0 }) : 'The database is up to date.')
  },
}

export const openapiCommand: Command = {
  name: 'openapi',
  summary: 'Print the OpenAPI 3.1 document of the API.',
  options: {},
  async run(_input, terminal) {
    terminal.out(JSON.stringify(describedApi(), undefined, 2))
  },
}
