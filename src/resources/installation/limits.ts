/** A node says every few minutes that it is there. One that has been silent for longer than this counts as down. */
export const SILENT_AFTER_MINUTES = 10

/** A node that has been silent for so long was taken away on purpose, and is not shown any more. */
export const FORGOTTEN_AFTER_HOURS = 24

/** With a smaller part of the disk free, somebody should make room. */
export const LEAST_FREE_SHARE = 0.1

/** With a larger part of its connections in use, the database will soon refuse some. */
export const MAX_CONNECTIONS_SHARE = 0.8

/** A certificate is renewed before this, or somebody has to look. */
export const CERTIFICATE_DAYS = 14

/** A role that is started again more often than this within an hour does not get well by itself. */
export const MAX_RESTARTS_AN_HOUR = 3

/** So long a process may take to come back before it counts as down. */
export const RESTARTING_MINUTES = 1
