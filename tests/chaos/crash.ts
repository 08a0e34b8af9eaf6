import { processTable } from '../support/process-table.ts'

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
