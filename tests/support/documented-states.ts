import { readFileSync } from 'node:fs'

/** From each state to those that it can become. What is not a state yet is `(new)`. */
export type Moves = ReadonlyMap<string, ReadonlySet<string>>

/** The moves that `docs/states.md` draws below a heading. */
export function documentedMoves(heading: string): Moves {
  const text = readFileSync(new URL('../../docs/states.md', import.meta.url), 'utf8')
  const drawing = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0]?.split('```\n')[1]
  if (drawing === undefined) throw new Error(`docs/states.md draws nothing below ${heading}`)
  return movesIn(drawing)
}

/** Lines like `a → b | c → d   remark`, or with `⇄` for a way back. */
export function movesIn(drawing: string): Moves {
  const moves = new Map<string, Set<string>>()
  for (const line of drawing.split('\n').filter((line) => /[→⇄]/.test(line))) {
    const [walk = ''] = line.replaceAll(/ *([→⇄|]) */g, ' $1 ').split(/ {2,}/)
    const [first = '', ...rest] = walk.split(/ (?=[→⇄] )/)
    let from = first.split(' | ')
    for (const leg of rest) {
      const to = leg.slice(2).split(' | ')
      add(moves, from, to)
      if (leg.startsWith('⇄')) add(moves, to, from)
      from = to
    }
  }
  return moves
}

function add(moves: Map<string, Set<string>>, from: readonly string[], to: readonly string[]): void {
  for (const state of from) moves.set(state, new Set([...(moves.get(state) ?? []), ...to]))
}

export const statesOf = (moves: Moves): string[] =>
  [...new Set([...moves].flatMap(([from, to]) => [from, ...to]))].filter((state) => state !== '(new)').toSorted()
