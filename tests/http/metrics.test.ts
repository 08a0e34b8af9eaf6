/** However much an installation does, its metrics stay few; and what watches them asks for none that is not there. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { countAttempt, countedText, countReceived } from '../../src/app/counted.ts'
import { nodeMetrics } from '../../src/app/node-metrics.ts'
import { allRoutes } from '../../src/app/routes.ts'
import { Tallies } from '../../src/core/tallies.ts'
import { newId } from '../../src/core/ids.ts'
import { providerOf } from '../../src/mail/replies/providers.ts'
import { sql } from '../../src/storage/sql.ts'
import { world } from '../support/world.ts'

const outcomes = ['delivered', 'deferred', 'bounced', 'filteredspam', 'quarantined', 'failed', 'suppressed'] as const

/** A node that has sent to so many servers, and answered every route in the usual ways. */
async function busyNode(servers: number) {
  const { db, services } = await world()
  const { metrics, showCounts, showRoles } = nodeMetrics(db, services.queueReports)
  const tallies = new Tallies()
  const hosts = ['mx.google.com', 'mx.outlook.com', 'mx.yahoodns.net', 'mx.mail.ru', 'mx.qq.com', 'mx.sfr.fr']
  for (let i = 0; i < servers; i++) {
    const provider = providerOf(hosts[i] ?? `mx${i}.example${i}.org`)
    for (const outcome of outcomes) countAttempt(tallies, { provider, outcome, seconds: i })
  }
  await db.run(sql`
    insert into workers (id, role, name) values (${newId()}, 'worker', 'one')`)
  await db.run(sql`
    insert into destination_states (worker_id, destination, busy, connections, per_minute, on_trial)
    select id, 'mx' || n || '.example', 0, 0, 1, true from workers, generate_series(1, ${servers}::int) n
     union all
    select id, 'google', 0, 0, 1, false from workers`)
  countReceived(tallies)
  showCounts('worker', tallies.news()!)
  showRoles({ api: { up: true, restarts: 0 }, worker: { up: true, restarts: 0 }, inbound: { up: true, restarts: 0 } })
  for (const { method, path } of allRoutes(services, '0')) {
    for (const status of [200, 400, 404, 503]) metrics.request(method, `/api/v1${path}`, status, 10)
  }
  return metrics.text()
}

const seriesIn = (text: string): string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

/** What the process itself shows depends on what it just does. */
const oursIn = (series: readonly string[]): string[] => series.filter((line) => line.startsWith('posthouse_'))

test('ten thousand servers make no more series than a hundred', async () => {
  const few = seriesIn(await busyNode(100))
  const many = seriesIn(await busyNode(10_000))
  expect(many.length).toBeLessThan(2_000)
  expect(oursIn(many)).toHaveLength(oursIn(few).length)
  // A large provider is seen among any number of small sites.
  expect(many).toContain('posthouse_pacing_level{site="google"} 0.5')
  expect(many).toContain('posthouse_paced_sites{level="0.25"} 10000')
})

test('a provider has its own label; who has none counts as other', () => {
  const tallies = new Tallies()
  countAttempt(tallies, { provider: 'google', outcome: 'delivered', seconds: 3 })
  countAttempt(tallies, { provider: undefined, outcome: 'deferred', seconds: 3 })
  countAttempt(tallies, { provider: 'sfr', outcome: 'bounced', seconds: 3 })
  countAttempt(tallies, { provider: 'google', outcome: 'returned', seconds: 3 })
  const text = countedText([tallies.news()!, { posthouse_received_total: 4 }, { posthouse_received_total: 3 }])
  const lines = seriesIn(text)
  expect(lines).toContain('posthouse_attempts_total{provider="google",class="delivered"} 1')
  expect(lines).toContain('posthouse_attempts_total{provider="other",class="deferred"} 1')
  expect(lines).toContain('posthouse_outcomes_total{provider="other",outcome="bounced"} 1')
  expect(lines).toContain('posthouse_received_total 7')
  expect(lines.filter((line) => line.startsWith('posthouse_outcomes_total'))).toHaveLength(2)
  expect(lines).toContain('posthouse_delivery_seconds_bucket{le="2"} 0')
  expect(lines).toContain('posthouse_delivery_seconds_bucket{le="5"} 1')
  expect(lines).toContain('posthouse_delivery_seconds_sum 3')
})

test.each(['prometheus/alerts.yml', 'prometheus/alerts.test.yml', 'grafana/posthouse.json'])(
  'ops/%s asks for metrics that are there',
  async (file) => {
    const text = readFileSync(new URL(`../../ops/${file}`, import.meta.url), 'utf8')
    const asked = new Set(text.match(/\bposthouse_[a-z_]+/g))
    expect(asked.size).toBeGreaterThan(10)
    const shown = new Set((await busyNode(10)).match(/^posthouse_[a-z_]+/gm))
    // Only with the database that comes with us; `tests/processes/node-metrics.test.ts` has it.
    shown.add('posthouse_disk_free_bytes')
    expect([...asked].filter((name) => !shown.has(name))).toEqual([])
  },
)
