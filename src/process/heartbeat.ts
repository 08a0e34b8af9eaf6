/**
 * A role process sends a heartbeat to its parent (the supervisor, or the worker for a courier) over their IPC channel for
 * as long as its event loop turns. A process whose event loop is blocked (an endless loop, a deadlock, SIGSTOP) does not
 * recover by itself, so the parent replaces it.
 *
 * The parent counts silence only while the parent itself was running: after the machine was suspended, or the parent was
 * stopped, both processes wake up together and no heartbeat is missing. Silence does not count while the child waits for a
 * disk (state D, where not even SIGKILL works) or is stopped by a debugger, and counts by a third while the child waits for
 * a processor core.
 */
import { url as debuggerUrl } from 'node:inspector'
import { stateOf, waitedForCoreMs } from './process-state.ts'

const BEAT_EVERY_MS = 2_000
const LOOK_EVERY_MS = 1_000
/** From here on it is worth a look at what the process is doing. */
const SUSPICIOUS_MS = 3 * BEAT_EVERY_MS
const HUNG_AFTER_MS = 15_000
/** Of the time that it waits for a core: a loop that never ends has to be noticed on a busy machine too. */
const COUNTED_OF_WAITING = 1 / 3
/** Until the first beat, while a cold disk or a busy machine may keep a process from reading its own program. */
const UNBORN_AFTER_MS = 120_000

export interface Beat {
  type: 'alive'
  /** Somebody may hold it at a breakpoint for as long as they like. */
  isDebugged: boolean
}

/** Says so for as long as the event loop turns; keeps no process up. */
export function startBeating(say: (beat: Beat) => void): void {
  const beat = (): void => say({ type: 'alive', isDebugged: debuggerUrl() !== undefined })
  beat()
  setInterval(beat, BEAT_EVERY_MS).unref()
}

/** Waits for the beats of one process, and tells once when they stay away. */
export class Heartbeat {
  readonly #pid: number | undefined
  readonly #hung: (silentMs: number) => void
  readonly #timer: NodeJS.Timeout
  #patienceMs = UNBORN_AFTER_MS
  #silentMs = 0
  #isDebugged = false
  #lookedAt = performance.now()
  /** What it had waited for a core at the last look; only kept while it is silent. */
  #waitedMs: number | undefined

  constructor(pid: number | undefined, hung: (silentMs: number) => void) {
    this.#pid = pid
    this.#hung = hung
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
  }

  heard({ isDebugged }: Beat): void {
    this.#patienceMs = HUNG_AFTER_MS
    this.#silentMs = 0
    this.#waitedMs = undefined
    this.#isDebugged = isDebugged
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = performance.now()
    // After a gap of our own, what the other side said meanwhile is still unread.
    const awakeMs = Math.min(now - this.#lookedAt, 2 * LOOK_EVERY_MS)
    this.#lookedAt = now
    this.#silentMs += this.#silentMs < SUSPICIOUS_MS ? awakeMs : this.#countedOf(awakeMs)
    if (this.#silentMs < this.#patienceMs) return
    this.stop()
    this.#hung(Math.round(this.#silentMs))
  }

  #countedOf(awakeMs: number): number {
    const waited = waitedForCoreMs(this.#pid)
    const waitedMs = Math.min(waited - (this.#waitedMs ?? waited), awakeMs)
    this.#waitedMs = waited
    const isHeld = this.#isDebugged || ['D', 't'].includes(stateOf(this.#pid) ?? '')
    return isHeld ? 0 : awakeMs - waitedMs * (1 - COUNTED_OF_WAITING)
  }
}
