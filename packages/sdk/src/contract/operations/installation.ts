// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  Installation,
  BackupNoted,
  OperatorMailList,
} from '../shapes/installation.ts'

export interface InstallationOperations {
  /**
   * Read how the installation is: nodes, processes, database, disk, and how its mail server appears to others. Looked
   * at every few minutes, never while you wait; not for keys and roles of a single project.
   */
  'GET /installation': {
    params: undefined
    query: undefined
    body: undefined
    reply: Installation
    scope: 'stats:read'
    context: 'workspace'
    reads: true
  }
  /** Say that the master key is kept in a second place. The reminder goes. */
  'POST /installation/backup-noted': {
    params: undefined
    query: undefined
    body: undefined
    reply: BackupNoted
    scope: 'people:write'
    context: 'workspace'
    isForPersons: true
  }
  /** List the newest 100 mails to `postmaster@` and `abuse@`, which belong to no project. */
  'GET /operator/mailbox': {
    params: undefined
    query: undefined
    body: undefined
    reply: OperatorMailList
    scope: 'people:write'
    context: 'workspace'
    reads: true
    isForPersons: true
  }
  /** Download one of them: our trace field, then to the byte what came in. */
  'GET /operator/mailbox/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Blob
    downloads: 'message/rfc822'
    scope: 'people:write'
    context: 'workspace'
    reads: true
    isForPersons: true
  }
}
