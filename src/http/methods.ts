import { DomainError } from '../core/errors.ts'
import type { Route } from './route.ts'

/** Tells a path that does not exist (404) from one that exists with other methods (405). */
export function methodsByPath(routes: readonly Route[], prefix: string) {
  const known = [...new Set(routes.map((route) => route.path))].map((path) => {
    const methods = routes.filter((route) => route.path === path).map((route) => route.method)
    return {
      form: new RegExp(`^${prefix}${path.replaceAll(/:\w+/g, '[^/]+')}$`),
      allow: [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', '),
    }
  })
  return {
    refusal(url: string): DomainError {
      const path = url.split('?')[0] ?? url
      const match = known.find(({ form }) => form.test(path))
      return match === undefined
        ? new DomainError('not_found', 'There is no such route.')
        : new DomainError('method_not_allowed', `This path answers ${match.allow} only.`, { allow: match.allow })
    },
  }
}
