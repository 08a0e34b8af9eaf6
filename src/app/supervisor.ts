/**
 * One node: the database (unless one is configured), then the roles, each a process of its own. Stopping is the same
 * list backwards: first nothing new is taken in, then what was taken in is worked off, and the database goes last.
 */
import type { ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'
import type { Config, Role } from '../config/schema.ts'
import { systemClock } from '../core/clock.ts'
import { compose } from './compose.ts'
import { openDatabase } from './database.ts'
import { guardEmbedded } from './embedded-guard.ts'
import { firstStart, type FirstKeys } from './first-start.ts'
import { FrontDoor } from './front-door.ts'
import type { Progress } from './progress.ts'
import type { RoleStates } from './role-messages.ts'
import { RoleProcess } from './role-process.ts'
import { checkMasterKey } from '../storage/master-key-check.ts'
import { Vault } from './vault.ts'

/** How long a role may take to finish what it has begun. */
const GRACE_MS = 25_000

export interface Node {
  /** Only on the very first start of an installation. */
  firstKeys: FirstKeys | undefined
  stop(): Promise<void>
  /** Ends the roles at once; the database still stops in order. */
  hurry(): void
}

export async function startNode(config: Config, logger: Logger, progress: Progress): Promise<Node> {
  const undo = new AsyncDisposableStack()
  try {
    const door = new FrontDoor()
    if (config.roles.includes('api')) await door.listen(config.host, config.port)
    undo.defer(() => door.close())

    const url = config.databaseUrl ?? (await embeddedUrl(config, logger, progress, undo))
    const db = await openDatabase(url, 'supervisor')
    undo.defer(() => db.close())

    const vault = new Vault(config, db)
    await checkMasterKey(db, vault.secrets)

    const roles = new Roles(config.roles, url, door, logger)
    undo.defer(() => roles.stop(['worker']))
    undo.defer(() => roles.stop(['api', 'inbound']))
    undo.defer(() => door.close())
    await roles.start()

    const firstKeys = await firstStart(db, compose(db, vault, systemClock))
    return { firstKeys, stop: () => undo.disposeAsync(), hurry: () => roles.kill() }
  } catch (error) {
    await undo.disposeAsync()
    throw error
  }
}

async function embeddedUrl(
  config: Config,
  logger: Logger,
  progress: Progress,
  undo: AsyncDisposableStack,
): Promise<string> {
  const guard = await guardEmbedded(config.dataDir, logger, progress)
  undo.defer(() => guard.stop())
  return guard.url
}

/** The processes of this node, and who among them gets the connections. */
class Roles {
  readonly #processes: RoleProcess[]

  constructor(roles: readonly Role[], databaseUrl: string, door: FrontDoor, logger: Logger) {
    const env = { ...process.env, DATABASE_URL: databaseUrl }
    const events = {
      ready: ({ role }: RoleProcess, child: ChildProcess) => {
        if (role === 'api') door.admit(child)
        this.#tellStates()
      },
      away: (_: RoleProcess, child: ChildProcess) => door.dismiss(child),
      died: ({ role, restarts }: RoleProcess, how: string) => {
        logger.warn({ role, how, restarts }, 'a process ended and is started again')
        this.#tellStates()
      },
    }
    this.#processes = roles.map((role) => new RoleProcess(role, env, events))
  }

  async start(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.start()))
  }

  async stop(which: readonly Role[]): Promise<void> {
    const leaving = this.#processes.filter(({ role }) => which.includes(role))
    await Promise.all(leaving.map((process) => process.stop(GRACE_MS)))
  }

  kill(): void {
    for (const process of this.#processes) process.kill()
  }

  /** The API shows how its siblings are doing at `/metrics`. */
  #tellStates(): void {
    const states: RoleStates = Object.fromEntries(
      this.#processes.map(({ role, up, restarts }) => [role, { up, restarts }]),
    )
    for (const process of this.#processes) process.say({ type: 'roles', states })
  }
}
