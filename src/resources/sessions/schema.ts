import { Type, type Static } from 'typebox'
import type { PersonId, SessionId, WorkspaceId } from '../../core/ids.ts'
import { IdOf, named, PageOf, Timestamp } from '../../shapes/shapes.ts'

export const sessionFields = {
  id: IdOf('ses'),
  device: Type.String({ description: 'Browser and system, as the browser names them.' }),
  address: Type.String({ description: 'The address that the session was started from.' }),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
}

export const SessionView = named('PersonSession', Type.Object(sessionFields))

export type SessionView = Static<typeof SessionView>

export const SessionPage = PageOf(SessionView)

export interface SessionRow {
  id: SessionId
  workspaceId: WorkspaceId
  personId: PersonId
  device: string
  address: string
  createdAt: Date
  lastSeenAt: Date
}
