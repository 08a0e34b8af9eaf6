import { spawn, type ChildProcess } from 'node:child_process'
import { expect } from 'vitest'

export interface Child {
  /** Everything the child has reported, in order. */
  reports: Record<string, unknown>[]
  tell(message: object): void
  signal(signal: NodeJS.Signals): void
  /** Kills it, whatever state it is in. */
  end(): Promise<void>
}

/** A process of our own that can be killed and frozen; it reports through `process.send`. */
export function startChild(script: URL, args: readonly string[]): Child {
  const child: ChildProcess = spawn(process.execPath, [script.pathname, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const reports: Record<string, unknown>[] = []
  child.on('message', (message) => reports.push(message as Record<string, unknown>))
  return {
    reports,
    tell: (message) => void child.send(message),
    signal: (signal) => void child.kill(signal),
    end: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

export const reported = (child: Child, report: object, timeout = 10_000): Promise<void> =>
  expect.poll(() => child.reports, { timeout }).toContainEqual(expect.objectContaining(report))
