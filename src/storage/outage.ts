/** Tells whether the database could not answer, as opposed to answering that the statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.every(isUnavailable)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return networkErrors.has(code) || unavailableStates.test(code) || driverMessages.test(error.message)
}

const networkErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
])

// Connection exceptions, shut down or starting up, out of connections, memory or disk, I/O errors, read-only after a
// failover, cancelled by a time-out, deadlock.
const unavailableStates = /^(08...|57P0.|57014|53...|58...|25006|40001|40P01|55P03)$/

const driverMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|none of the listed PostgreSQL hosts)/
