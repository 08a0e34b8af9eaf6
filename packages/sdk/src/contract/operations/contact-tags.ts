// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  ContactTag,
  ContactTagPage,
  CreateContactTag,
  UpdateContactTag,
  DeletedContactTag,
  ContactTagApplied,
  ContactTagAppliedToMany,
  TagContacts,
  ContactTagRemoved,
  ContactTagRemovedToMany,
} from '../shapes/contact-tags.ts'

export interface ContactTagsOperations {
  /** List the project's tags. */
  'GET /contact-tags': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    body: undefined
    reply: ContactTagPage
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Create a tag. */
  'POST /contact-tags': {
    params: undefined
    query: undefined
    body: CreateContactTag
    reply: ContactTag
    scope: 'audiences:write'
    context: 'project'
  }
  /** Read one tag. */
  'GET /contact-tags/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: ContactTag
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Rename a tag. */
  'PATCH /contact-tags/:id': {
    params: { id: string }
    query: undefined
    body: UpdateContactTag
    reply: ContactTag
    scope: 'audiences:write'
    context: 'project'
  }
  /** Delete a tag, and take it from everybody who has it. */
  'DELETE /contact-tags/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: DeletedContactTag
    scope: 'audiences:write'
    context: 'project'
  }
  /** Apply a tag to a person, or to up to 1,000. It shows on their contact in every audience. */
  'POST /contact-tags/:id/contacts': {
    params: { id: string }
    query: undefined
    body: TagContacts
    reply: ContactTagApplied | ContactTagAppliedToMany
    scope: 'audiences:write'
    context: 'project'
  }
  /** Remove a tag from a person, or from up to 1,000. The person's next due automation step stops. */
  'DELETE /contact-tags/:id/contacts': {
    params: { id: string }
    query: {
      /** An email address. */
      email?: string
    }
    body: TagContacts | undefined
    reply: ContactTagRemoved | ContactTagRemovedToMany
    scope: 'audiences:write'
    context: 'project'
  }
}
