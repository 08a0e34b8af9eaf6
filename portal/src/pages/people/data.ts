import type { JsonOperation, Reply } from '@posthouse/sdk'
import type { Found } from '../../kit/address.ts'
import { ask, askPages, useChange, type RowOf } from '../../shell/api.ts'
import type { peopleSearch } from './search.ts'

export type Person = RowOf<'GET /people'>
export type Invitation = RowOf<'GET /people/invitations'>
export type NewInvitation = Reply<'POST /people/invitations'>
export type RecoveryLink = Reply<'POST /people/:id/recovery'>

export const people = (query: Found<typeof peopleSearch>) => askPages('GET /people', { query })
export const person = (id: string) => ask('GET /people/:id', { params: { id } })
export const invitations = () => askPages('GET /people/invitations', {})

const MAX_KEYS = 100

/** The keys that can be seen, in order to call those that somebody made by their names. */
export const keys = () => ask('GET /api-keys', { query: { limit: MAX_KEYS } })

/** A person who loses a role, or access, loses the invitations that they sent as well. */
const peopleAreStale: readonly JsonOperation[] = [
  'GET /people',
  'GET /people/:id',
  'GET /people/invitations',
  'GET /session',
]
const invitationsAreStale: readonly JsonOperation[] = ['GET /people/invitations']

export const useInvite = () => useChange('POST /people/invitations', invitationsAreStale)
export const useRenew = () => useChange('POST /people/invitations/:id/renew', invitationsAreStale)
export const useWithdraw = () => useChange('DELETE /people/invitations/:id', invitationsAreStale)
export const useUpdatePerson = () => useChange('PATCH /people/:id', peopleAreStale)
export const useRemovePerson = () =>
  useChange('DELETE /people/:id', ['GET /people', 'GET /people/invitations', 'GET /api-keys'])
/** For owners, who hand the link over. */
export const useRecoverPerson = () => useChange('POST /people/:id/recovery', [])
export const useSignOutPerson = () => useChange('DELETE /people/:id/sessions', ['GET /people'])
