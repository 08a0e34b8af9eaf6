import { queryOptions } from '@tanstack/react-query'

/** Images in the mail itself may have so many bytes together; the others stay out of the preview. */
const MAX_IMAGES_BYTES = 5_000_000

export interface ImageFile {
  id: string
  contentId: string | null
  contentType: string
  size: number
}

export interface MailWithImages {
  /** Of the mail; no other one has it. */
  id: string
  html: string | null
  files: readonly ImageFile[]
  load: (id: string, signal: AbortSignal) => Promise<Blob>
}

/** The images that the html shows from the mail itself, as `data:` addresses by their content id. */
export const imagesQuery = ({ id, html, files, load }: MailWithImages) => {
  const wanted = imagesIn(html ?? '', files)
  return queryOptions<Readonly<Record<string, string>>>({
    queryKey: ['images', id, ...wanted.map((image) => image.id)],
    queryFn: async ({ signal }) =>
      Object.fromEntries(
        await Promise.all(
          wanted.map(async (image) => [image.contentId, await dataAddress(await load(image.id, signal))] as const),
        ),
      ),
    enabled: wanted.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

function imagesIn(html: string, files: readonly ImageFile[]): { id: string; contentId: string }[] {
  let total = 0
  return files.flatMap(({ id, contentId, contentType, size }) => {
    const isShown = contentId !== null && contentType.startsWith('image/') && html.includes(`cid:${contentId}`)
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
