/** What is wrong with a report, in a few words for whoever wonders. Thrown to leave a parser in the middle. */
export class Unreadable extends Error {}

/** Uncompressed. A report of 20,000 rows has about as much. */
export const MAX_REPORT_BYTES = 20 * 1024 * 1024
