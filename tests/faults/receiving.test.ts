import { expect, test } from 'vitest'
import { Caller } from '../smtp/server/caller.ts'
import { eventually } from '../support/eventually.ts'
import { startMailNode, type MailNode } from '../support/mail-node.ts'
import { created } from '../support/world.ts'

interface Attempt {
  to: string
  helo?: string
}

/** What was said to the end of data; undefined when the server was gone before it could say anything. */
async function attempt({ node }: MailNode, { to, helo = 'client.test' }: Attempt): Promise<string | undefined> {
  const caller = await Caller.connect(node.smtpPort).catch(() => undefined)
  if (caller === undefined) return undefined
  try {
    await caller.reply()
    const said = await caller.codes(`EHLO ${helo}`, 'MAIL FROM:<ann@sender.test>', `RCPT TO:<${to}>`, 'DATA')
    if (said !== '250 250 250 354') return undefined
    const answer = await caller.ask(`Subject: for ${to}\r\n\r\nHello.\r\n.`)
    return answer === '' ? undefined : answer
  } finally {
    caller.kill()
  }
}

/** As a mail server does: until it hears yes. */
const insist = (here: MailNode, to: string): Promise<string> =>
  eventually(
    `${to} is taken`,
    async () => {
      const answer = await attempt(here, { to })
      return answer?.startsWith('250 ') === true && answer
    },
    60_000,
  )

const domainOf = async ({ api }: MailNode): Promise<string> =>
  created(await api.post<{ name: string }>('receiving/domains', { type: 'managed' })).name

/** How often each recipient has something, as the API tells it. */
async function ledger({ api }: MailNode): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (let cursor = ''; ;) {
    const { body } = await api.get<{ data: { subject: string }[]; nextCursor: string | null }>(
      `receiving/emails?limit=100${cursor}`,
    )
    for (const { subject } of body.data) counts.set(subject, (counts.get(subject) ?? 0) + 1)
    if (body.nextCursor === null) return counts
    cursor = `&cursor=${body.nextCursor}`
  }
}

test.each(['receive.before-store', 'receive.before-commit', 'receive.after-commit'])(
  'a server that is killed at %s has lost nothing that it said yes to, and stores once what is sent again',
  async (place) => {
    const here = await startMailNode({ POSTHOUSE_FAILPOINTS: `${place}=kill@doomed` })
    const domain = await domainOf(here)
    const recipients = Array.from({ length: 5 }, (_, i) => `user${i}@${domain}`)
    for (const to of recipients) {
      expect(await attempt(here, { to, helo: 'doomed.test' })).toBeUndefined()
      const answer = await insist(here, to)
      // Past the commit it was there already: only the answer was lost.
      expect(answer).toContain(place === 'receive.after-commit' ? 'kept already' : 'kept as')
    }
    const once = new Map(recipients.map((to) => [`for ${to}`, 1]))
    await eventually('all are there', async () => (await ledger(here)).size === once.size)
    expect(await ledger(here)).toEqual(once)
  },
  240_000,
)

test('1,000 messages survive kills of the server and of the worker, each is there once', async () => {
  const here = await startMailNode()
  const domain = await domainOf(here)
  const recipients = Array.from({ length: 1_000 }, (_, i) => `user${i}@${domain}`)
  const waiting = recipients.values()
  const taken = { count: 0 }
  const sender = async (): Promise<void> => {
    for (const to of waiting) {
      await insist(here, to)
      taken.count++
    }
  }
  const sending = Promise.all(Array.from({ length: 10 }, sender))
  for (const [kill, role] of (['inbound', 'worker', 'inbound', 'inbound', 'worker', 'inbound'] as const).entries()) {
    await eventually('mail flows', () => taken.count >= (kill + 1) * 120)
    await here.kill(role)
  }
  await sending
  await eventually('all are read', async () => (await ledger(here)).size === recipients.length, 120_000)
  expect(await ledger(here)).toEqual(new Map(recipients.map((to) => [`for ${to}`, 1])))
}, 300_000)
