import { loadConfig } from '../src/config/load.ts'
import { withDatabase } from '../src/app/database.ts'
import type { Database } from '../src/storage/postgres.ts'
import { startDnsServer } from '../tests/support/dns-server.ts'
import { Client } from '../tests/support/client.ts'
import { verifiedDomain } from '../tests/support/domains.ts'
import { freePort, startInstallation, type RunningNode } from './node.ts'

export interface MailNode extends RunningNode {
  /** With the key of the first project. */
  api: Client
  from: string
  /** Looks into its database while it runs. */
  inDatabase<T>(work: (db: Database) => Promise<T>): Promise<T>
}

/** An installation with a verified domain, whose mail for `sink.test` goes to a port of this machine. */
export async function startMailNode(
  mxPort: number,
  env: Record<string, string> = {},
  program?: string,
): Promise<MailNode> {
  const dns = await startDnsServer({
    'sink.test': { MX: ['10 mx.sink.test'] },
    'mx.sink.test': { A: ['127.0.0.1'] },
  })
  const node = await startInstallation(
    {
      DNS_SERVERS: dns.address,
      SMTP_MX_PORT: String(mxPort),
      SMTP_HOSTNAME: 'posthouse.test',
      SMTP_INBOUND_PORT: String(await freePort()),
      EGRESS_ALLOW: '127.0.0.0/8',
      RATE_LIMIT_PER_SECOND: '0',
      LOG_LEVEL: 'error',
      ...env,
    },
    program,
  )
  const api = new Client(`http://127.0.0.1:${node.port}`, node.projectKey)
  await verifiedDomain(api, dns, 'bench.example')
  return {
    ...node,
    api,
    from: 'Shop <shop@bench.example>',
    inDatabase: (work) => withDatabase(loadConfig({ DATA_DIR: node.dataDir }), work),
    stop: async () => {
      await node.stop()
      await dns.stop()
    },
  }
}
