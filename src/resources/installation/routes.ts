import { route } from '../../http/route.ts'
import { BackupNotedView, InstallationView } from './schema.ts'
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
    summary: 'Say that the master key is kept in a second place. Nobody is reminded of it any more.',
    reply: { 200: BackupNotedView },
    isForPersons: true,
    handle: ({ caller, actor }) => installation.noteBackup(caller, actor),
  }),
]
