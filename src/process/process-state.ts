import { readFileSync } from 'node:fs'

/**
 * The letter of a process's state (proc_pid_stat(5)): `D` waits for a disk, `T` was stopped, `t` is held by a tracer.
 * Undefined where the system does not tell.
 */
export const stateOf = (pid: number | undefined): string | undefined =>
  // The name in brackets may hold anything, brackets included.
  /^.*\) (\w)/s.exec(read(`/proc/${pid}/stat`))?.[1]

/** How long its main thread could have worked in all its life, and no core was free; 0 where the system does not tell. */
export const waitedForCoreMs = (pid: number | undefined): number => scheduled(pid, 1)

/** How long its main thread has worked in all its life; the time of the machine where the system does not tell. */
export const workedMs = (pid: number | undefined): number => scheduled(pid, 0) || performance.now()

const scheduled = (pid: number | undefined, field: 0 | 1): number =>
  Number(read(`/proc/${pid}/schedstat`).split(' ')[field] ?? 0) / 1_000_000

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
