import type { KeyId } from '../../core/ids.ts'
import type { ContentAccess } from '../../core/scopes.ts'
import type { EmailRow, SummaryRow } from './store/read.ts'

/** The key that reads emails (null for a person), and the content that it may see. */
export interface Reader {
  keyId: KeyId | null
  contentAccess: ContentAccess
}

/** An email as its reader may see it. */
export type Seen<Row extends SummaryRow> = Row & { contentHidden: boolean }

const nothing = { subject: '', html: null, text: null, headers: {}, variables: {} } satisfies Partial<EmailRow>

/** What the reader may not see looks like the content of an email whose content was deleted. */
export function seenBy<Row extends SummaryRow>({ contentAccess, keyId }: Reader, row: Row): Seen<Row> {
  const isShown = contentAccess === 'all' || (contentAccess === 'own' && keyId !== null && row.keyId === keyId)
  return isShown ? { ...row, contentHidden: false } : { ...row, ...nothing, contentHidden: true }
}
