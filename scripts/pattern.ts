/**
 * Finds a piece of source by its words and signs. Blanks, line ends, comment lines and trailing commas do not count, and
 * `«name»` stands for anything whose brackets are balanced, the same wherever it is repeated. So a pattern outlives
 * formatting and the renaming of what it does not speak of.
 */
export interface Fit {
  start: number
  end: number
  /** What the holes stand for. */
  holes: ReadonlyMap<string, string>
}

interface Token {
  text: string
  start: number
  end: number
}

const OPENING = '([{'
const CLOSING = ')]}'
const commentLines = /^[ \t]*(?:\/\/|\/?\*|--).*$/gm

export function fitsOf(source: string, pattern: string): Fit[] {
  const tokens = tokensOf(source)
  const wanted = tokensOf(pattern).map(({ text }) => text)
  const byEnd = new Map<number, Fit>()
  for (const [at, { start }] of tokens.entries()) {
    const fit = fitAt({ source, tokens, wanted }, at)
    // A hole lets a fit begin too early; of those with one end, the shortest is meant.
    if (fit) byEnd.set(fit.end, { start, ...fit })
  }
  return [...byEnd.values()]
}

/** The source with what the pattern finds replaced; it must be found exactly once. */
export function replaced(source: string, pattern: string, by: string): string {
  const [fit, ...others] = fitsOf(source, pattern)
  if (fit === undefined || others.length > 0) throw new Error(`fits ${others.length + (fit ? 1 : 0)} times: ${pattern}`)
  const filled = by.replaceAll(/«\w+»/g, (hole) => fit.holes.get(hole) ?? hole)
  return source.slice(0, fit.start) + filled + source.slice(fit.end)
}

function tokensOf(text: string): Token[] {
  const code = text.replaceAll(commentLines, (line) => ' '.repeat(line.length))
  return [...code.matchAll(/«\w+»|#?\w+|\S/g)]
    .map(({ 0: token, index }) => ({ text: token, start: index, end: index + token.length }))
    .filter(({ text: token }, i, all) => token !== ',' || !CLOSING.includes(all[i + 1]?.text ?? ' '))
}

interface Search {
  source: string
  tokens: readonly Token[]
  wanted: readonly string[]
}

function fitAt(
  search: Search,
  at: number,
  next = 0,
  holes: ReadonlyMap<string, string> = new Map(),
): Omit<Fit, 'start'> | undefined {
  const word = search.wanted[next]
  if (word === undefined) return { end: search.tokens[at - 1]?.end ?? 0, holes }
  if (!word.startsWith('«')) {
    return search.tokens[at]?.text === word ? fitAt(search, at + 1, next + 1, holes) : undefined
  }
  for (const [end, text] of balancedRuns(search, at)) {
    if (holes.has(word) && holes.get(word) !== text) continue
    const fit = fitAt(search, end, next + 1, new Map(holes).set(word, text))
    if (fit) return fit
  }
  return undefined
}

/** From the shortest on: where each ends, and its text. */
function* balancedRuns({ source, tokens }: Search, from: number): Generator<[number, string]> {
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined) return
    if (OPENING.includes(token.text)) depth++
    if (CLOSING.includes(token.text)) depth--
    if (depth < 0) return
    if (depth === 0) yield [at + 1, source.slice(tokens[from]?.start, token.end)]
  }
}
