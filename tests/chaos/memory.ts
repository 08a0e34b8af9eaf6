import { readFileSync } from 'node:fs'
import type { PosthouseProcess } from '../support/posthouse-process.ts'

export interface Peaks {
  /** In megabytes, of the process that was the largest at any time. */
  most: number
  /** `worker 210, api 180, …`: each at its largest. */
  words: string
}

const LOOK_EVERY_MS = 250

/** What the processes of a node take, its database aside, as the kernel counts it: resident, with what they share. */
export function watchMemory(node: PosthouseProcess): { stop(): Peaks } {
  const peaks = new Map<string, number>()
  const look = (): void => {
    for (const { pid, command } of node.processes()) {
      const name = /role\.js (\w+)/.exec(command)?.[1] ?? 'supervisor'
      peaks.set(name, Math.max(peaks.get(name) ?? 0, residentMegabytes(pid)))
    }
  }
  look()
  const timer = setInterval(look, LOOK_EVERY_MS)
  return {
    stop: () => {
      look()
      clearInterval(timer)
      const sorted = [...peaks].toSorted(([, a], [, b]) => b - a)
      const words = sorted.map(([name, megabytes]) => `${name} ${megabytes.toFixed(0)}`).join(', ')
      return { most: sorted[0]?.[1] ?? Number.NaN, words }
    },
  }
}

function residentMegabytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    // It has ended since.
    return 0
  }
}
