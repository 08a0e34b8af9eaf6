import { readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { setPriority } from 'node:os'

/** Niceness 5 is about a third of the usual share. With less, a busy machine would accept mail faster than it reads it. */
const A_STEP_BACK = 5

/**
 * Lets other threads go before the one that calls this. Taking mail and sending it go first: with a burst coming in on a
 * small machine, reading at the same priority cost the receiving server more than half of its speed. Linux gives
 * priorities to threads; elsewhere we would slow down everything, and leave it.
 */
export function stepBack(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), A_STEP_BACK)
  } catch {
    // Nothing depends on it.
  }
}
