/** A role's process: the supervisor starts it with the role's name and talks to it over the channel between them. */
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { loadConfig } from '../config/load.ts'
import { roles, type Config, type Role } from '../config/schema.ts'
import { SetupError } from '../core/errors.ts'
import { armFailpoints } from '../core/failpoint.ts'
import type { Counts, Tallies } from '../core/tallies.ts'
import { isUnavailable } from '../storage/outage.ts'
import { HandedConnections } from '../process/handed-connections.ts'
import { startBeating } from '../process/heartbeat.ts'
import { createLogger, logTo } from '../process/logger.ts'
import type { FromRole, RoleStates, ToRole } from '../process/role-messages.ts'
import { keepYoungSpaceSmall, letYoungSpaceGrow } from '../process/young-space.ts'

/** Nobody cuts off a process whose supervisor was killed; it must not stay for ever. */
const ORPHAN_GRACE_MS = 25_000

/** Prometheus asks every quarter of a minute or less often. */
const TELL_COUNTS_EVERY_MS = 2_000

interface Running {
  stop(): Promise<void>
  accept?(socket: Socket): void
  /** It ends the connections that it was given when it stops, in its own way. */
  endsConnections?: true
  showRoles?(states: RoleStates): void
  /** What this process counts for the metrics of its node … */
  tallies?: Tallies
  /** … and what the others have counted, for the one that shows them. */
  showCounts?(role: string, counts: Counts): void
}

type Start = (config: Config, databaseUrl: string, logger: Logger) => Promise<Running>

/** Each role loads only what it needs: an idle receiving server should not carry an HTTP framework around. */
const load: Record<Role, () => Promise<Start>> = {
  api: async () => (await import('./api.ts')).startApi,
  worker: async () => (await import('./worker.ts')).startWorker,
  inbound: async () => (await import('./inbound.ts')).startInbound,
}

async function main(): Promise<void> {
  // Ctrl-C and the end of a terminal reach the whole process group; when we stop is the supervisor's to decide.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {})
  const role = roles.find((name) => name === process.argv[2])
  if (role === undefined) throw new Error(`not a role: ${process.argv[2]}`)
  armFailpoints(process.env['POSTHOUSE_FAILPOINTS'] ?? '')
  keepYoungSpaceSmall()
  const config = loadConfig(process.env)
  const start = await load[role]()
  const log = createLogger(role, config.logLevel, logTo(Number(process.argv[3] ?? 2)))
  serve(await start(config, config.databaseUrl ?? '', log))
  letYoungSpaceGrow()
  say({ type: 'ready' })
}

function serve(running: Running): void {
  const connections = new HandedConnections()
  let stopping: Promise<void> | undefined
  const stop = (): void => {
    stopping ??= connections
      .drain()
      .then(() => running.stop())
      .finally(() => process.exit())
  }

  process.on('message', (message: ToRole, socket: Socket | undefined) => {
    if (message.type === 'connection') take(message.id, socket)
    if (message.type === 'roles') running.showRoles?.(message.states)
    if (message.type === 'counts') running.showCounts?.(message.role, message.counts)
    if (message.type === 'stop') stop()
  })
  function take(id: number, socket: Socket | undefined): void {
    // Said before the first byte is read: from here on it can be given to nobody else.
    say({ type: 'taken', id })
    if (socket === undefined) return
    if (running.endsConnections !== true) connections.add(socket)
    running.accept?.(socket)
  }
  process.on('SIGTERM', () => (process.connected ? say({ type: 'leaving' }) : stop()))
  // Without a supervisor nobody would ever stop us, and the port and the work belong to its successor.
  const orphaned = (): void => {
    setTimeout(() => process.exit(1), ORPHAN_GRACE_MS).unref()
    stop()
  }
  process.on('disconnect', orphaned)
  // It may have gone while we were starting.
  if (!process.connected) orphaned()
  startBeating(say)
  setInterval(() => {
    const counts = running.tallies?.news()
    if (counts !== undefined) say({ type: 'counts', counts })
  }, TELL_COUNTS_EVERY_MS).unref()
}

const say = (message: FromRole): void => {
  // Whether it is heard does not matter: a channel that is gone is noticed by its own event.
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What an operator can mend needs no stack; anything else is a defect of ours. */
const describe = (error: unknown): string =>
  error instanceof Error && !(error instanceof SetupError) ? (error.stack ?? error.message) : reasonOf(error)

main().catch((error: unknown) => {
  const isOutage = isUnavailable(error)
  const message = isOutage ? `the database does not answer: ${reasonOf(error)}` : describe(error)
  // What a failed start leaves open (a pool, a timer) must not keep the process.
  if (!process.connected) process.exit(1)
  process.send?.({ type: 'fatal', message, isOutage } satisfies FromRole, undefined, undefined, () => process.exit(1))
})
