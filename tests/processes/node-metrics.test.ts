/** What the processes of a node have done is at `/metrics` of the one that answers requests. */
import nodemailer from 'nodemailer'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startPosthouse } from '../support/posthouse-process.ts'
import { accepted, created } from '../support/world.ts'

test('mail that leaves and mail that comes in is counted, also when the API was started again', async () => {
  const node = await startPosthouse()
  const api = node.api.with(node.keys.project)
  const numbers = async (): Promise<Map<string, number>> => {
    const text = await (await fetch(`${node.url}/metrics`)).text()
    return new Map(
      text
        .split('\n')
        .filter((line) => line.startsWith('posthouse_'))
        .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
    )
  }
  for (const outcome of ['delivered', 'bounced']) {
    const body = {
      from: 'sandbox@sandbox.posthouse.test',
      to: `${outcome}@simulator.posthouse.test`,
      subject: 'Hello',
      text: 'Hi.',
    }
    accepted(await api.post('email/send', body))
  }
  const domain = created(await api.post<{ name: string }>('receiving/domains', { type: 'managed' })).name
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port: node.smtpPort,
    tls: { rejectUnauthorized: false },
  })
  await transport.sendMail({ from: 'ann@sender.test', to: `hello@${domain}`, subject: 'Hello', text: 'Hi.' })

  const areCounted = (shown: Map<string, number>): boolean =>
    shown.get('posthouse_outcomes_total{provider="other",outcome="delivered"}') === 1 &&
    shown.get('posthouse_outcomes_total{provider="other",outcome="bounced"}') === 1 &&
    shown.get('posthouse_delivery_seconds_count') === 1 &&
    shown.get('posthouse_received_total') === 1
  const shown = await eventually('everything is counted', async () => {
    const now = await numbers()
    return areCounted(now) && now
  })
  expect(shown.get('posthouse_queue_depth{lane="transactional"}')).toBe(0)
  expect(shown.get('posthouse_queue_oldest_seconds{lane="broadcast"}')).toBe(0)
  expect(shown.get('posthouse_webhook_lag_seconds')).toBe(0)
  expect(shown.get('posthouse_disk_free_bytes')).toBeGreaterThan(1_000_000)

  process.kill(node.rolePid('api')!, 'SIGKILL')
  await eventually('the new API knows it as well', async () => areCounted(await numbers().catch(() => new Map())))
})
