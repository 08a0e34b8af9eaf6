/**
 * What a destination is like:
 *
 *   flows        mail leaves as it comes
 *   slowed       the destination gets less than usual, or asked us to come back later
 *   suspended    it gets nothing for a while, because of what it answered
 *   unreachable  it gets nothing, because no server of it can be reached
 *   paused       a person paused it
 */
export const destinationStates = ['flows', 'slowed', 'suspended', 'unreachable', 'paused'] as const
export type DestinationStateWord = (typeof destinationStates)[number]

export const replyOutcomes = ['accepted', 'refused', 'declined', 'lost'] as const
export type ReplyOutcome = (typeof replyOutcomes)[number]

/** How often the queue is counted at most, while a person or program asks. */
export const PICTURE_MS = 5_000

/** Of a project. */
export const MAX_HOLDS = 1_000

/** Destinations of a project that are looked at for a list. */
export const MAX_LISTED = 10_000

export const MAX_BECAUSE = 500
