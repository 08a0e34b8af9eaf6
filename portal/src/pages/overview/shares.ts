import type { Numbers } from './data.ts'

type Counts = Numbers['totals']

/** Above these shares providers begin to refuse mail; the notices of the API have the same. */
export const MAX_BOUNCED = 0.02
export const MAX_COMPLAINTS = 0.001

/** Recipients that a server was asked about, and whose mail came to an end. */
export const endedIn = ({ delivered, bounced, quarantined, failed }: Counts): number =>
  delivered + bounced + quarantined + failed

/** Undefined where there is nothing to be a share of. */
export const shareOf = (part: number, whole: number): number | undefined => (whole === 0 ? undefined : part / whole)

/** Undefined where no mail has come to an end. */
export const bouncedIn = (counts: Counts): number | undefined => shareOf(counts.bounced, endedIn(counts))

/** Undefined where no mail was delivered. */
export const complainedIn = ({ filteredspam, delivered }: Counts): number | undefined =>
  shareOf(filteredspam, delivered)

/** Did not arrive, or was not wanted. */
export const lostStates = ['bounced', 'failed', 'filteredspam', 'quarantined'] as const

export const lostIn = (counts: Counts): number => lostStates.reduce((sum, state) => sum + counts[state], 0)
