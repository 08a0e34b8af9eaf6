import { route } from '../../http/route.ts'
import { RawBytes } from '../receiving/schema.ts'
import { BackupNotedView, InstallationView, OperatorMailList } from './schema.ts'
import type { Installation } from './service.ts'

export const installationRoutes = (installation: Installation) => [
  route({
    id: 'getInstallation',
    method: 'GET',
    path: '/installation',
    scope: 'stats:read',
    context: 'workspace',
    summary:
      'Read how the installation is: nodes, processes, database, disk, and how its mail server appears to others. Looked at every few minutes, never while you wait; not for keys and roles of a single project.',
    reply: { 200: InstallationView },
    errors: ['project_not_allowed'],
    handle: ({ caller }) => installation.read(caller),
  }),
  route({
    id: 'noteBackup',
    method: 'POST',
    path: '/installation/backup-noted',
    scope: 'people:write',
    context: 'workspace',
    summary: 'Say that the master key is kept in a second place. The reminder goes.',
    reply: { 200: BackupNotedView },
    isForPersons: true,
    handle: ({ caller, actor }) => installation.noteBackup(caller, actor),
  }),
  route({
    id: 'listOperatorMail',
    method: 'GET',
    path: '/operator/mailbox',
    scope: 'people:write',
    context: 'workspace',
    summary: 'List the newest 100 mails to `postmaster@` and `abuse@`, which belong to no project.',
    reply: { 200: OperatorMailList },
    isForPersons: true,
    handle: ({ caller }) => installation.operatorMail(caller),
  }),
  route({
    id: 'downloadOperatorMail',
    method: 'GET',
    path: '/operator/mailbox/:id',
    scope: 'people:write',
    context: 'workspace',
    summary: 'Download one of them: our trace field, then to the byte what came in.',
    params: { id: 'rcv' },
    reply: { 200: RawBytes },
    downloads: ['message/rfc822'],
    isForPersons: true,
    handle: ({ caller, params }) => installation.operatorMessage(caller, params.id),
  }),
]
