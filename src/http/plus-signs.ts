import { DomainError, invalid, type Problem } from '../core/errors.ts'

/**
 * In a query a plus is read as a space, so that addresses, phone numbers and offsets that have one arrive broken.
 * Whoever is refused for such a value is told how to write it.
 */
export function withPlusHint(error: DomainError, url: string): DomainError {
  if (error.code !== 'validation_error') return error
  const names = namesWithPlus(url)
  if (names.size === 0) return error
  const { details = [] } = error.extra as { details?: readonly Problem[] }
  const hasPlus = ({ path }: Problem): boolean => {
    const [, place, name] = path.split('/')
    return place === 'query' && names.has(name)
  }
  if (!details.some(hasPlus)) return error
  return invalid(
    details.map((problem) => (hasPlus(problem) ? { ...problem, message: `${problem.message}; ${HINT}` } : problem)),
  )
}

/** A query may have thousands of parameters and as many problems: it is read once, not once for each problem. */
function namesWithPlus(url: string): Set<string | undefined> {
  const pairs = url.slice(url.indexOf('?') + 1).split('&')
  return new Set(pairs.filter((pair) => pair.includes('+')).map((pair) => pair.split('=', 1)[0]))
}

const HINT = 'in a query a + means a space, so write it as %2B'
