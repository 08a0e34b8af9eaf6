import { decodeCursor, type PageRequest } from '../core/page.ts'

const DEFAULT_LIMIT = 25

export const pageRequest = ({ limit, cursor }: { limit?: number; cursor?: string }): PageRequest => ({
  limit: limit ?? DEFAULT_LIMIT,
  after: cursor === undefined ? null : decodeCursor(cursor),
})
