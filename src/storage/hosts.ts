import pg from 'pg'

/**
 * Understands `postgres://user:secret@host1:5432,host2:5432/db?target_session_attrs=read-write`, the form in which
 * libpq names a primary and its standbys. With one host this is an ordinary pg.Client. With several, each new
 * connection looks for the host that takes writes, so after a failover every pool finds the new primary by itself.
 */
export function clientClass(databaseUrl: string): { url: string; Client: typeof pg.Client } {
  const urls = splitHosts(databaseUrl)
  const [first = databaseUrl] = urls
  return urls.length < 2 ? { url: first, Client: pg.Client } : { url: first, Client: primarySeeker(urls) }
}

/** Returns one URL per host. */
function splitHosts(databaseUrl: string): string[] {
  const [, scheme, hosts, rest] = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/s.exec(databaseUrl) ?? []
  if (scheme === undefined || hosts === undefined || rest === undefined) return [databaseUrl]
  const parameters = new URLSearchParams(rest.split('?')[1] ?? '')
  parameters.delete('target_session_attrs')
  const query = parameters.size > 0 ? `?${parameters}` : ''
  return hosts.split(',').map((host) => `${scheme}${host}${rest.split('?')[0]}${query}`)
}

/**
 * For the connection, and again for the answer. Shorter than what a caller waits for a connection: a host that swallows
 * packets must leave time for the others.
 */
const PROBE_TIMEOUT_MS = 1_500

function primarySeeker(urls: readonly string[]): typeof pg.Client {
  let lastPrimary = 0

  class PrimaryClient extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
      const connected = this.connectToPrimary()
      if (!callback) return connected
      connected.then(() => (callback as (error?: Error) => void)(), callback)
    }

    private async connectToPrimary(): Promise<pg.Client> {
      lastPrimary = await indexOfPrimary(urls, lastPrimary)
      const { host, port } = new pg.Client({ connectionString: urls[lastPrimary] })
      Object.assign(this, { host, port })
      return super.connect()
    }
  }
  return PrimaryClient
}

/** All are asked at once, but the one that was it last is preferred: two that take writes must not take turns. */
async function indexOfPrimary(urls: readonly string[], lastPrimary: number): Promise<number> {
  const answers = urls.map((url) => refusalOf(url))
  const reasons: string[] = []
  for (let i = 0; i < urls.length; i++) {
    const index = (lastPrimary + i) % urls.length
    const refusal = await answers[index]
    if (refusal === undefined) return index
    reasons.push(refusal)
  }
  throw new Error(`none of the listed PostgreSQL hosts accepts writes: ${reasons.join('; ')}`)
}

/**
 * Returns why this host does not accept writes; undefined when it does. The probe uses a connection of its own: a
 * pg.Client that was once connected cannot connect to another host.
 */
async function refusalOf(url: string): Promise<string | undefined> {
  const times = { connectionTimeoutMillis: PROBE_TIMEOUT_MS, query_timeout: PROBE_TIMEOUT_MS }
  const probe = new pg.Client({ connectionString: url, ...times })
  probe.on('error', () => {})
  const place = `${probe.host}:${probe.port}`
  try {
    await probe.connect()
    const { rows } = await probe.query('show transaction_read_only')
    return rows[0]?.transaction_read_only === 'off' ? undefined : `${place} is read-only`
  } catch (error) {
    return `${place}: ${error instanceof Error ? error.message || String(error) : String(error)}`
  } finally {
    void probe.end().catch(() => {})
  }
}
