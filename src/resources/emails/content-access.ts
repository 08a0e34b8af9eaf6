import type { Caller } from '../../core/caller.ts'
import type { KeyId } from '../../core/ids.ts'
import type { ContentAccess } from '../../core/scopes.ts'
import type { EmailRow, SummaryRow } from './store/read.ts'

/** The key that reads emails (null for a person), and the content that it may see. */
export interface Reader {
  keyId: KeyId | null
  contentAccess: ContentAccess
}

export const readerOf = (caller: Caller): Reader => ({
  keyId: caller.type === 'key' ? caller.keyId : null,
  contentAccess: caller.contentAccess,
})

/** Whether the reader sees what an email says that this key sent. */
export const seesContentOf = ({ contentAccess, keyId }: Reader, sentBy: KeyId | null): boolean =>
  contentAccess === 'all' || (contentAccess === 'own' && keyId !== null && sentBy === keyId)

/** An email as its reader may see it. */
export type Seen<Row extends SummaryRow> = Row & { contentHidden: boolean }

const nothing = { subject: '', html: null, text: null, headers: {}, variables: {} } satisfies Partial<EmailRow>

/** What the reader may not see looks like the content of an email whose content was deleted. */
export function seenBy<Row extends SummaryRow>(reader: Reader, row: Row): Seen<Row> {
  const isShown = seesContentOf(reader, row.keyId)
  return isShown ? { ...row, contentHidden: false } : { ...row, ...nothing, contentHidden: true }
}
