/** Other people's daemons, run as children of a test: private folders, free ports, gone when the test is. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { searchPath } from './packages.ts'

export interface Daemon {
  /** What it has written so far, to either output. */
  log(): string
  stop(): Promise<void>
}

/** A folder that the daemon's own user can enter. */
export function privateFolder(peer: string): string {
  const folder = mkdtempSync(join(tmpdir(), `posthouse-${peer}-`))
  chmodSync(folder, 0o755)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function freePort(address = '127.0.0.1'): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, address, resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const PATIENCE_MS = 5_000

/** Resolves when it accepts connections at the address. It must stay in the foreground, so that its pid is ours. */
export async function startDaemon(
  command: readonly [string, ...string[]],
  { address, port }: { address: string; port: number },
): Promise<Daemon> {
  const [program, ...args] = command
  // A group of its own: a daemon's children go with it.
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, PATH: searchPath },
  })
  const written: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => written.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => written.push(chunk))
  const log = () => Buffer.concat(written).toString()
  let ended: string | undefined
  const exit = new Promise<void>((resolve) => {
    child.once('error', (error) => resolve(void (ended = error.message)))
    child.once('exit', (code, signal) => resolve(void (ended = `it ended with ${code ?? signal}`)))
  })
  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name)
    } catch {
      // Gone already.
    }
  }
  const stop = async () => {
    const timer = setTimeout(() => signal('SIGKILL'), PATIENCE_MS)
    if (ended === undefined) child.kill('SIGTERM')
    await exit
    clearTimeout(timer)
    signal('SIGKILL')
  }
  onTestFinished(stop)
  await eventually(`${program} listens on ${address}:${port}`, async () => ended ?? (await isOpen(address, port)))
  if (ended !== undefined) throw new Error(`${program}: ${ended}\n${log()}`)
  return { log, stop }
}

const isOpen = (address: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, address)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
