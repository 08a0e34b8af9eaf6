import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import type { Role } from '../../src/config/schema.ts'
import { Client } from './client.ts'
import { eventually } from './eventually.ts'
import { isRunning, membersOf, processTable, type RunningProcess } from './process-table.ts'
import { TEST_RUN } from './reaper.ts'

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const READY_WITHIN_MS = 40_000
/** What a start takes at most on a machine that has nothing else to do. */
const USUAL_START_MS = 2_500

const rolesStayRoot = /^.*"the roles run as root,.*\n/m

export interface End {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface ProcessOptions {
  /** A directory of its own, gone when the process is cleaned up, unless one is given. */
  dataDir?: string
  port?: number
  env?: Record<string, string>
  args?: readonly string[]
}

/** One `posthouse …` as an operator runs it: a process with a process group of its own, and what it prints. */
export class PosthouseProcess {
  readonly dataDir: string
  readonly port: number
  readonly ended: Promise<End>
  stdout = ''
  #stderr = ''
  #startTook = 0
  #end: End | undefined
  readonly #startedAt = performance.now()
  readonly #child: ChildProcess
  readonly #ownsDataDir: boolean
  readonly #options: ProcessOptions

  constructor(port: number, options: ProcessOptions) {
    const { dataDir, env = {}, args = ['start'] } = options
    this.#options = options
    this.port = port
    this.#ownsDataDir = dataDir === undefined
    this.dataDir = dataDir ?? temporaryDirectory()
    this.#child = spawn(process.execPath, [program, ...args], {
      env: {
        ...cleanEnvironment(),
        DATA_DIR: this.dataDir,
        PORT: String(port),
        // Whichever is free: nodes of several tests run side by side.
        SMTP_INBOUND_PORT: '0',
        LOG_LEVEL: 'warn',
        DKIM_KEYS_AHEAD: '0',
        ...env,
      },
      // Where no .env of a developer lies.
      cwd: tmpdir(),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text))
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text))
    this.ended = new Promise((resolve) =>
      this.#child.once('close', (code, signal) => resolve((this.#end = { code, signal }))),
    )
  }

  /** What it was given beside the usual. */
  get env(): Record<string, string> {
    return this.#options.env ?? {}
  }

  get pid(): number {
    return this.#child.pid!
  }

  /** Without the warning that everybody gets who runs the tests as root in a folder that others cannot enter. */
  get stderr(): string {
    return this.#stderr.replace(rolesStayRoot, '')
  }

  get rolesStayRoot(): boolean {
    return rolesStayRoot.test(this.#stderr)
  }

  get output(): string {
    return this.stdout + this.stderr
  }

  /** Resolves when the block that says so was printed. */
  async ready(): Promise<this> {
    const isDecided = () => this.#end !== undefined || this.stdout.includes('Ctrl-C stops it.')
    await eventually('Posthouse is running', isDecided, READY_WITHIN_MS)
    if (this.#end) throw new Error(`it ended (${this.#end.signal ?? this.#end.code}) and had said:\n${this.output}`)
    this.#startTook = performance.now() - this.#startedAt
    return this
  }

  /** A promised time, stretched when this machine is so busy that its own start took longer than usual. */
  atMost(milliseconds: number): number {
    return milliseconds * Math.max(1, this.#startTook / USUAL_START_MS)
  }

  /** What a start that must fail says on standard error: it ends with 1, and nothing of it is left running. */
  async refusal(): Promise<string> {
    const isUp = this.ready().then(
      () => 'it started',
      () => this.ended,
    )
    expect(await Promise.race([this.ended, isUp])).toEqual({ code: 1, signal: null })
    expect(this.processes()).toEqual([])
    return this.stderr
  }

  /** The keys as a person would copy them from the first start. */
  get keys(): { workspace: string; project: string; projectId: string } {
    const [, workspace, project, projectId] =
      /Workspace +(ph_live_\w+)\n +Project +(ph_live_\w+) +\((prj_\w+)\)/.exec(this.stdout) ?? []
    if (!workspace || !project || !projectId) throw new Error(`no keys in:\n${this.stdout}`)
    return { workspace, project, projectId }
  }

  /** Where it takes mail, as it says itself. */
  get smtpPort(): number {
    return Number(/Mail in +\S+:(\d+)/.exec(this.stdout)?.[1])
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** A client with the workspace key of the first start. */
  get api(): Client {
    return new Client(this.url, this.keys.workspace)
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal)
  }

  /** What `posthouse start | head -1` does to it. */
  closeOutput(): void {
    this.#child.stdout?.destroy()
    this.#child.stderr?.destroy()
  }

  /** What Ctrl-C in a terminal does. */
  signalGroup(signal: NodeJS.Signals): void {
    process.kill(-this.pid, signal)
  }

  rolePid(role: Role): number | undefined {
    return this.rolePids(role).at(-1)
  }

  rolePids(role = ''): number[] {
    return this.processes()
      .filter(({ command }) => command.includes(`role.js ${role}`))
      .map(({ pid }) => pid)
  }

  /** It and everything it started, except the database, which has a group of its own. */
  processes(): RunningProcess[] {
    return membersOf(this.pid)
  }

  postmasterPid(): number | undefined {
    return postmasterPid(this.dataDir)
  }

  /** Another one in the same place, as an operator or an init system would start it after this one is gone. */
  again(): Promise<PosthouseProcess> {
    return startPosthouse({ ...this.#options, dataDir: this.dataDir, port: this.port })
  }

  stop(): Promise<End> {
    this.signal('SIGTERM')
    return this.ended
  }

  /** Whatever a test did to it, nothing of it is left. */
  async cleanUp(): Promise<void> {
    for (const { pid } of this.processes()) kill(pid, 'SIGKILL')
    await eventually('its processes are gone', () => this.processes().length === 0)
    if (this.#ownsDataDir) await removeDataDirectory(this.dataDir)
  }
}

/** Starts a node and waits until it serves; it is gone when the test is. */
export async function startPosthouse(options: ProcessOptions = {}): Promise<PosthouseProcess> {
  const node = await launchPosthouse(options)
  return node.ready()
}

/** Starts a node that may never be ready. */
export async function launchPosthouse(options: ProcessOptions = {}): Promise<PosthouseProcess> {
  const node = new PosthouseProcess(options.port ?? (await freePort()), options)
  onTestFinished(() => node.cleanUp())
  return node
}

/** Runs a command to its end. */
export async function runPosthouse(args: readonly string[], options: ProcessOptions = {}): Promise<Finished> {
  const command = await launchPosthouse({ ...options, args })
  const { code } = await command.ended
  return { code, stdout: command.stdout, stderr: command.stderr }
}

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

export function postmasterPid(dataDir: string): number | undefined {
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  // A file that a test forged, or one that is stale, names a process that is not ours to end.
  return processTable().find((process) => process.pid === pid && process.command.includes('postgres'))?.pid
}

/** Of the embedded database in this data directory, as its operator would connect. */
export function superuserUrl(dataDir: string): string {
  const password = /:posthouse:(.*)/.exec(readFileSync(join(dataDir, 'pgpass'), 'utf8'))![1]!
  const host = encodeURIComponent(join(dataDir, 'postgres'))
  return `postgres://posthouse:${password}@/posthouse?host=${host}&port=5432&sslmode=disable`
}

export async function removeDataDirectory(dataDir: string): Promise<void> {
  const postmaster = postmasterPid(dataDir)
  if (postmaster !== undefined) {
    kill(postmaster, 'SIGQUIT')
    await eventually('PostgreSQL is gone', () => !isRunning(postmaster))
  }
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
}

export const temporaryDirectory = (): string => mkdtempSync(join(tmpdir(), 'posthouse-test-'))

/** One that is gone when the test is. */
export function testDirectory(): string {
  const directory = temporaryDirectory()
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** Only what any process needs: a variable of ours in the shell that runs the tests must not change them. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR, [TEST_RUN]: process.env[TEST_RUN] }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It was gone already.
  }
}
