import type { SecureContext } from 'node:tls'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Deliver, Policy } from './envelope.ts'
import type { Limits } from './limits.ts'
import type { Memory } from './memory.ts'

/** What all sessions share. */
export interface SessionContext {
  /** What we call ourselves. */
  hostname: string
  policy: Policy
  deliver: Deliver
  /** Whether a new message would find a place to be stored in. */
  hasStorage: () => boolean
  /** Asked at every handshake, for certificates are renewed. Undefined where TLS is not offered. */
  secureContext: () => SecureContext | undefined
  limits: Limits
  memory: Memory
  /** Whether there are so many sessions that nobody should be waited for longer than necessary. */
  isBusy: () => boolean
  clock: Clock
  log: Log
}
