import { fork, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** A child that says `ready` when it listens. */
export async function yardstick(script: string, args: readonly string[]): Promise<ChildProcess> {
  const child = fork(file(script), args)
  await once(child, 'message')
  return child
}

export interface RunningNode {
  port: number
  /** Of the workspace. */
  key: string
  projectKey: string
  dataDir: string
  pid: number
  startedInMs: number
  stop(): Promise<void>
}

/** A whole installation as a newcomer would start it, in a folder of its own. */
export async function startInstallation(
  env: Record<string, string>,
  program = file('../dist/main.js'),
): Promise<RunningNode> {
  const dataDir = mkdtempSync(join(tmpdir(), 'posthouse-bench-'))
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, [program, 'start'], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), SMTP_INBOUND_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    output += chunk
    if (output.includes('Ctrl-C')) break
  }
  const startedInMs = performance.now() - started
  const [key, projectKey] = output.match(/ph_live_\w+/g) ?? []
  if (key === undefined || projectKey === undefined) throw new Error(`the node did not start:\n${output}`)
  return {
    port,
    key,
    projectKey,
    dataDir,
    pid: child.pid ?? 0,
    startedInMs,
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** Resident memory of these processes and their children that run our code, as `ps` counts it. */
export const residentMegabytes = (node: RunningNode): number =>
  residentOf(node).reduce((sum, megabytes) => sum + megabytes, 0)

/** The same, process by process. */
export function residentOf({ pid }: RunningNode): number[] {
  const rows = spawnSync('ps', ['-e', '-o', 'pid=,ppid=,rss=,args='], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  const ours = rows.filter(
    ([id, parent, , ...args]) => Number(id) === pid || (Number(parent) === pid && args.join(' ').includes('role.js')),
  )
  return ours.map(([, , rss]) => Number(rss) / 1024)
}

/** The largest process of a node, looked at twice a second. */
export function watchMemory(node: RunningNode): { stop(): number } {
  let peak = 0
  const timer = setInterval(() => (peak = Math.max(peak, ...residentOf(node))), 500)
  return {
    stop: () => {
      clearInterval(timer)
      return peak
    },
  }
}
