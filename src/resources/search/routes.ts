import { route } from '../../http/route.ts'
import type { Addresses } from './addresses.ts'
import { AddressView, FoundList, Search } from './schema.ts'
import type { Finder } from './service.ts'

export interface SearchServices {
  finder: Finder
  addresses: Addresses
}

export const searchRoutes = ({ finder, addresses }: SearchServices) => [
  route({
    id: 'search',
    method: 'GET',
    path: '/search',
    scope: 'stats:read',
    context: 'workspace',
    summary:
      'Find a thing by its id, by an address or domain, or by the beginning of its name. Only what the caller could also read by the routes of each kind is found. Things of `projectId` come first.',
    query: Search,
    reply: { 200: FoundList },
    errors: ['not_found'],
    handle: ({ caller, query }) => finder.search(caller, query),
  }),
  route({
    id: 'getAddress',
    method: 'GET',
    path: '/addresses/:email',
    scope: 'stats:read',
    context: 'project',
    summary:
      'Read everything that the project knows of an address, as far as the caller could also read it by the routes of each kind. An address that the project has never seen has empty parts.',
    params: { email: 'text' },
    reply: { 200: AddressView },
    handle: ({ caller, project, params }) => addresses.read(caller, project, params.email),
  }),
]
