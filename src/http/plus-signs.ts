import { DomainError, invalid, type Problem } from '../core/errors.ts'

/**
 * In a query a plus is read as a space, so that addresses, phone numbers and offsets that have one arrive broken.
 * Whoever is refused for such a value is told how to write it.
 */
export function withPlusHint(error: DomainError, url: string): DomainError {
  const { details = [] } = error.extra as { details?: readonly Problem[] }
  const query = url.slice(url.indexOf('?') + 1).split('&')
  const hasPlus = (path: string): boolean => {
    const [, place, name] = path.split('/')
    return place === 'query' && query.some((pair) => pair.startsWith(`${name}=`) && pair.includes('+'))
  }
  if (error.code !== 'validation_error' || !details.some(({ path }) => hasPlus(path))) return error
  return invalid(
    details.map(({ path, message }) => ({ path, message: hasPlus(path) ? `${message}; ${HINT}` : message })),
  )
}

const HINT = 'in a query a + means a space, so write it as %2B'
