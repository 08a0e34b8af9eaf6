import { loadConfig } from '../config/load.ts'
import { json, type Command } from './command.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Bring the database up to date. "posthouse start" does so by itself.',
  options: { json },
  async run(input, terminal) {
    const config = loadConfig(terminal.env)
    const { withDatabase } = await import('../app/database.ts')
    // Opening it migrates, or throws.
    await withDatabase(config, async () => {})
    terminal.out(input.flag('json') ? JSON.stringify({ upToDate: true }) : 'The database is up to date.')
  },
}

export const openapiCommand: Command = {
  name: 'openapi',
  summary: 'Print the OpenAPI 3.1 document of the API.',
  options: {},
  async run(_input, terminal) {
    const { describedApi } = await import('../app/describe.ts')
    terminal.out(JSON.stringify(describedApi(), undefined, 2))
  },
}
