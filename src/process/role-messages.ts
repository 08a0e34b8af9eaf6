import type { Counts } from '../core/tallies.ts'
import type { Beat } from './heartbeat.ts'

/** What the supervisor says to a role. A `connection` comes with its socket. */
export type ToRole =
  | { type: 'connection'; id: number }
  | { type: 'stop' }
  | { type: 'roles'; states: RoleStates }
  | { type: 'counts'; role: string; counts: Counts }

/**
 * What a role says to the supervisor: it is up; it is alive; it has taken a connection; it has counted something; it wants to leave (and leaves
 * when it hears `stop`, after which no further connection comes); it cannot start, which starting again may mend
 * where the database was only away for a moment.
 */
export type FromRole =
  | { type: 'ready' }
  | Beat
  | { type: 'taken'; id: number }
  | { type: 'leaving' }
  | { type: 'counts'; counts: Counts }
  | { type: 'fatal'; message: string; isOutage: boolean }

export interface RoleState {
  up: boolean
  restarts: number
}

export type RoleStates = Record<string, RoleState>
