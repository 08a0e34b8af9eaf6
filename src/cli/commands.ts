import type { Command } from './command.ts'
import { keyCommands } from './keys.ts'
import { migrateCommand, openapiCommand } from './maintenance.ts'
import { projectCommands } from './projects.ts'
import { startCommand } from './start.ts'

export const commands: readonly Command[] = [
  startCommand,
  migrateCommand,
  ...keyCommands,
  ...projectCommands,
  openapiCommand,
]
