import { spawnSync } from 'node:child_process'
import { appendFileSync, chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startInstallation } from '../support/mail-node.ts'
import { postmasterPid } from '../support/posthouse-process.ts'
import { credentials, PrivateCluster } from '../support/private-cluster.ts'
import { layCable } from './cable.ts'
import { crash } from './crash.ts'
import { firstAfter, lostOf, repeatsIn } from './ledgers.ts'
import { sitesOf, startRecipients } from './recipients.ts'
import { chaos } from './run.ts'
import { inWords, seconds, startStream, unplain } from './stream.ts'

/** How far away the standby is: what was committed takes so long to get there. */
const DISTANCE_MS = 60

chaos('the primary is lost under load and its synchronous standby promoted', async (run) => {
  const { primary, standby } = await startPair()
  const recipients = await startRecipients()
  const { sites, zones } = sitesOf(8)
  const env = { LOG_LEVEL: 'silent', DATABASE_URL: listed(standby, primary) }
  const here = await startInstallation(recipients, env, zones)
  const before = new Set([here.node.pid, ...here.node.rolePids()])
  const stream = startStream({ apis: () => [here.api], from: here.from, sites, sides: 16 })
  const { acknowledged } = stream.ledger
  await sleep(run.between(4_000, 4_000 + run.scaled(8_000)))

  const killedAt = performance.now()
  const killed = crash(postmasterPid(primary.dataDir)!)
  await standby.session((client) => client.query('select pg_promote()'))
  const promotedAt = performance.now()
  const isNew = (to: string): boolean => (acknowledged.get(to) ?? 0) > killedAt
  await eventually('mail flows', () => recipients.arrivals.some(({ to }) => isNew(to)), 60_000).catch(() => {})
  await sleep(run.scaled(5_000))
  const hasEnded = await stream.stop()

  const lost = await lostOf(stream.ledger.acknowledged.keys(), [recipients], 90_000)
  run.line('failover', '0 lost', `${lost.length} lost of ${acknowledged.size}`, lost.length === 0)
  const twice = repeatsIn([recipients]).length
  run.line('failover', '0 twice', `${twice} twice`, twice === 0)
  run.line('failover', 'no answer but 202, 409, 429, 503', inWords(stream.heard), unplain(stream.heard).length === 0)
  const accepted = firstAfter(acknowledged.values(), killedAt)
  const arrived = firstAfter(
    recipients.arrivals.flatMap(({ to, at }) => (isNew(to) ? [at] : [])),
    killedAt,
  )
  const exited = before.difference(new Set([here.node.pid, ...here.node.rolePids()])).size
  run.line(
    'failover',
    'sending resumes ≤ 30 s after the primary is gone, no process exits',
    `accepted after ${seconds(accepted)}, arrived after ${seconds(arrived)}, ${exited} exited`,
    accepted <= 30_000 && arrived <= 30_000 && exited === 0 && hasEnded,
  )
  run.hit('processes of the primary that died', killed)
  run.hit(`promotion, done after ${seconds(promotedAt - killedAt)}`, 1)
  run.hit('requests that had to be repeated', stream.ledger.repeated)
})

/** A primary that waits for its standby at every commit. */
async function startPair(): Promise<{ primary: PrivateCluster; standby: PrivateCluster }> {
  const [primary, standby] = [new PrivateCluster(), new PrivateCluster()]
  for (const cluster of [primary, standby]) onTestFinished(() => cluster.remove())
  await primary.start()
  await primary.stop()
  const [original, copy] = [primary, standby].map(({ dataDir }) => join(dataDir, 'postgres')) as [string, string]
  const { status, stderr } = spawnSync('cp', ['-a', original, copy], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the primary could not be copied: ${stderr}`)

  const cable = await layCable(join(original, '.s.PGSQL.5432'), { delayMs: DISTANCE_MS })
  const [user, password] = credentials.split(':')
  const source = `host=127.0.0.1 port=${cable.port} user=${user} password=${password} application_name=standby sslmode=disable`
  appendFileSync(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  const { uid, gid } = statSync(original)
  writeFileSync(join(copy, 'standby.signal'), '')
  chownSync(join(copy, 'standby.signal'), uid, gid)

  await primary.start()
  await standby.start()
  await primary.set('synchronous_standby_names', 'standby')
  await eventually('commits wait for the standby', () =>
    primary.session(async (client) => {
      const { rows } = await client.query(`select from pg_stat_replication where sync_state = 'sync'`)
      return rows.length === 1
    }),
  )
  return { primary, standby }
}

/** Their sockets as hosts, as an operator lists a primary and its standbys. */
const listed = (...clusters: PrivateCluster[]): string => {
  const hosts = clusters.map(({ dataDir }) => encodeURIComponent(join(dataDir, 'postgres')))
  return `postgres://${credentials}@${hosts.join(',')}/posthouse?target_session_attrs=read-write`
}
