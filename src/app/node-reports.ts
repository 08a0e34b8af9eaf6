import type { Config } from '../config/schema.ts'
import { systemClock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { NodeReports, type RoleNow } from '../resources/installation/index.ts'
import type { Database } from '../storage/postgres.ts'
import { roomAt } from './disk-room.ts'
import { nodeIdentity } from './node-identity.ts'
import { certificateEndsAt } from './smtp-certificate.ts'
import { version } from './version.ts'

/** What the supervisor of a node tells the others about it. */
export const nodeReports = (
  db: Database,
  config: Config,
  { roles, log }: { roles: () => readonly RoleNow[]; log: Log },
): NodeReports =>
  new NodeReports({
    db,
    node: { ...nodeIdentity(config), version },
    roles,
    disk: () => roomAt(config.dataDir),
    certificateEndsAt: () => certificateEndsAt(config),
    clock: systemClock,
    log,
  })
