import type { Command } from './command.ts'
import { keyCommands } from './keys.ts'
import { mailboxCommands } from './mailbox.ts'
import { migrateCommand, openapiCommand } from './maintenance.ts'
import { peopleCommands } from './people.ts'
import { projectCommands } from './projects.ts'
import { sendingCommands } from './sending.ts'
import { smsCommands } from './sms.ts'
import { startCommand } from './start.ts'

/** Each loads what it needs when it is run: help, and words that make no sense, are answered without loading the services. */
export const commands: readonly Command[] = [
  startCommand,
  migrateCommand,
  ...sendingCommands,
  ...keyCommands,
  ...projectCommands,
  ...peopleCommands,
  ...smsCommands,
  ...mailboxCommands,
  openapiCommand,
]
