import type { Logger } from 'pino'
import type { Config } from '../config/schema.ts'

/** The receiving mail server. It opens its port when the first receiving domain can be verified. */
export async function startInbound(
  _config: Config,
  _databaseUrl: string,
  _logger: Logger,
): Promise<{ stop(): Promise<void> }> {
  // Something must keep the process up while it has nothing to listen to.
  const waiting = setInterval(() => {}, 60_000)
  return { stop: async () => clearInterval(waiting) }
}
