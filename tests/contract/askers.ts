import type { IdPrefix } from '../../src/core/ids.ts'
import type { Role } from '../../src/core/roles.ts'
import type { Route } from '../../src/http/route.ts'
import type { Client } from '../support/client.ts'
import { signIn } from '../support/people.ts'
import type { World } from '../support/world.ts'
import { refusalOf } from './roles.ts'
import type { Neighbourhood, Owner } from './tenants.ts'

export type AskerName = 'workspace key' | 'owner' | 'bound key' | 'admin of one project' | 'viewer of one project'

/** A caller that asks for things of others: a key, or a person with a cookie. */
export interface Asker {
  client: Client
  /** Other routes answer one refusal, whatever they are asked for: see `permissions.test.ts` and `persons.test.ts`. */
  opens(route: Route): boolean
  /** The headers that the call needs. */
  context(route: Route): Record<string, string>
  /** Whose things are not to be known in answers of the route, asked for at this place. */
  foreign(route: Route, where?: string): readonly Owner[]
  /** The answer to an id that never existed. */
  refusal(prefix: IdPrefix, where: string): object
  /** Whether all that the workspace has is in one list or another. */
  seesAll: boolean
}

export async function askersOf(here: World, hood: Neighbourhood): Promise<Record<AskerName, Asker>> {
  const { projectId } = hood.own
  const person = async (role: Role, project?: string): Promise<Client> => {
    const { client } = await signIn(here, { role, project })
    return client.in(undefined)
  }
  const inProject = async (role: Role): Promise<Asker> => ({
    client: await person(role, projectId),
    opens: (route) => refusalOf(role, false, route) === undefined,
    context: (route) => named(isLocal(route)),
    foreign: () => [hood.stranger, hood.sibling, hood.above],
    // A key cannot be made for another project, whichever it is.
    refusal: (prefix, where) => (prefix === 'prj' && where.startsWith('body') ? notAllowed : notFound),
    seesAll: false,
  })
  const named = (isNeeded: boolean): Record<string, string> => (isNeeded ? { 'x-service-project-id': projectId! } : {})
  return {
    'workspace key': {
      client: hood.workspaceKey,
      opens: ({ isForPersons }) => !isForPersons,
      context: (route) => named(isAboutOneProject(route)),
      foreign: (route, where) => [
        hood.stranger,
        ...(isAboutOneProject(route) && where !== 'header' ? [hood.sibling] : []),
      ],
      refusal: () => notFound,
      seesAll: true,
    },
    owner: {
      client: await person('owner'),
      opens: () => true,
      context: (route) => named(isLocal(route)),
      foreign: (route, where) => [hood.stranger, ...(isLocal(route) && where !== 'header' ? [hood.sibling] : [])],
      refusal: () => notFound,
      seesAll: true,
    },
    'bound key': {
      client: hood.projectKey,
      opens: ({ isForPersons }) => !isForPersons,
      context: (route) => named(isAboutOneProject(route)),
      foreign: () => [hood.stranger, hood.sibling, hood.above],
      // A bound key that names a project at all names a wrong one: that is refused before anything is looked up.
      refusal: (prefix, where) => (prefix === 'prj' && !where.startsWith(':') ? notAllowed : notFound),
      seesAll: false,
    },
    'admin of one project': await inProject('admin'),
    'viewer of one project': await inProject('viewer'),
  }
}

const notFound = { status: 404, body: { code: 'not_found' } }
const notAllowed = { status: 403, body: { code: 'project_not_allowed' } }

/** A key looks emails up in the whole workspace; those that are sent here are sent from the sandbox. */
const isAboutOneProject = ({ context, path }: Route): boolean => context === 'project' || path.startsWith('/email/')

/** A person names the project whenever a call is about one. */
const isLocal = ({ context }: Route): boolean => context !== 'workspace'
