import type { ProjectId, WorkspaceId } from '../../../core/ids.ts'
import type { Found } from '../kinds.ts'

/** More than these are not counted. */
export const MAX_FOUND = 100

/** What was found, with its id as it is stored. */
export type Row = Omit<Found, 'id'> & { id: string | null }

/** What the operator set, as far as there are notices about it. */
export interface NoticeFacts {
  publicUrl: string
  /** The master key comes from outside; nobody has to copy a file. */
  hasGivenMasterKey: boolean
}

export interface About {
  workspaceId: WorkspaceId
  projectId: ProjectId
  /** Whoever asks sees the whole workspace. */
  isWorkspace: boolean
  facts: NoticeFacts
}
