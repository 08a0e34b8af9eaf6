import { decodeCursor, type PageRequest } from '../core/page.ts'
import { USUAL_PAGE } from '../shapes/shapes.ts'

export const pageRequest = (
  { limit, cursor }: { limit?: number; cursor?: string },
  usual: number = USUAL_PAGE,
): PageRequest => ({
  limit: limit ?? usual,
  after: cursor === undefined ? null : decodeCursor(cursor),
})
