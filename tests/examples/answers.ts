/**
 * What an example shows, held against what was really answered. `…` stands for whatever is there: at the end of a
 * word for the rest of it, at the end of an object or a list for further fields or elements. Times are any times.
 */
export function differences(example: unknown, answer: unknown, path = ''): string[] {
  if (Array.isArray(example)) return inList(example, answer, path)
  if (typeof example === 'object' && example !== null) return inObject(example, answer, path)
  return isAlike(example, answer) ? [] : [`${path || '/'} is ${show(answer)}, not ${show(example)}`]
}

/** JSON in which `…` may also stand where there would be more. */
export const parseExample = (text: string): unknown =>
  JSON.parse(text.replaceAll(/…(?=\s*\})/g, '"…": true').replaceAll(/…(?=\s*\])/g, '"…"'))

function inList(example: unknown[], answer: unknown, path: string): string[] {
  if (!Array.isArray(answer)) return [`${path} is no list`]
  const hasMore = example.at(-1) === '…'
  const shown = hasMore ? example.slice(0, -1) : example
  if (hasMore ? answer.length < shown.length : answer.length !== shown.length) {
    return [`${path} has ${answer.length} elements, not ${shown.length}`]
  }
  return shown.flatMap((element, at) => differences(element, answer[at], `${path}/${at}`))
}

function inObject(example: object, answer: unknown, path: string): string[] {
  if (typeof answer !== 'object' || answer === null) return [`${path || '/'} is ${show(answer)}, not an object`]
  const { '…': hasMore, ...shown } = example as Record<string, unknown>
  const given = answer as Record<string, unknown>
  const unexpected = hasMore ? [] : Object.keys(given).filter((key) => !(key in shown))
  return [
    ...unexpected.map((key) => `${path}/${key} is there and not shown`),
    ...Object.entries(shown).flatMap(([key, value]) => differences(value, given[key], `${path}/${key}`)),
  ]
}

function isAlike(example: unknown, answer: unknown): boolean {
  if (typeof example !== 'string' || typeof answer !== 'string') return example === answer
  if (isTime(example)) return isTime(answer)
  return patternOf(example).test(answer)
}

/** Also seconds since 1970, as a header has them. */
const isTime = (word: string): boolean => /^(\d{4}-\d\d-\d\dT[\d:.]+Z|\d{10})$/.test(word)

export const patternOf = (example: string): RegExp =>
  new RegExp(`^${example.split('…').map(RegExp.escape).join('.*')}$`, 's')

const show = (value: unknown): string => JSON.stringify(value) ?? 'missing'
