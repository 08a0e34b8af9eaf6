/** How much each site takes from us at a time, as far as that is known; all others get the usual. */
import type { Limits } from '../../dispatch/queue.ts'
import type { SiteLimits } from '../../smtp/client/site.ts'

const usual: SiteLimits = { connections: 10, mailsPerConnection: 100, connectionMs: 300_000 }

/** The keys are the names in `mail/replies/providers.ts`. */
const known: Readonly<Record<string, Partial<SiteLimits>>> = {
  google: { connections: 5, mailsPerConnection: 50 },
  microsoft: { connections: 5, mailsPerConnection: 50 },
  yahoo: { mailsPerConnection: 20 },
  'yahoo-japan': { connections: 5, mailsPerConnection: 20 },
  apple: { connections: 10, mailsPerConnection: 5 },
  comcast: { connections: 5, mailsPerConnection: 50 },
  'united-internet': { connections: 5, mailsPerConnection: 50 },
  't-online': { connections: 5, mailsPerConnection: 20 },
  orange: { connections: 2, mailsPerConnection: 50 },
  laposte: { connections: 2, mailsPerConnection: 50 },
  free: { connections: 2, mailsPerConnection: 20 },
  sfr: { connections: 2, mailsPerConnection: 50 },
}

/** The limits for one of several processes that share the site; each has at least one connection. */
export function siteLimits(site: string, processes = 1): SiteLimits {
  const limits = { ...usual, ...known[site] }
  return { ...limits, connections: Math.max(1, Math.floor(limits.connections / processes)) }
}

const FIRST_CONNECTIONS = 2

/** A site gets two connections at first and more as its backlog grows; it gets most of them at a hundred mails. */
export const connectionsFor = (limit: number, mails: number): number =>
  Math.min(limit, Math.max(FIRST_CONNECTIONS, Math.ceil(limit * (1 - Math.exp(-0.023 * mails)))))

/** A connection has one mail on its way, one whose envelope runs ahead, and two that show that more are waiting. */
const MAILS_PER_CONNECTION = 4
const MAX_IN_HAND = 300

/**
 * How much dispatch may hand over at a time. It is more than there are connections, or none would ever find a mail
 * waiting, and much more for a site that takes mail quickly. A slow site gets no more, or it would hold up the others.
 */
export function dispatchLimits(site: string, processes: number): Limits {
  if (site === SIMULATOR_SITE) return { concurrency: MAX_IN_HAND }
  const { connections } = siteLimits(site, processes)
  return { concurrency: connections * MAILS_PER_CONNECTION, maxConcurrency: MAX_IN_HAND }
}

export const SIMULATOR_SITE = 'simulator'
