/** What waits for an endpoint is counted up to here. */
export const MAX_COUNTED = 10_000
