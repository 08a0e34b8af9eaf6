import { parseArgs, type ParseArgsConfig } from 'node:util'
import { DomainError, SetupError, type Problem } from '../core/errors.ts'
import type { Environment } from '../config/load.ts'

/** A command reads and writes here; a test gives its own. */
export interface Terminal {
  env: Environment
  out(line: string): void
  err(line: string): void
}

interface Option {
  type: 'string' | 'boolean'
  /** The help shows this name for the value, e.g. `<id>`. */
  value?: string
  help: string
}

/** Every command whose answer a program may want to read has this option. */
export const json = { type: 'boolean', help: 'Answer in JSON.' } as const

export interface Command {
  name: string
  summary: string
  /** The operands follow the name, e.g. `<id>`. */
  operands?: string
  options: Readonly<Record<string, Option>>
  /** Longer help, shown by `--help`. */
  more?: string
  run(input: Input, terminal: Terminal): Promise<void>
}

export interface Input {
  operands: readonly string[]
  text(option: string): string | undefined
  flag(option: string): boolean
}

/** The command line is wrong: the answer is the help, with exit code 2. */
export class UsageError extends Error {}

/** Returns the one operand of a command that takes exactly one. */
export function onlyOperand({ operands: [text, ...more] }: Input, thing: string): string {
  if (text === undefined || more.length > 0) throw new UsageError(`Name one ${thing}.`)
  return text
}

const shared: Readonly<Record<string, Option>> = {
  help: { type: 'boolean', help: 'Show this help.' },
}

/**
 * Others choose names and subjects, and a terminal obeys some characters: control characters, and those that turn the
 * direction of writing, are shown as JSON writes them.
 */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, escaped)

const escaped = (mark: string): string => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A command may write several lines; the values in them cannot add more. */
const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')

/**
 * The exit code is 0 for done, 1 for refused or failed (the reason is on standard error), 2 for a wrong command line.
 */
export async function runCommand(
  commands: readonly Command[],
  argv: readonly string[],
  { env, ...plain }: Terminal,
): Promise<number> {
  const terminal: Terminal = {
    env,
    out: (text) => plain.out(printableLines(text)),
    err: (text) => plain.err(printableLines(text)),
  }
  const command = commands.find(({ name }) => name === argv.slice(0, name.split(' ').length).join(' '))
  if (command === undefined) return overview(commands, argv, terminal)
  try {
    const input = read(command, argv.slice(command.name.split(' ').length))
    if (input.flag('help')) terminal.out(help(command))
    else await command.run(input, terminal)
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.err(`${error.message}\n\n${help(command)}`)
      return 2
    }
    terminal.err(explain(error))
    return 1
  }
}

function read(command: Command, argv: readonly string[]): Input {
  const options: ParseArgsConfig['options'] = Object.fromEntries(
    Object.entries({ ...shared, ...command.options }).map(([name, { type }]) => [name, { type }]),
  )
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options,
      allowPositionals: command.operands !== undefined,
    })
    return {
      operands: positionals,
      text: (name) => (typeof values[name] === 'string' ? values[name] : undefined),
      flag: (name) => values[name] === true,
    }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** Expected failures speak for themselves; anything else is a defect, and its stack is what we need to hear of it. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof SetupError) return error.message
  // A disk that is full, a file that may not be read: what the system says is all there is to know.
  if ('syscall' in error && 'code' in error) return `The system refuses: ${error.message}.`
  if (!(error instanceof DomainError)) return error.stack ?? error.message
  const { details = [] } = error.extra as { details?: readonly Problem[] }
  if (details.length < 2) return error.message
  return ['The request is not valid:', ...details.map(({ path, message }) => `  - ${path} ${message}.`)].join('\n')
}

function overview(commands: readonly Command[], argv: readonly string[], terminal: Terminal): number {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  const text = ['Usage: posthouse <command> [options]', '', ...lines, '', 'posthouse <command> --help says more.'].join(
    '\n',
  )
  const asked = argv.length === 0 || ['help', '--help', '-h'].includes(argv[0] ?? '')
  if (asked) terminal.out(text)
  else terminal.err(`There is no command "${argv.join(' ')}".\n\n${text}`)
  return asked ? 0 : 2
}

function help({ name, operands, summary, options, more }: Command): string {
  const all = Object.entries({ ...options, ...shared }).map(
    ([option, { value, help }]) => [`--${option}${value === undefined ? '' : ` ${value}`}`, help] as const,
  )
  const width = Math.max(...all.map(([option]) => option.length))
  return [
    `Usage: posthouse ${name}${operands === undefined ? '' : ` ${operands}`} [options]`,
    '',
    summary,
    ...(more === undefined ? [] : ['', more]),
    '',
    ...all.map(([option, help]) => `  ${option.padEnd(width)}  ${help}`),
  ].join('\n')
}
