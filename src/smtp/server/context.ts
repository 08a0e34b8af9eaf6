import type { SecureContext } from 'node:tls'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Deliver, Policy } from './envelope.ts'
import type { Limits } from './limits.ts'
import type { Memory } from './memory.ts'

/** All sessions share this context. */
export interface SessionContext {
  /** The server gives this name in its greeting. */
  hostname: string
  policy: Policy
  deliver: Deliver
  /** Tells whether there is room to store a new message. */
  hasStorage: () => boolean
  /** Asked at every handshake, for certificates are renewed. Undefined where TLS is not offered. */
  secureContext: () => SecureContext | undefined
  limits: Limits
  memory: Memory
  /** Tells whether there are so many sessions that the shorter time-outs apply. */
  isBusy: () => boolean
  clock: Clock
  log: Log
}
