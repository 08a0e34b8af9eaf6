import { spawnSync } from 'node:child_process'
import { lchownSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from '../config/schema.ts'
import { isRoot, prepareDataDirectory, type User } from '../embedded-postgres/data-directory.ts'

/** What a role is forked with: which user it becomes, and where that one may keep what it compiles. */
export interface RoleUser {
  user: User | undefined
  env: NodeJS.ProcessEnv
}

/**
 * Root keeps its rights in the supervisor, which opens ports and starts the database; what talks to strangers runs as the
 * owner of DATA_DIR. Where that one cannot read our own files (a clone below /root, say), the roles stay root: mail that
 * flows, and a warning at every start, are better than a node that does not start after an update.
 */
export function roleUser(config: Config, logger: Logger): RoleUser {
  if (!isRoot()) return { user: undefined, env: {} }
  const user = prepareDataDirectory(config.dataDir)
  const unreachable = user && unreachableFor(user, config)
  if (unreachable === undefined) {
    logger.debug(user, 'roles run as their own user')
    return { user, env: user ? compileCacheOf(user) : {} }
  }
  logger.warn(
    { ...user, unreachable },
    'the roles run as root, because the user that they should run as cannot use this file or folder; move Posthouse to where all may read it, such as /opt, and give DATA_DIR a folder with nothing else in it',
  )
  return { user: undefined, env: {} }
}

/** Beside root's: code that another user may write to must not run with root's rights. */
function compileCacheOf({ uid, gid }: User): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE: ours } = process.env
  if (!ours) return {}
  const cache = `${ours}-${uid}`
  try {
    mkdirSync(cache, { recursive: true, mode: 0o700 })
    lchownSync(cache, uid, gid)
    return { NODE_COMPILE_CACHE: cache }
  } catch {
    // Without one a start takes a little longer.
    return { NODE_COMPILE_CACHE: '' }
  }
}

export const roleProgram = fileURLToPath(new URL('../app/role.ts', import.meta.url))
const pgPackage = fileURLToPath(new URL('../../node_modules/pg/package.json', import.meta.url))

/** Asked as that user, who may be kept out by any folder on the way. */
function unreachableFor(user: User, config: Config): string | undefined {
  const files = [roleProgram, pgPackage]
  const given = [config.smtpTlsCert, config.smtpTlsKey, config.smsConnectionsFile].filter((file) => file !== undefined)
  const ask = `
    const { accessSync, constants } = require('node:fs')
    const [folder, ...files] = process.argv.slice(1)
    const isOpen = (path, mode) => { try { accessSync(path, mode); return true } catch { return false } }
    const closed = files.find((file) => !isOpen(file, constants.R_OK))
    process.stdout.write(closed ?? (isOpen(folder, constants.W_OK | constants.X_OK) ? '' : folder))`
  const { status, stdout } = spawnSync(process.execPath, ['-e', ask, config.dataDir, ...files, ...given], {
    ...user,
    env: {},
    encoding: 'utf8',
  })
  return status === 0 ? stdout || undefined : process.execPath
}
