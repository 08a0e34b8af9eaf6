import type { ProjectId } from '../../core/ids.ts'
import type { Attachment } from '../../mail/compose/attachment.ts'
import { parseContentType } from '../../mail/content-type.ts'
import type { Blobs } from '../../storage/blobs.ts'
import type { Db } from '../../storage/postgres.ts'
import { attachmentsOf } from './store/read.ts'

/** The attachments of a content with their bytes, in their order. */
export async function storedAttachments(
  db: Db,
  blobs: Blobs,
  project: ProjectId,
  contentId: string,
): Promise<Attachment[]> {
  const rows = await attachmentsOf(db, project, contentId)
  return Promise.all(
    rows.map(async ({ filename, contentType, contentId: cid, disposition, blob }) => {
      const content = await blobs.get(blob)
      if (content === undefined) throw new Error(`the bytes of an attachment of ${contentId} are gone`)
      const type = parseContentType(contentType)
      if (!type.ok) throw new Error(`an attachment of ${contentId} has a type that cannot be read`)
      return { filename, contentType: type.value, content, disposition, ...(cid === null ? {} : { contentId: cid }) }
    }),
  )
}
