/**
 * One node: the database (unless one is configured), then the roles, each a process of its own. Stopping is the same
 * list backwards: first nothing new is taken in, then what was taken in is worked off, and the database goes last.
 */
import type { Logger } from 'pino'
import type { Config, Role } from '../config/schema.ts'
import { DATABASE_IS_EMBEDDED } from '../config/shown.ts'
import { systemClock } from '../core/clock.ts'
import { SetupError } from '../core/errors.ts'
import type { Counts } from '../core/tallies.ts'
import { heldSending, holdSending, type Held } from '../dispatch/sending.ts'
import { openDatabase } from './database.ts'
import { WATCHED_DIRECTORY } from './disk-room.ts'
import { guardEmbedded } from './embedded-guard.ts'
import type { FirstKeys } from './first-start.ts'
import { SocketBroker } from '../process/socket-broker.ts'
import type { Progress } from './progress.ts'
import type { RoleStates } from '../process/role-messages.ts'
import { RoleProcess, type RoleEvents } from '../process/role-process.ts'
import { roleUser, type RoleUser } from '../process/role-user.ts'
import type { EmbeddedOptions } from '../embedded-postgres/server.ts'
import { checkMasterKey } from '../storage/master-key-check.ts'
import { isUnavailable } from '../storage/outage.ts'
import type { Db } from '../storage/postgres.ts'
import type { NodeReports, RoleNow } from '../resources/installation/index.ts'
import { Vault } from './vault.ts'

/** On a busy machine a database that has only just started may not answer in time. */
const FIRST_START_WITHIN_MS = 20_000

export interface Node {
  /** Only on the very first start of an installation. */
  firstKeys: FirstKeys | undefined
  /** The link with which the first owner comes in; undefined once there is one. */
  setUpAt: string | undefined
  /** Where mail is taken; undefined where it is not. */
  smtpPort: number | undefined
  /** Why nothing is sent; undefined while it is. */
  held: Held | undefined
  stop(): Promise<void>
  /** Ends the roles at once; the database still stops in order. */
  killNow(): void
}

/** When `stopAsked` is aborted before the roles are started, what was started is stopped and this rejects. */
export async function startNode(
  config: Config,
  logger: Logger,
  progress: Progress,
  stopAsked: AbortSignal,
): Promise<Node> {
  const undo = new AsyncDisposableStack()
  try {
    const doors = { api: new SocketBroker(), inbound: new SocketBroker() }
    undo.defer(() => closeAll(doors))
    if (config.roles.includes('api')) await doors.api.listen(config.host, config.port)
    if (config.roles.includes('inbound')) {
      await doors.inbound.listen(config.smtpInboundHost, config.smtpInboundPort, smtpVariables)
    }

    stopAsked.throwIfAborted()
    const embedded = { dataDir: config.dataDir, progress, signal: stopAsked }
    const url = config.databaseUrl ?? (await embeddedUrl(embedded, logger, undo))
    const db = await openDatabase(config, url, 'supervisor')
    undo.defer(() => db.close())

    const vault = new Vault(config, db)
    await checkMasterKey(db, vault.secrets)
    const held = await heldAtStart(db, config, logger)

    stopAsked.throwIfAborted()
    const { user, env } = roleUser(config, logger)
    const isEmbedded = config.databaseUrl === undefined
    const database = { DATABASE_URL: url, [DATABASE_IS_EMBEDDED]: String(isEmbedded) }
    const watched = isEmbedded ? config.dataDir : ''
    // The C library would keep memory apart for each thread, of which a process has a dozen that are mostly idle.
    const fewArenas = { MALLOC_ARENA_MAX: '2' }
    const launch = {
      user,
      env: { ...fewArenas, ...process.env, ...env, ...database, [WATCHED_DIRECTORY]: watched },
    }
    let reports: NodeReports | undefined
    const roles = new Roles(config.roles, launch, doors, logger, () => reports?.changed())
    undo.defer(() => roles.stop(['worker']))
    undo.defer(() => roles.stop(['api', 'inbound']))
    undo.defer(() => closeAll(doors))
    undo.defer(() => roles.disableRestarts())
    await roles.start()

    // Loaded now and not before: a start that is refused should not take a second to say so.
    const { firstStart, setupLink } = await import('./first-start.ts')
    const { nodeReports } = await import('./node-reports.ts')
    reports = nodeReports(db, config, { roles: () => roles.states, log: logger })
    undo.defer(() => reports?.stop())
    reports.start()
    const giveUpAt = performance.now() + FIRST_START_WITHIN_MS
    const mayRetry = (): boolean => performance.now() < giveUpAt && !stopAsked.aborted
    const patience = { random: Math.random, mayRetry }
    const firstKeys = await firstStart(db, systemClock, config.firstKeysFile, patience)
    const hasPortal = config.portal === 'on' && config.roles.includes('api')
    const setUpAt = hasPortal ? await setupLink(db, config.publicUrl, patience) : undefined
    const smtpPort = config.roles.includes('inbound') ? doors.inbound.port : undefined
    return { firstKeys, setUpAt, smtpPort, held, stop: () => undo.disposeAsync(), killNow: () => roles.kill() }
  } catch (error) {
    await undo.disposeAsync()
    throw isUnavailable(error) ? outage(error) : error
  }
}

const outage = (error: unknown): SetupError =>
  new SetupError(
    `The start was given up (the database does not answer: ${error instanceof Error ? error.message : String(error)}). ` +
      'Start it again when the machine is less busy.',
  )

/** Before any worker of this node is there. */
async function heldAtStart(db: Db, { startHeld }: Config, logger: Logger): Promise<Held | undefined> {
  if (startHeld) await holdSending(db, 'START_HELD is set')
  const held = await heldSending(db)
  if (held) logger.warn(held, 'sending is held: nothing leaves until "posthouse sending resume"')
  return held
}

type Doors = Readonly<Partial<Record<Role, SocketBroker>>>

const smtpVariables = { host: 'SMTP_INBOUND_HOST', port: 'SMTP_INBOUND_PORT' }

function closeAll(doors: Doors): void {
  for (const door of Object.values(doors)) door.close()
}

async function embeddedUrl(options: EmbeddedOptions, logger: Logger, undo: AsyncDisposableStack): Promise<string> {
  const guard = await guardEmbedded(options, logger)
  undo.defer(() => guard.stop())
  return guard.url
}

/** The processes of this node, and who among them gets the connections. */
class Roles {
  readonly #processes: RoleProcess[]
  /** What each has counted last. */
  readonly #counts = new Map<Role, Counts>()
  readonly #onChanged: () => void

  constructor(roles: readonly Role[], launch: RoleUser, doors: Doors, logger: Logger, onChanged: () => void) {
    this.#onChanged = onChanged
    const events: RoleEvents = {
      ready: ({ role }, child) => {
        doors[role]?.add(child)
        this.#tellStates()
        if (role === 'api') this.#tellCounts()
      },
      taken: ({ role }, id) => doors[role]?.taken(id),
      counted: ({ role }, counts) => {
        this.#counts.set(role, counts)
        this.#tellCounts()
      },
      leaving: ({ role }, child) => doors[role]?.remove(child),
      gone: ({ role }, child) => doors[role]?.requeue(child),
      hung: ({ role }, { pid, ...what }) => logger.error({ role, hungPid: pid, ...what }, 'process hung, replacing it'),
      restarting: ({ role, restarts }, why) => {
        logger.warn({ role, why, restarts }, 'process restarted')
        this.#tellStates()
      },
    }
    this.#processes = roles.map((role) => new RoleProcess(role, launch, events))
  }

  get states(): RoleNow[] {
    return this.#processes.map(({ role, up, restarts }) => ({ role, up, restarts }))
  }

  async start(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.start()))
  }

  async stop(which: readonly Role[]): Promise<void> {
    const leaving = this.#processes.filter(({ role }) => which.includes(role))
    await Promise.all(leaving.map((process) => process.stop()))
  }

  disableRestarts(): void {
    for (const process of this.#processes) process.disableRestarts()
  }

  kill(): void {
    for (const process of this.#processes) process.kill()
  }

  #tellCounts(): void {
    const api = this.#processes.find(({ role }) => role === 'api')
    for (const [role, counts] of this.#counts) api?.say({ type: 'counts', role, counts })
  }

  /** The API shows how its siblings are doing at `/metrics`, and what they have counted. */
  #tellStates(): void {
    const states: RoleStates = Object.fromEntries(
      this.#processes.map(({ role, up, restarts }) => [role, { up, restarts }]),
    )
    for (const process of this.#processes) process.say({ type: 'roles', states })
    this.#onChanged()
  }
}
