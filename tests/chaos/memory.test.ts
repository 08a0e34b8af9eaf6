import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { Caller } from '../smtp/server/caller.ts'
import { eventually } from '../support/eventually.ts'
import { startInstallation, type Installation } from '../support/mail-node.ts'
import { accepted, created } from '../support/world.ts'
import { watchMemory } from './memory.ts'
import { sitesOf, startRecipients } from './recipients.ts'
import { chaos } from './run.ts'
import { startTarpit } from './tarpit.ts'

const MAX_MEGABYTES = 400
const CONNECTIONS = 1_000
const WORKING_MS = 12_000

chaos('a thousand connections work at the same time, and the processes stay small', async (run) => {
  const recipients = await startRecipients()
  const here = await startInstallation(recipients, { LOG_LEVEL: 'silent' })
  const memory = watchMemory(here.node)
  const connections = run.scaled(CONNECTIONS)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  onTestFinished(() => agent.destroy())
  const until = performance.now() + WORKING_MS
  const statuses: number[] = []
  let mostOpen = 0
  const work = async (nth: number): Promise<void> => {
    for (let i = 0; performance.now() < until; i++) {
      const answer = sendOne(agent, here, `user${nth}.${i}@sink.test`)
      mostOpen = Math.max(mostOpen, Object.values(agent.sockets).flat().length)
      statuses.push(await answer)
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, nth) => work(nth)))
  const { most, words } = memory.stop()
  const taken = statuses.filter((status) => status === 202).length
  run.line(
    '26',
    `${mostOpen} API connections, all working: at most 400 MB per process`,
    `${most.toFixed(0)} MB (${words}) while ${taken} of ${statuses.length} requests were accepted`,
    most <= MAX_MEGABYTES && mostOpen === connections,
  )
  run.hit('mails accepted over crowded connections', taken)
})

/** The worker has 500 mails in hand, of which a fifth is kept for broadcasts and repetitions. */
const [SENDING, RECEIVING] = [400, 500]
const FILE_BYTES = 10 * 1024 * 1024
const RECIPIENTS_EACH = 40
const STUCK_MS = 10_000

chaos(
  'hundreds of servers and clients stop in the middle of a large mail, and the processes stay small',
  async (run) => {
    const tarpit = await startTarpit({ address: '127.0.0.2', answersAfterMs: () => 0 })
    const { sites, zones } = sitesOf(run.scaled(SENDING), 'pit', tarpit.address)
    const here = await startInstallation(tarpit, { LOG_LEVEL: 'silent' }, zones)
    const memory = watchMemory(here.node)
    for (let at = 0; at < sites.length; at += RECIPIENTS_EACH) {
      const to = sites.slice(at, at + RECIPIENTS_EACH).map((site) => `somebody@${site}`)
      accepted(await here.api.post('email/send', largeMail(here.from, to, at)))
    }
    const callers = await Promise.all(await stuckCallers(here, run.scaled(RECEIVING)))
    const isStuck = () => tarpit.heldInData >= sites.length
    await eventually('everybody is stuck', isStuck, 40_000).catch(() => {})
    // Long enough to see what is only collected later.
    await sleep(STUCK_MS)
    const { most, words } = memory.stop()
    const [sending, receiving] = [tarpit.heldInData, callers.filter((isIn) => isIn).length]
    run.line(
      '26',
      `${sending + receiving} SMTP connections stuck in mails of 10 MB (${sending} out, ${receiving} in): at most 400 MB per process`,
      `${most.toFixed(0)} MB (${words})`,
      most <= MAX_MEGABYTES,
    )
    run.hit('mails of 10 MB stuck on their way out', sending)
    run.hit('mails of 10 MB stuck on their way in', receiving)
  },
)

const body = (from: string, to: string | readonly string[]) => ({ from, to, subject: 'Hello', html: '<p>Hello.</p>' })

/** Each of these has a file of its own: nothing is saved by keeping the bytes once. */
const largeMail = (from: string, to: readonly string[], nth: number) => ({
  ...body(from, to),
  attachments: [{ filename: 'large.bin', content: Buffer.alloc(FILE_BYTES, nth + 1).toString('base64') }],
})

/** Its status; 0 when the connection broke. */
const sendOne = (agent: Agent, { node, api, from }: Installation, to: string): Promise<number> =>
  new Promise((resolve) => {
    const headers = { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' }
    const sent = request(`${node.url}/api/v1/email/send`, { agent, method: 'POST', headers }, (response) => {
      response.resume().once('close', () => resolve(response.statusCode ?? 0))
    })
    sent.once('error', () => resolve(0)).end(JSON.stringify(body(from, to)))
  })

/** Each from a network of its own; true for one that was let in and is in the middle of its mail. */
async function stuckCallers({ node, api }: Installation, count: number): Promise<Promise<boolean>[]> {
  const { name } = created(await api.post<{ name: string }>('receiving/domains', { type: 'managed' }))
  const most = `Subject: large\r\n\r\n${`${'x'.repeat(998)}\r\n`.repeat((FILE_BYTES * 0.9) / 1_000)}`
  return Array.from({ length: count }, async (_, nth) => {
    const caller = await Caller.connect(node.smtpPort, `127.0.${1 + (nth % 200)}.1`)
    onTestFinished(() => caller.kill())
    const said = await caller.data(`ann@${name}`)
    void caller.send(most)
    return said.endsWith('354')
  })
}
