import type { Logger } from 'pino'
import type { Config } from '../config/schema.ts'

export async function startWorker(
  _config: Config,
  _databaseUrl: string,
  _logger: Logger,
): Promise<{ stop(): Promise<void> }> {
  const waiting = setInterval(() => {}, 60_000)
  return { stop: async () => clearInterval(waiting) }
}
