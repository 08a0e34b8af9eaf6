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

export function asMarkdown(machine: string, rows: readonly Row[]): string {
  const lines = rows.map(({ what, ours, yardstick, result, target }) =>
    [what, ours, yardstick, result, target].map((cell) => ` ${cell} `).join('|'),
  )
  const table = [
    '| what | ours | beside it | ratio | target |',
    '|---|---|---|---|---|',
    ...lines.map((line) => `|${line}|`),
  ]
  return `# Benchmark\n\n\`npm run bench\`, ${new Date().toISOString().slice(0, 10)}: ${machine}. ${ABOUT}\n\n${table.join('\n')}\n`
}

const ABOUT = 'Everything, load and yardsticks included, on this one machine.'
