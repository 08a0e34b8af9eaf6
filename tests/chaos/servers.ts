import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, rmdirSync, statfsSync, writeFileSync } from 'node:fs'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { processTable } from '../support/process-table.ts'
import { removeDataDirectory, temporaryDirectory } from '../support/posthouse-process.ts'

/** The whole server at once, as when its machine loses its power. How many processes that were. */
export function crash(postmaster: number): number {
  const pids = [postmaster, ...processTable().flatMap(({ pid, parent }) => (parent === postmaster ? [pid] : []))]
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself, as sessions do without their postmaster.
    }
  }
  return pids.length
}

export interface SmallDisk {
  /** A data directory on it. */
  dataDir: string
  /** Not a byte is left. */
  fill(): void
  relieve(): void
}

/** A file system of its own, so that only those are hit who are meant. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const place = temporaryDirectory()
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'chaos', place], {
    encoding: 'utf8',
  })
  if (status !== 0) {
    rmdirSync(place)
    throw new Error(`A disk can only be filled by somebody who may mount one (run as root): ${stderr ?? 'no mount here'}`)
  }
  const [dataDir, ballast] = [join(place, 'data'), join(place, 'ballast')]
  mkdirSync(dataDir)
  onTestFinished(async () => {
    await removeDataDirectory(dataDir)
    spawnSync('umount', [place])
    rmdirSync(place)
  })
  return {
    dataDir,
    fill: () => {
      for (let left = freeBytes(place); left > 0; left = freeBytes(place)) {
        try {
          writeFileSync(ballast, Buffer.alloc(Math.min(left, 1024 * 1024)), { flag: 'a' })
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        }
      }
    },
    relieve: () => rmSync(ballast, { force: true }),
  }
}

const freeBytes = (place: string): number => {
  const { bavail, bsize } = statfsSync(place)
  return bavail * bsize
}

export interface Line {
  port: number
  /** From now on nothing gets through, and nobody is told; how many connections that strikes. They never recover. */
  cut(): number
  /** New connections get through again. */
  mend(): void
}

/** A line to a server's socket that may be long (what the server says takes a while) and may be cut without a word. */
export async function layLine(socketFile: string, delayMs = 0): Promise<Line> {
  const ends = new Set<Socket>()
  const joints = new Set<{ isCut: boolean }>()
  let isCut = false
  const server = createServer({ noDelay: true }, (near) => {
    const joint = { isCut }
    joints.add(joint)
    const far = connect(socketFile)
    for (const [end, other, ms] of [
      [near, far, 0],
      [far, near, delayMs],
    ] as const) {
      ends.add(end)
      const later = (say: () => void): void => {
        if (joint.isCut) return
        if (ms === 0) say()
        // One that is cut meanwhile has lost what was under way.
        else void sleep(ms, undefined, { ref: false }).then(() => joint.isCut || say())
      }
      end.on('data', (chunk) => later(() => other.write(chunk)))
      end.on('error', () => {})
      end.on('close', () => {
        ends.delete(end)
        if (!joint.isCut) other.destroy()
        if (far.destroyed && near.destroyed) joints.delete(joint)
      })
    }
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const end of ends) end.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true
      const standing = [...joints].filter((joint) => !joint.isCut)
      for (const joint of standing) joint.isCut = true
      return standing.length
    },
    mend: () => void (isCut = false),
  }
}
