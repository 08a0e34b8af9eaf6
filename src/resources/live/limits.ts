export const MAX_TOPICS = 8
/** Of one session or one key. A browser needs one, however many tabs it has. */
export const MAX_STREAMS_EACH = 4
/** Of one project in a process: its keys and people must leave room for other projects. */
export const MAX_STREAMS_OF_PROJECT = 50
export const MAX_STREAMS = 500

/** What is watched is asked for this often. */
export const LOOK_EVERY_MS = 1_000
/** Proxies end connections that say nothing for half a minute or a minute. */
export const COMMENT_AFTER_MS = 15_000
/** After this long the client comes back, and nodes that were added or restarted get their share of the streams. */
export const MAX_STREAM_MS = 600_000
/** A client that takes nothing for this long is gone, or does not read. */
export const MAX_UNREAD_MS = 30_000
/** So many looks after the last time it is asked again whether the caller would be admitted. */
export const ADMIT_EVERY_LOOKS = 2
/** Whoever is refused because there are too many streams asks again after so many seconds. */
export const RETRY_SECONDS = 10

/** Nothing is counted further than this: a count of a million rows is not asked for each second. */
export const MAX_COUNTED = 1_000
/** So many rows are added up for the present minute: they wait for the job that moves them, which runs every minute. */
export const MAX_ADDED_UP = 10_000
