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

/** One URL per host. */
export function splitHosts(databaseUrl: string): string[] {
  const [, scheme, hosts, rest] = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(databaseUrl) ?? []
  if (scheme === undefined || hosts === undefined || rest === undefined) return [databaseUrl]
  const parameters = new URLSearchParams(rest.split('?')[1] ?? '')
  parameters.delete('target_session_attrs')
  const query = parameters.size > 0 ? `?${parameters}` : ''
  return hosts.split(',').map((host) => `${scheme}${host}${rest.split('?')[0]}${query}`)
}

const PROBE_TIMEOUT_MS = 2_000

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
      let refusal: unknown
      for (let i = 0; i < urls.length; i++) {
        const index = (lastPrimary + i) % urls.length
        const url = urls[index] ?? ''
        try {
          if (!(await takesWrites(url))) {
            refusal = new Error('none of the listed PostgreSQL hosts accepts writes')
            continue
          }
          const { host, port } = new pg.Client({ connectionString: url })
          Object.assign(this, { host, port })
          lastPrimary = index
          return await super.connect()
        } catch (error) {
          refusal = error
        }
      }
      throw refusal
    }
  }
  return PrimaryClient
}

/** Asked over a connection of its own: a pg.Client that has once been connected cannot turn to another host. */
async function takesWrites(url: string): Promise<boolean> {
  const probe = new pg.Client({ connectionString: url, connectionTimeoutMillis: PROBE_TIMEOUT_MS })
  probe.on('error', () => {})
  try {
    await probe.connect()
    const { rows } = await probe.query('show transaction_read_only')
    return rows[0]?.transaction_read_only === 'off'
  } finally {
    await probe.end()
  }
}
