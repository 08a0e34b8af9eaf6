/**
 * Ends what a run of tests would leave behind when it is interrupted: databases and nodes have process groups of their
 * own, which Ctrl-C does not reach. It remembers every descendant of the run, and ends those that are left when the run
 * has ended. `node reaper.ts <pid of the run>`; standard input is closed when the run ends, however that happens.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { processTable } from './process-table.ts'

/** Nodes and workers of a run have this in their environment; a database has an environment of its own. */
export const TEST_RUN = 'TEST_RUN'

const LOOK_EVERY_MS = 500
const END_WITHIN_MS = 5_000

export function startReaper(): void {
  process.env[TEST_RUN] = String(process.pid)
  const reaper = spawn(process.execPath, [fileURLToPath(import.meta.url), String(process.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  reaper.stdin?.on('error', () => {})
  reaper.unref()
}

/** Commands of descendants by their process id; a number that means another command by now is a stranger's. */
function addDescendants(known: Map<number, string>, root: number): void {
  const table = processTable().toSorted((a, b) => a.pid - b.pid)
  for (let before = -1; before !== known.size;) {
    before = known.size
    for (const { pid, parent, command } of table) {
      const isOurs = parent === root || known.has(parent) || isMarked(pid, root)
      if (isOurs && pid !== process.pid && !known.has(pid)) known.set(pid, command)
    }
  }
}

/** One that was started in the last moment has lost its parent, and is known by its environment (on Linux). */
function isMarked(pid: number, root: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${TEST_RUN}=${root}`)
  } catch {
    return false
  }
}

async function endAll(known: ReadonlyMap<number, string>): Promise<void> {
  const left = () => processTable().filter(({ pid, command }) => known.get(pid) === command)
  for (const { pid } of left()) signal(pid, 'SIGTERM')
  for (let waited = 0; waited < END_WITHIN_MS && left().length > 0; waited += LOOK_EVERY_MS) await sleep(LOOK_EVERY_MS)
  for (const { pid } of left()) signal(pid, 'SIGKILL')
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended meanwhile.
  }
}

if (import.meta.main) {
  const root = Number(process.argv[2])
  const known = new Map<number, string>()
  const looking = setInterval(() => addDescendants(known, root), LOOK_EVERY_MS)
  process.stdin.resume().on('end', () => {
    clearInterval(looking)
    addDescendants(known, root)
    void endAll(known)
  })
}
