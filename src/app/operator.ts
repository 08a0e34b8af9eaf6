import { invalid } from '../core/errors.ts'
import { bodyCheck } from '../http/validation.ts'
import type { House } from './compose.ts'
import { allRoutes } from './routes.ts'
import { version } from './version.ts'

export { operator } from '../resources/keys/index.ts'

/** What an operator asks for at the command line must have the shape that the same call over HTTP must have. */
export function checked<Fields>(house: House, path: string, fields: Fields): Fields {
  const route = allRoutes(house, version).find((row) => row.method === 'POST' && row.path === path)
  const { problems } = bodyCheck(route?.body)(fields)
  if (problems.length > 0) throw invalid(problems)
  return fields
}
