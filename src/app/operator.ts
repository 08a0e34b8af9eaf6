import { invalid } from '../core/errors.ts'
import { bodyCheck } from '../shapes/validation.ts'
import type { Services } from './compose.ts'
import { allRoutes } from './routes.ts'
import { version } from './version.ts'

export { operator } from '../resources/keys/index.ts'

/** What an operator asks for at the command line must have the shape that the same call over HTTP must have. */
export function checked<Fields>(services: Services, path: string, fields: Fields): Fields {
  const route = allRoutes(services, version).find((row) => row.method === 'POST' && row.path === path)
  const { problems } = bodyCheck(route?.body)(fields)
  if (problems.length > 0) throw invalid(problems)
  return fields
}
