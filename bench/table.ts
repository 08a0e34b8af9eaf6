/** One line of what `npm run bench` prints. */
export interface Row {
  what: string
  ours: string
  yardstick: string
  result: string
  target: string
}

export const perSecond = (count: number, milliseconds: number): number => (count / milliseconds) * 1_000

export const ratio = (ours: number, theirs: number): string => `${(ours / theirs).toFixed(2)} ×`

export const rate = (value: number): string => `${value.toFixed(0)}/s`

/** The middle one. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
