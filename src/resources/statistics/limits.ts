/** The longest time that one question may be about. */
export const MAX_DAYS = 732

/** So many points a series may have: two days by minute, or four months by hour. */
export const MAX_POINTS = 3_000

/** So many points an answer may have, all series together. */
export const MAX_CELLS = 30_000

/** Minutes are kept for so long. */
export const MINUTES_KEPT_DAYS = 7

/** A project is counted by so many different tags; tags that come later are not counted by themselves. */
export const MAX_TAGS = 1_000

/** A tag that was not seen for so long makes room for another. */
export const TAGS_KEPT_DAYS = 90

/** Twelve classes of time. Each ends where the next one begins; the last has no end, and is taken to end after a day. */
export const MAIL_LATENCY_MS = [
  500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000, 21_600_000, 86_400_000,
] as const

export const WEBHOOK_LATENCY_MS = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 20_000, 60_000] as const

export const LATENCY_CLASSES = 12

/** Where the classes after the first one begin. */
export const beginnings = (ends: readonly number[]): number[] => ends.slice(0, -1)
