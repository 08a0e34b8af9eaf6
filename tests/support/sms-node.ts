import { randomBytes } from 'node:crypto'
import { expect, onTestFailed, onTestFinished } from 'vitest'
import { compose, type Services } from '../../src/app/compose.ts'
import { loadSmsConnections } from '../../src/app/sms-connections.ts'
import { Vault } from '../../src/app/vault.ts'
import { loadConfig } from '../../src/config/load.ts'
import { systemClock } from '../../src/core/clock.ts'
import { decodeId, type ProjectId, type WorkspaceId } from '../../src/core/ids.ts'
import type { Database } from '../../src/storage/postgres.ts'
import { Client } from './client.ts'
import { freshDatabase } from './database.ts'
import { startPosthouse, type PosthouseProcess } from './posthouse-process.ts'
import type { Balance } from './sms-world.ts'

export interface SmsNode {
  node: PosthouseProcess
  db: Database
  /** The same services in the process of the test, for the operator's commands. */
  services: Services
  workspace: WorkspaceId
  project: ProjectId
  api: Client
  status(id: string): Promise<string>
  balance(): Promise<Balance>
  /** That every wallet adds up. */
  expectBooksInOrder(): Promise<void>
}

/** A whole installation as an operator starts it, whose first project takes part in the beta. */
export async function startSmsNode(env: Record<string, string> = {}, connections = 5): Promise<SmsNode> {
  const { db, url, drop } = await freshDatabase(connections)
  onTestFinished(drop)
  const complete = {
    DATABASE_URL: url,
    MASTER_KEY: randomBytes(32).toString('hex'),
    EGRESS_ALLOW: '127.0.0.0/8',
    DNS_SERVERS: '127.0.0.1:1',
    RATE_LIMIT_PER_SECOND: '0',
    LOG_LEVEL: 'error',
    ...env,
  }
  const node = await startPosthouse({ env: complete })
  onTestFailed(() => console.log(node.stderr))
  const config = loadConfig(complete)
  const smsConnections = await loadSmsConnections(config)
  const services = compose(db, new Vault(config, db), config, systemClock, { smsConnections })
  const workspace = (await services.projects.workspace())!
  const project = decodeId('prj', node.keys.projectId)!
  const api = new Client(node.url, node.keys.project)
  await services.sms.operator.invite(workspace, project)
  return {
    node,
    db,
    services,
    workspace,
    project,
    api,
    status: async (id) => String((await api.get(`sms/messages/${id}`)).body['status']),
    balance: async () => (await api.get<Balance>('sms/wallet/balance')).body,
    expectBooksInOrder: async () =>
      expect((await services.sms.operator.reconcile(undefined, false)).violations).toEqual([]),
  }
}
