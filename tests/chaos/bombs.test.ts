import { setTimeout as sleep } from 'node:timers/promises'
import { Caller } from '../smtp/server/caller.ts'
import type { Client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { startInstallation } from '../support/mail-node.ts'
import { created } from '../support/world.ts'
import { sitesOf, startRecipients } from './recipients.ts'
import { chaos, quantile } from './run.ts'
import { newLedger, post, type Ledger } from './senders.ts'

const MAILS = 500
const EVERY_MS = 20
/** By how much the text of one project may delay another project's mail. */
const MAX_MORE_MS = 1_000

/** Nearly found at every place of half a million letters, and never the same text twice. */
const bomb = (name: string): string => `${name}{% assign a = "aaaaaaaaaaaaaaaa" %}
  {% for i in (1..15) %}{% assign a = a | append: a %}{% endfor %}{% assign p = a | slice: 0, 250000 | append: "b" %}
  {{ a | replace_last: p, "" | size }}{% for i in (1..99999) %}{{ a | remove: p | size }}{% endfor %}`

const hostileHtml = '<p>x</p>'.repeat(64_000)

const blankLines = Buffer.alloc(8 * 1024 * 1024, '\n')
const signatures = Array.from(
  { length: 500 },
  (_, at) =>
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=hostile.test; s=k; l=${20_000 + at};\r\n` +
    ' h=from; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=YQ==\r\n',
).join('')

chaos(
  'a project whose templates, html, imports and received mail cost as much as they can delays no other',
  async (run) => {
    const recipients = await startRecipients()
    const { sites, zones } = sitesOf(8)
    const { node, api, from } = await startInstallation(recipients, { LOG_LEVEL: 'silent' }, zones)
    const project = created(await node.api.post<{ id: string }>('projects', { name: 'Hostile' })).id
    const key = created(
      await node.api.post<{ secret: string }>('api-keys', { name: 'x', fullAccess: true, projectId: project }),
    )
    const hostile = api.with(key.secret)
    const ledger = newLedger()

    const delaysOf = async (name: string): Promise<number[]> => {
      const all = Array.from({ length: run.scaled(MAILS) }, (_, i) => `${name}${i}@${sites[i % sites.length]}`)
      await Promise.all(
        all.map(async (to, i) => {
          await sleep(i * EVERY_MS)
          await post({ api: () => api, from, to: [to] }, ledger)
        }),
      )
      await eventually('all are delivered', () => all.every((to) => recipients.counts().has(to)), 60_000).catch(
        () => {},
      )
      return delays(all, ledger, recipients.arrivals)
    }
    const calm = quantile(await delaysOf('calm'), 0.99)
    const attack = startAttack(hostile, node.smtpPort)
    const attacked = await delaysOf('attacked')
    const thrown = await attack.stop()
    const p99 = quantile(attacked, 0.99)
    run.line(
      '47',
      'p99 from acknowledgement to arrival at most 1 s more than without the bombs of another project',
      `${calm.toFixed(0)} ms without, p50 ${quantile(attacked, 0.5).toFixed(0)} ms and p99 ${p99.toFixed(0)} ms with them`,
      p99 - calm <= MAX_MORE_MS,
    )
    for (const [what, times] of Object.entries(thrown)) run.hit(what, times)
  },
)

function delays(all: readonly string[], ledger: Ledger, arrivals: readonly { to: string; at: number }[]): number[] {
  const arrived = new Map(arrivals.map(({ to, at }) => [to, at]))
  return all.map((to) => (arrived.get(to) ?? Infinity) - (ledger.acknowledged.get(to) ?? 0))
}

/** Everything at once and again, until it is stopped. */
function startAttack(hostile: Client, smtpPort: number): { stop(): Promise<Record<string, number>> } {
  const thrown = { templates: 0, html: 0, imports: 0, messages: 0 }
  const progress = { isOver: false }
  const again = async (act: () => Promise<void>): Promise<void> => {
    while (!progress.isOver) await act().catch(() => sleep(50))
  }
  const mail = { from: 'sandbox@sandbox.posthouse.test', to: 'delivered@simulator.posthouse.test', subject: 'x' }
  const templates = again(async () => {
    await hostile.post('email/send', { ...mail, html: bomb(String(thrown.templates)), variables: { a: 1 } })
    thrown.templates++
  })
  const html = again(async () => {
    await hostile.post('email/batch', { emails: Array.from({ length: 40 }, () => ({ ...mail, html: hostileHtml })) })
    thrown.html++
  })
  const imports = again(async () => {
    const audience = created(await hostile.post<{ id: string }>('audiences', { name: `${thrown.imports}` })).id
    const headers = { 'content-type': 'text/csv' }
    await hostile.request('POST', `audiences/${audience}/contacts/import`, { body: blankLines, headers })
    thrown.imports++
    await sleep(1_000)
  })
  const messages = hostile.post<{ name: string }>('receiving/domains', { type: 'managed' }).then(({ body }) =>
    again(async () => {
      await deliver(
        smtpPort,
        `x@${body.name}`,
        `X-Number: ${thrown.messages}\r\n${signatures}From: e@hostile.test\r\n\r\nx`,
      )
      thrown.messages++
    }),
  )
  return {
    stop: async () => {
      progress.isOver = true
      await Promise.all([templates, html, imports, messages])
      return thrown
    },
  }
}

async function deliver(port: number, to: string, message: string): Promise<void> {
  const caller = await Caller.connect(port)
  await caller.hello()
  await caller.codes('MAIL FROM:<e@hostile.test>', `RCPT TO:<${to}>`, 'DATA')
  await caller.send(message)
  await caller.ask('\r\n.')
  caller.end()
}
