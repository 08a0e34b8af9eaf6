import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, rmdirSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { removeDataDirectory, temporaryDirectory } from '../support/posthouse-process.ts'

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
    throw new Error(
      `A disk can only be filled by somebody who may mount one (run as root): ${stderr ?? 'no mount here'}`,
    )
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
