/** A node says every few minutes that it is there. One that has been silent for longer than this counts as down. */
export const SILENT_AFTER_MINUTES = 10

/** A node that has been silent for so long was taken away on purpose, and is not shown any more. */
export const FORGOTTEN_AFTER_HOURS = 24

/** With a smaller part of the disk free, the operator should make room. */
export const MIN_FREE_SHARE = 0.1

/** With a larger part of its connections in use, the database will soon refuse some. */
export const MAX_CONNECTIONS_SHARE = 0.8
