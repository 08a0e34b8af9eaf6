import { queryOptions } from '@tanstack/react-query'
import { download } from '../../shell/api.ts'
import type { Email } from './data.ts'

/** Images in the mail itself may have so many bytes together; the others stay out of the preview. */
const MAX_IMAGES_BYTES = 5_000_000

/** The images that the html shows from the mail itself, as `data:` addresses by their content id. */
export const imagesQuery = (project: string, email: Email) => {
  const wanted = imagesIn(email)
  return queryOptions<Readonly<Record<string, string>>>({
    queryKey: ['GET /emails/:id/attachments/:attachmentId', 'images', project, email.id],
    queryFn: async ({ signal }) =>
      Object.fromEntries(
        await Promise.all(
          wanted.map(async ({ id, contentId }) => {
            const params = { id: email.id, attachmentId: id }
            const { blob } = await download('GET /emails/:id/attachments/:attachmentId', { project, params, signal })
            return [contentId, await dataAddress(blob)] as const
          }),
        ),
      ),
    enabled: wanted.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

function imagesIn({ attachments, html }: Email): { id: string; contentId: string }[] {
  let total = 0
  return attachments.flatMap(({ id, contentId, contentType, size }) => {
    const isShown = contentId !== null && contentType.startsWith('image/') && html?.includes(`cid:${contentId}`)
    if (!isShown || total + size > MAX_IMAGES_BYTES) return []
    total += size
    return [{ id, contentId }]
  })
}

const dataAddress = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The image could not be read.')))
    reader.readAsDataURL(blob)
  })
