import type { Timeouts } from '../../src/smtp/client/attempt.ts'

/** The same patience at every stage of a conversation. */
export const evenly = (ms: number): Timeouts => ({
  connect: ms,
  tls: ms,
  greeting: ms,
  command: ms,
  dataBlock: ms,
  finalDot: ms,
})
