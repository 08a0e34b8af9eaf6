import { Type } from 'typebox'
import { pageRequest } from '../../http/pagination.ts'
import { createdOrFound, route } from '../../http/route.ts'
import type { Exports } from './export.ts'
import type { Imports } from './imports.ts'
import {
  ContactPage,
  ContactView,
  DeletedContact,
  ExportContacts,
  ImportContacts,
  ImportPage,
  ImportView,
  ListContacts,
  ListImports,
  UpdateContact,
  UpsertContact,
} from './schema.ts'
import type { Contacts } from './service.ts'

const fileTypes = ['text/csv', 'application/x-ndjson'] as const
const MAX_IMPORT_BYTES = 256 * 1024 * 1024

export interface ContactServices {
  contacts: Contacts
  imports: Imports
  exports: Exports
}

export const contactRoutes = ({ contacts, imports, exports }: ContactServices) => [
  route({
    id: 'listContacts',
    method: 'GET',
    path: '/audiences/:id/contacts',
    scope: 'audiences:write',
    context: 'project',
    summary: 'List the contacts of an audience.',
    params: { id: 'aud' },
    query: ListContacts,
    reply: { 200: ContactPage },
    handle: ({ project, params, query }) => contacts.list(project, params.id, query, pageRequest(query)),
  }),
  route({
    id: 'upsertContact',
    method: 'POST',
    path: '/audiences/:id/contacts',
    scope: 'audiences:write',
    context: 'project',
    summary: 'Add an opted-in contact, or update the one with this address. Whoever unsubscribed stays so.',
    params: { id: 'aud' },
    body: UpsertContact,
    reply: { 200: ContactView, 201: ContactView },
    errors: ['consent_required'],
    handle: async ({ project, params, body }) => createdOrFound(await contacts.upsert(project, params.id, body)),
  }),
  route({
    id: 'importContacts',
    method: 'POST',
    path: '/audiences/:id/contacts/import',
    scope: 'audiences:write',
    context: 'project',
    summary:
      'Import a file of up to 1,000,000 rows. CSV has a header with an email column; columns named like fields of a ' +
      'contact (also tags, optedIn, consentSource, consentAt) are those, all others become properties; `map` says ' +
      'otherwise. NDJSON has a contact in each line.',
    params: { id: 'aud' },
    query: ImportContacts,
    uploads: fileTypes,
    bodyLimit: MAX_IMPORT_BYTES,
    reply: { 202: ImportView },
    handle: ({ project, actor, params, query: { map = null }, upload: { type, bytes } }) =>
      imports.receive(project, actor, params.id, { format: type === 'text/csv' ? 'csv' : 'ndjson', map }, bytes),
  }),
  route({
    id: 'listContactImports',
    method: 'GET',
    path: '/audiences/:id/contacts/imports',
    scope: 'audiences:write',
    context: 'project',
    summary: 'List the imports of the last 30 days.',
    params: { id: 'aud' },
    query: ListImports,
    reply: { 200: ImportPage },
    handle: ({ project, params, query }) => imports.list(project, params.id, pageRequest(query)),
  }),
  route({
    id: 'getContactImport',
    method: 'GET',
    path: '/audiences/:id/contacts/imports/:importId',
    scope: 'audiences:write',
    context: 'project',
    summary: 'Read how far an import is.',
    params: { id: 'aud', importId: 'imp' },
    reply: { 200: ImportView },
    handle: ({ project, params }) => imports.read(project, params.id, params.importId),
  }),
  route({
    id: 'downloadContactImportErrors',
    method: 'GET',
    path: '/audiences/:id/contacts/imports/:importId/errors',
    scope: 'audiences:write',
    context: 'project',
    summary: 'Download the rows that were refused, and why. The first row below the header is row 1.',
    params: { id: 'aud', importId: 'imp' },
    reply: { 200: Type.String() },
    downloads: ['text/csv'],
    handle: ({ project, params }) => imports.errors(project, params.id, params.importId),
  }),
  route({
    id: 'exportContacts',
    method: 'GET',
    path: '/audiences/:id/contacts/export',
    scope: 'audiences:write',
    context: 'project',
    summary: 'Download all contacts of an audience.',
    params: { id: 'aud' },
    query: ExportContacts,
    reply: { 200: Type.String() },
    downloads: fileTypes,
    handle: ({ project, actor, params, query }) => exports.export(project, actor, params.id, query),
  }),
  route({
    id: 'getContact',
    method: 'GET',
    path: '/audiences/:id/contacts/:contactId',
    scope: 'audiences:write',
    context: 'project',
    summary: 'Read one contact, by its id or its address.',
    params: { id: 'aud', contactId: 'text' },
    reply: { 200: ContactView },
    handle: ({ project, params }) => contacts.read(project, params.id, params.contactId),
  }),
  route({
    id: 'updateContact',
    method: 'PATCH',
    path: '/audiences/:id/contacts/:contactId',
    scope: 'audiences:write',
    context: 'project',
    summary: 'Change a contact, unsubscribe it, or subscribe it again.',
    params: { id: 'aud', contactId: 'text' },
    body: UpdateContact,
    reply: { 200: ContactView },
    handle: ({ project, actor, params, body }) => contacts.update(project, actor, params.id, params.contactId, body),
  }),
  route({
    id: 'deleteContact',
    method: 'DELETE',
    path: '/audiences/:id/contacts/:contactId',
    scope: 'audiences:write',
    context: 'project',
    summary: 'Remove a contact and all that is known of it in this audience. A suppression of the address stays.',
    params: { id: 'aud', contactId: 'text' },
    reply: { 200: DeletedContact },
    handle: ({ project, actor, params }) => contacts.remove(project, actor, params.id, params.contactId),
  }),
]
