/** More things of a kind than these are not counted. */
export const MAX_FOUND = 100
