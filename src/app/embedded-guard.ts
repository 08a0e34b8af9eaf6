import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { backoffMs, type Backoff } from '../core/backoff.ts'
import { SetupError } from '../core/errors.ts'
import type { EmbeddedOptions } from '../embedded-postgres/server.ts'
import { useEmbedded, type EmbeddedUse } from '../embedded-postgres/use.ts'

const REVIVALS: Backoff = { first: 250, most: 15_000, spread: 0.2 }

const BOUND_LOG_EVERY_MS = 60_000

export interface EmbeddedGuard {
  url: string
  stop(): Promise<void>
}

/** Starts the embedded database or adopts a running one, keeps it ours alone, and revives it when it dies. */
export async function guardEmbedded(options: EmbeddedOptions, logger: Logger): Promise<EmbeddedGuard> {
  const first = await takeCharge(options)
  const stopping = new AbortController()
  let current = Promise.resolve(first)

  async function guard(): Promise<void> {
    for (;;) {
      await (
        await current
      ).exited
      if (stopping.signal.aborted) return
      logger.error('embedded database died, restarting')
      current = revive({ dataDir: options.dataDir, signal: stopping.signal }, logger)
    }
  }
  // It only gives up when it is told to.
  guard().catch(() => {})
  const bounding = setInterval(() => boundLog(first, logger), BOUND_LOG_EVERY_MS).unref()

  return {
    url: first.url,
    stop: async () => {
      clearInterval(bounding)
      stopping.abort()
      const server = await current.catch(() => undefined)
      await server?.stop()
    },
  }
}

function boundLog(server: EmbeddedUse, logger: Logger): void {
  try {
    server.boundLog()
  } catch (error) {
    logger.warn({ err: error }, 'embedded database log not truncated')
  }
}

/** Two nodes on one data directory would both think the database theirs to stop. */
async function takeCharge(options: EmbeddedOptions): Promise<EmbeddedUse> {
  const server = await useEmbedded(options)
  if (await server.takeCharge()) return server
  await server.leave()
  throw new SetupError(
    `Posthouse is already running with the data directory ${options.dataDir}. ` +
      'Stop it first, or choose another with DATA_DIR.',
  )
}

async function revive(options: EmbeddedOptions & { signal: AbortSignal }, logger: Logger): Promise<EmbeddedUse> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await takeCharge(options)
    } catch (error) {
      options.signal.throwIfAborted()
      logger.error({ err: error }, 'embedded database restart failed')
      await sleep(backoffMs(attempt, REVIVALS, Math.random), undefined, { signal: options.signal })
    }
  }
}
