import type { Numbers } from './data.ts'

type Counts = Numbers['totals']

/** Recipients that a server was asked about, and whose mail came to an end. */
export const endedIn = ({ delivered, bounced, quarantined, failed }: Counts): number =>
  delivered + bounced + quarantined + failed

/** Undefined where there is nothing to be a share of. */
export const shareOf = (part: number, whole: number): number | undefined => (whole === 0 ? undefined : part / whole)

/** Did not arrive, or was not wanted. */
export const lostStates = ['bounced', 'failed', 'filteredspam', 'quarantined'] as const

export const lostIn = (counts: Counts): number => lostStates.reduce((sum, state) => sum + counts[state], 0)
