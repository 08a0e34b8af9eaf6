import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../support/eventually.ts'

export interface Answered {
  method: string
  status: number
}

export interface Ran {
  code: number
  out: string
  err: string
  /** What curl was answered, request by request. */
  answers: Answered[]
}

const ENDS_WITHIN_MS = 30_000
/** Appended to whatever curl is told on its command line; the shell and curl themselves are those of the machine. */
const curlrc = String.raw`write-out = "\n%{stderr}answered %{method} %{http_code}\n"
max-time = 20
`

/** A reader's terminal: one shell for as long as they read a page, with what earlier lines have set. */
export class Shell {
  readonly #directory: string
  readonly #child: ChildProcess
  #said = ''
  #hasEnded = false

  constructor(directory: string, env: Record<string, string>) {
    this.#directory = directory
    writeFileSync(join(directory, '.curlrc'), curlrc)
    this.#child = spawn('sh', [], { cwd: directory, env: { ...env, CURL_HOME: directory } })
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#said += text))
    this.#child.once('close', () => (this.#hasEnded = true))
  }

  async run(statement: string): Promise<Ran> {
    this.#said = ''
    writeFileSync(this.#path('statement'), `${statement}\n`)
    this.#child.stdin?.write('. ./.statement </dev/null >.out 2>.err; echo "ended $?"\n')
    const ended = () => this.#hasEnded || /^ended \d+\n/m.test(this.#said)
    await eventually(`an end of ${statement}`, ended, ENDS_WITHIN_MS)
    const err = readFileSync(this.#path('err'), 'utf8')
    if (this.#hasEnded) throw new Error(`the shell gave up at:\n${statement}\n${err}`)
    return {
      code: Number(/ended (\d+)/.exec(this.#said)?.[1]),
      out: readFileSync(this.#path('out'), 'utf8').trim(),
      err,
      answers: [...err.matchAll(/^answered (\S+) (\d+)$/gm)].map(([, method = '', status]) => ({
        method,
        status: Number(status),
      })),
    }
  }

  stop(): void {
    this.#child.stdin?.end()
  }

  #path(name: string): string {
    return join(this.#directory, `.${name}`)
  }
}

/** Line by line, as somebody would type it: a statement ends where the shell would run it. */
export function statementsOf(text: string): string[] {
  const statements: string[] = []
  let typed = ''
  for (const line of text.split('\n')) {
    typed += typed === '' ? line : `\n${line}`
    if (/^(#.*)?$/.test(typed)) typed = ''
    else if (!line.endsWith('\\') && isComplete(typed)) {
      statements.push(typed)
      typed = ''
    }
  }
  if (typed !== '') throw new Error(`no shell would run this:\n${typed}`)
  return statements
}

const isComplete = (typed: string): boolean => spawnSync('sh', ['-n'], { input: typed }).status === 0

export function demandCurl(): void {
  const { status, stdout } = spawnSync('curl', ['--version'], { encoding: 'utf8' })
  if (status !== 0) throw new Error('The examples are run with curl, and there is none on this machine: install curl.')
  if (!stdout.includes(' smtp ')) throw new Error('The curl of this machine cannot send mail: install one with SMTP.')
}
