/** Things that one search finds at most. */
export const MAX_FOUND = 20

/** Mail and runs of an address that are shown. */
export const MAX_SHOWN = 25

/** Emails to an address of which the states are counted. */
export const MAX_COUNTED = 1_000
