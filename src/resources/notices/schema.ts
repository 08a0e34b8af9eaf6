import { Type, type Static } from 'typebox'
import { named, Timestamp } from '../../shapes/shapes.ts'
import type { ProjectId, WorkspaceId } from '../../core/ids.ts'
import { kindNames, severities, type Found } from './kinds.ts'

export const NoticeView = named(
  'Notice',
  Type.Object({
    kind: Type.Enum([...kindNames]),
    severity: Type.Enum(severities),
    since: Timestamp,
    title: Type.String({ examples: ['shop.example lost a DNS record'] }),
    sentence: Type.String({ description: 'What it means, and what to do about it.' }),
    link: Type.String({ description: 'The page of the portal where something can be done about it.' }),
    count: Type.Integer({ minimum: 1, description: 'How many things it is about; 100 may be more.' }),
  }),
)

export type NoticeView = Static<typeof NoticeView>

export const NoticeList = named('NoticeList', Type.Object({ data: Type.Array(NoticeView) }))

export type NoticeList = Static<typeof NoticeList>

/** What was found, with its id as it is stored. */
export type Row = Omit<Found, 'id'> & { id: string | null }

/** What the operator set, as far as there are notices about it. */
export interface NoticeFacts {
  publicUrl: string
  /** The master key comes from outside; there is no file to copy. */
  hasGivenMasterKey: boolean
}

export interface About {
  workspaceId: WorkspaceId
  projectId: ProjectId
  /** Whoever asks sees the whole workspace. */
  isWorkspace: boolean
  facts: NoticeFacts
}
