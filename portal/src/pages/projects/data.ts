import type { JsonOperation } from '@posthouse/sdk'
import type { Found } from '../../kit/address.ts'
import { ask, askPages, useChange, type RowOf } from '../../shell/api.ts'
import type { projectsSearch } from './search.ts'

export type Project = RowOf<'GET /projects'>

export const projects = (query: Found<typeof projectsSearch>) => askPages('GET /projects', { query })

export const usage = (id: string) => ask('GET /projects/:id/usage', { params: { id } })

/** The session lists the projects that a person can see. */
const stale: readonly JsonOperation[] = ['GET /projects', 'GET /projects/:id', 'GET /session']

export const useCreateProject = () => useChange('POST /projects', stale)
export const useUpdateProject = () => useChange('PATCH /projects/:id', stale)
export const useArchiveProject = () => useChange('DELETE /projects/:id', stale)
export const useRestoreProject = () => useChange('POST /projects/:id/restore', stale)
