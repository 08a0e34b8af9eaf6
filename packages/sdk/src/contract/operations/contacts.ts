// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  Contact,
  ContactPage,
  UpsertContact,
  ContactImport,
  ContactImportPage,
  UpdateContact,
  DeletedContact,
} from '../shapes/contacts.ts'

export interface ContactsOperations {
  /** List the contacts of an audience. */
  'GET /audiences/:id/contacts': {
    params: { id: string }
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      subscribed?: boolean
      /** A tag's name or id. */
      tag?: string
      /** An email address. */
      email?: string
      /** The beginning of an address, of a first name and what follows it, or of a last name. */
      q?: string
    }
    body: undefined
    reply: ContactPage
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Add an opted-in contact, or update the one with this address. Whoever unsubscribed stays so. */
  'POST /audiences/:id/contacts': {
    params: { id: string }
    query: undefined
    body: UpsertContact
    reply: Contact
    scope: 'audiences:write'
    context: 'project'
  }
  /**
   * Import a file of up to 1,000,000 rows. CSV has a header with an email column; columns named like fields of a
   * contact (also tags, optedIn, consentSource, consentAt) are those, all others become properties; `map` says
   * otherwise. NDJSON has a contact in each line.
   */
  'POST /audiences/:id/contacts/import': {
    params: { id: string }
    query: {
      /**
       * What columns of a CSV file hold, as `map[Title of the column]=field`: `email`, `firstName`, `lastName`, `tags`,
       * `optedIn`, `subscribed`, `consentSource`, `consentAt`, `consentIp`, `consentUserAgent`, `consentText`,
       * `properties.name` for a property of that name, `properties` for several as JSON, or `skip`. Titles are written
       * as in the file. Columns that are not named here mean what their titles say.
       */
      map?: Record<string, string>
    }
    body: Blob | string | Uint8Array<ArrayBuffer>
    reply: ContactImport
    uploads: 'text/csv' | 'application/x-ndjson'
    scope: 'audiences:write'
    context: 'project'
  }
  /** List the imports of the last 30 days. */
  'GET /audiences/:id/contacts/imports': {
    params: { id: string }
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    body: undefined
    reply: ContactImportPage
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Read how far an import is. */
  'GET /audiences/:id/contacts/imports/:importId': {
    params: { id: string; importId: string }
    query: undefined
    body: undefined
    reply: ContactImport
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Download the rows that were refused, and why. The first row below the header is row 1. */
  'GET /audiences/:id/contacts/imports/:importId/errors': {
    params: { id: string; importId: string }
    query: undefined
    body: undefined
    reply: Blob
    downloads: 'text/csv'
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Download all contacts of an audience. */
  'GET /audiences/:id/contacts/export': {
    params: { id: string }
    query: {
      /** csv if omitted. */
      format?: 'csv' | 'ndjson'
    }
    body: undefined
    reply: Blob
    downloads: 'text/csv' | 'application/x-ndjson'
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Read one contact, by its id or its address. */
  'GET /audiences/:id/contacts/:contactId': {
    params: { id: string; contactId: string }
    query: undefined
    body: undefined
    reply: Contact
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Change a contact, unsubscribe it, or subscribe it again. */
  'PATCH /audiences/:id/contacts/:contactId': {
    params: { id: string; contactId: string }
    query: undefined
    body: UpdateContact
    reply: Contact
    scope: 'audiences:write'
    context: 'project'
  }
  /** Remove a contact and all that is known of it in this audience. A suppression of the address stays. */
  'DELETE /audiences/:id/contacts/:contactId': {
    params: { id: string; contactId: string }
    query: undefined
    body: undefined
    reply: DeletedContact
    scope: 'audiences:write'
    context: 'project'
  }
}
