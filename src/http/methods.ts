import { DomainError } from '../core/errors.ts'
import { isOfApi, urlOf, type Route } from './route.ts'

/** Tells a path that does not exist (404) from one that exists with other methods (405). */
export function methodsByPath(routes: readonly Route[]) {
  const known = [...Map.groupBy(routes, urlOf)].map(([url, served]) => {
    const methods = served.map((route) => route.method)
    return {
      isOfApi: isOfApi(url),
      form: new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`),
      allow: [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', '),
    }
  })
  return {
    /** Under a host that is not ours there is the API only. */
    refusal(url: string, isOwnHost: boolean): DomainError {
      const path = url.split('?')[0] ?? url
      const match = known.find((route) => (route.isOfApi || isOwnHost) && route.form.test(path))
      return match === undefined
        ? new DomainError('not_found', 'There is no such route.')
        : new DomainError('method_not_allowed', `This path answers ${match.allow} only.`, { allow: match.allow })
    },
  }
}
