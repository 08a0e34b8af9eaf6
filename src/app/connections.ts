/**
 * Connections to the database that each process of a node keeps at most. With them come, on a node with all roles: a probe
 * in each of the four processes (`silence.ts`), for a moment and only while something is slow; those for which plans are
 * fixed (`byIndex`), in the worker; and the session that marks the embedded database as used. Together they are 40.
 */
export const connections = {
  /** One for the migration, and one for what goes on beside it. */
  supervisor: 2,
  api: 9,
  /** One for each job; to listen; for heartbeats; for automations; and for contents and outcomes. */
  worker: 14,
  /** For questions at RCPT, and for the transaction that stores; large messages have one each. */
  inbound: 5,
}
