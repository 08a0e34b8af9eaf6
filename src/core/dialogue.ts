/** What was said between us and a mail server, as it is kept. */
export interface Dialogue {
  lines: SpokenLine[]
  /** So many bytes of content were sent. */
  bytes: number
}

export interface SpokenLine {
  /** In milliseconds since the epoch. */
  at: number
  from: 'us' | 'them'
  text: string
}

/** One line as it is stored. */
export type CompactLine = [at: number, from: 0 | 1, text: string]

export const compact = ({ at, from, text }: SpokenLine): CompactLine => [Math.round(at), from === 'us' ? 0 : 1, text]

export const spoken = ([at, from, text]: CompactLine): SpokenLine => ({ at, from: from === 0 ? 'us' : 'them', text })
