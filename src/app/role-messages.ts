/** What the supervisor says to a role. A `connection` comes with its socket. */
export type ToRole = { type: 'connection' } | { type: 'stop' } | { type: 'roles'; states: RoleStates }

/**
 * What a role says to the supervisor: it is up; it is alive; it wants to leave (and leaves when it hears `stop`, after
 * which no further connection comes); it cannot start for a reason that starting again will not mend.
 */
export type FromRole = { type: 'ready' } | { type: 'alive' } | { type: 'leaving' } | { type: 'fatal'; message: string }

export interface RoleState {
  up: boolean
  restarts: number
}

export type RoleStates = Record<string, RoleState>
