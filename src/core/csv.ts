/** How the rows of a list are written into a file that a person downloads and opens in a spreadsheet, or sends to us again. */

/** The content types of the formats in which lists are downloaded. */
export const contentTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

/** A line to be read by us, by others and by spreadsheets, which take some beginnings for a formula to run. */
export const writeRow = (cells: readonly (string | null)[]): string =>
  `${cells.map((cell) => quoted(guarded(cell ?? ''))).join(',')}\r\n`

const guarded = (cell: string): string => (/^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

/** Undoes what `writeRow` put before some values. */
export const unguarded = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)

const quoted = (cell: string): string => (/[",;\t\r\n]|^ | $/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
