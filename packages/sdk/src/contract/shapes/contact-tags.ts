// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface ContactTag {
  id: string
  projectId: string
  name: string
  /** How many people have it, each counted once. */
  contactCount: number
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface ContactTagPage {
  data: ContactTag[]
  hasMore: boolean
  nextCursor: string | null
}

export interface CreateContactTag {
  /** Unique in the project; upper and lower case are the same. */
  name: string
}

export interface UpdateContactTag {
  /** Unique in the project; upper and lower case are the same. */
  name?: string
}

export interface DeletedContactTag {
  id: string
  deleted: true
}

export interface ContactTagApplied {
  tagId: string
  email: string
  applied: boolean
}

export interface ContactTagAppliedResult {
  email: string
  applied: boolean
}

export interface ContactTagAppliedToMany {
  tagId: string
  /** One for each of `emails`, in their order. */
  data: (ContactTagAppliedResult | ContactTagRefusal)[]
}

export interface ContactTagRefusal {
  email: string
  error: string
  code: string
}

export interface TagContacts {
  /** An email address. */
  email?: string
  /** Instead of `email`: many at once, each with a result of its own. */
  emails?: string[]
}

export interface ContactTagRemoved {
  tagId: string
  email: string
  removed: boolean
}

export interface ContactTagRemovedResult {
  email: string
  removed: boolean
}

export interface ContactTagRemovedToMany {
  tagId: string
  /** One for each of `emails`, in their order. */
  data: (ContactTagRemovedResult | ContactTagRefusal)[]
}
