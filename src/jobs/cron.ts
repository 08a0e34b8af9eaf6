/** Whether a minute is one of those that a pattern names. In UTC. */
export type Matches = (minute: Date) => boolean

/**
 * Minute, hour, day of the month, month, day of the week. Each is a number, `*` for any, or a step such as `*\/10`; all
 * five must match. Throws for anything else.
 */
export function parseCron(pattern: string): Matches {
  const texts = pattern.split(' ')
  if (texts.length !== ranges.length) throw new Error(`not five fields of a schedule: ${pattern}`)
  const fields = texts.map((text, i) => parseField(text, ranges[i] ?? [0, 0], pattern))
  return (minute) => valuesOf(minute).every((value, i) => fields[i]?.(value) === true)
}

const ranges: readonly (readonly [from: number, to: number])[] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
]

const valuesOf = (at: Date): number[] => [
  at.getUTCMinutes(),
  at.getUTCHours(),
  at.getUTCDate(),
  at.getUTCMonth() + 1,
  at.getUTCDay(),
]

function parseField(text: string, [from, to]: readonly [number, number], pattern: string): (value: number) => boolean {
  const [, any, step, number] = /^(?:(\*)(?:\/(\d+))?|(\d+))$/.exec(text) ?? []
  const given = Number(step ?? number ?? 1)
  if ((any ?? number) === undefined || given > to || given < (number === undefined ? 1 : from)) {
    throw new Error(`not a field of a schedule: ${text} in ${pattern}`)
  }
  return number === undefined ? (value) => (value - from) % given === 0 : (value) => value === given
}

const MINUTE_MS = 60_000

/** The last minute that matches, up to now and after `since`. Undefined when there is none. */
export function lastMatch(matches: Matches, { since, now }: { since: number; now: number }): Date | undefined {
  for (let at = now - (now % MINUTE_MS); at > since; at -= MINUTE_MS) {
    const minute = new Date(at)
    if (matches(minute)) return minute
  }
  return undefined
}
