/** A role's process: the supervisor starts it with the role's name and talks to it over the channel between them. */
import type { Socket } from 'node:net'
import { loadConfig } from '../config/load.ts'
import { roles, type Config, type Role } from '../config/schema.ts'
import { createLogger } from './logger.ts'
import type { FromRole, RoleStates, ToRole } from './role-messages.ts'
import type { Logger } from 'pino'

const ALIVE_EVERY_MS = 2_000

interface Running {
  stop(): Promise<void>
  accept?(socket: Socket): void
  showRoles?(states: RoleStates): void
}

type Start = (config: Config, databaseUrl: string, logger: Logger) => Promise<Running>

/** Each role loads only what it needs: an idle receiving server should not carry an HTTP framework around. */
const load: Record<Role, () => Promise<Start>> = {
  api: async () => (await import('./api.ts')).startApi,
  worker: async () => (await import('./worker.ts')).startWorker,
  inbound: async () => (await import('./inbound.ts')).startInbound,
}

const say = (message: FromRole): void => {
  if (process.connected) process.send?.(message)
}

async function main(): Promise<void> {
  const role = roles.find((name) => name === process.argv[2])
  if (role === undefined) throw new Error(`not a role: ${process.argv[2]}`)
  const config = loadConfig(process.env)
  const logger = createLogger(role, config.logLevel)
  const start = await load[role]()
  const running = await start(config, config.databaseUrl ?? '', logger)
  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> => (stopping ??= running.stop().finally(() => process.exit()))

  process.on('message', (message: ToRole, socket: Socket | undefined) => {
    if (message.type === 'connection' && socket) running.accept?.(socket)
    if (message.type === 'roles') running.showRoles?.(message.states)
    if (message.type === 'stop') void stop()
  })
  // Ctrl-C reaches the whole process group; the order in which we stop is the supervisor's to decide.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => (process.connected ? say({ type: 'leaving' }) : void stop()))
  // Without a supervisor nobody would ever stop us, and the port and the work belong to its successor.
  process.on('disconnect', () => void stop())
  setInterval(() => say({ type: 'alive' }), ALIVE_EVERY_MS).unref()
  say({ type: 'ready' })
}

main().catch((error: unknown) => {
  say({ type: 'fatal', message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  process.exitCode = 1
  process.disconnect?.()
})
