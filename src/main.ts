#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { keepYoungSpaceSmall } from './process/young-space.ts'

// Halves the time that every start spends on reading the source; the processes we start inherit it.
const cache = fileURLToPath(new URL('../node_modules/.cache/posthouse', import.meta.url))
process.env['NODE_COMPILE_CACHE'] ??= cache
enableCompileCache(process.env['NODE_COMPILE_CACHE'])

// A command is short, and the supervisor mostly waits.
keepYoungSpaceSmall()

// Without overwriting: what is set for this one start wins over what is written down.
if (existsSync('.env')) process.loadEnvFile('.env')

const { runCommand } = await import('./cli/command.ts')
const { commands } = await import('./cli/commands.ts')

const terminal = {
  env: process.env,
  out: (line: string) => console.log(line),
  err: (line: string) => console.error(line),
}
// Whoever read our output may stop reading (`| head`, a terminal that is closed); the work goes on, and ends in order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

process.exitCode = await runCommand(commands, process.argv.slice(2), terminal)
