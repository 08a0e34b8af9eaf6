import { onTestFinished, expect, test } from 'vitest'
import { allJobs } from '../../src/app/jobs.ts'
import { sql } from '../../src/storage/sql.ts'
import { enqueueNamed, runnerOf } from '../jobs/world.ts'
import { moveClock } from '../support/clock.ts'
import { mailWorld, type Email, type MailWorld } from '../support/mail-world.ts'
import { startSink, type SinkOptions } from '../support/sink-mx.ts'

interface Line {
  at: string
  from: 'us' | 'them'
  text: string
}

interface Dialogue {
  lines: Line[]
  peer: { host: string | null; address: string | null; tls: string | null; source: string | null }
  bytes: number
}

interface Explained {
  cause: string
  title: string
  sentence: string
  advice: string
  needsAction: boolean
}

type Explaining = Omit<Email, 'events' | 'recipients'> & {
  events: { id: string; type: string; detail: string; explanation: Explained | null; dialogueId: string | null }[]
  recipients: { email: string; destination: string; explanation: Explained | null }[]
}

const explaining = (email: Email): Explaining => email as unknown as Explaining

const DAY = 86_400

const stored = ({ db }: MailWorld) => db.all(sql<{ lines: string }>`select lines::text from dialogues`)

async function dialogueOf({ api }: MailWorld, email: Email): Promise<Dialogue> {
  const event = explaining(email).events.find(({ dialogueId }) => dialogueId !== null)
  const reply = await api.get<Dialogue>(`emails/${email.id}/dialogues/${event?.dialogueId}`)
  expect(reply.status).toBe(200)
  return reply.body
}

const textsOf = ({ lines }: Dialogue, from: Line['from']): string[] =>
  lines.filter((line) => line.from === from).map(({ text }) => text)

test('a refused email says what that means and what was said', async () => {
  const here = await mailWorld()
  here.sink.options.replies = { 'rcpt ann@sink.test': '550-5.1.1 ann\r\n550 5.1.1 User unknown' }
  const email = await here.becomes(await here.send('ann@sink.test'), 'bounced')
  const explanation = { cause: 'recipient', title: 'No such mailbox', needsAction: true }
  const { events, recipients } = explaining(email)
  expect(events).toMatchObject([{ type: 'email.bounced', explanation, dialogueId: events[0]?.id }])
  expect(recipients).toMatchObject([{ email: 'ann@sink.test', explanation }])

  const dialogue = await dialogueOf(here, email)
  expect(textsOf(dialogue, 'us')).toMatchObject([
    'EHLO posthouse.test',
    expect.stringMatching(/^MAIL FROM:<b\+…@bounce\.posts\.example> SIZE=\d+$/),
    'RCPT TO:<ann@sink.test>',
    'DATA',
  ])
  expect(textsOf(dialogue, 'them')).toEqual(
    expect.arrayContaining(['220 sink ESMTP', '250-sink', '250 2.1.0 ok', '550-5.1.1 ann', '550 5.1.1 User unknown']),
  )
  const at = dialogue.lines.map((line) => Date.parse(line.at))
  expect(at).toEqual(at.toSorted((a, b) => a - b))
  expect(dialogue.peer).toEqual({ host: 'mx.sink.test', address: '127.0.0.1', tls: null, source: '127.0.0.1' })
  expect(dialogue.bytes).toBe(0)
})

test('what waits is explained, and its destination is the one of the queue', async () => {
  const here = await mailWorld()
  const email = await here.becomes(await here.send('greylist-1@sink.test'), 'deferred')
  const { events, recipients } = explaining(email)
  expect(events).toMatchObject([{ explanation: { needsAction: false }, dialogueId: expect.any(String) }])
  const [row] = await here.db.all(sql<{ destination: string }>`select destination from deliveries`)
  expect(recipients).toMatchObject([{ destination: row?.destination, explanation: { needsAction: false } }])
  expect(row?.destination).not.toBe('')
  // Once it is taken there is nothing to explain, and the destination is the one that it went to.
  await here.advance({ minutes: 30 })
  const delivered = explaining(await here.becomes(email.id, 'delivered'))
  expect(delivered.recipients).toMatchObject([{ destination: row?.destination, explanation: null }])
  expect(delivered.events.at(-1)).toMatchObject({ type: 'email.delivered', explanation: null, dialogueId: null })
})

test('of content only the size is kept, and no secret of ours', async () => {
  const here = await mailWorld()
  const secret = 'The code is 481516'
  here.sink.options.replies = { 'dot ann@sink.test': '550 5.7.1 Message rejected as spam' }
  const id = await here.send('ann@sink.test', {
    subject: secret,
    html: `<p>${secret}</p>`.repeat(10_000),
    text: secret,
  })
  const dialogue = await dialogueOf(here, await here.becomes(id, 'filteredspam'))
  expect(dialogue.bytes).toBeGreaterThan(250_000)
  expect(textsOf(dialogue, 'us').slice(-3)).toEqual(['DATA', `(${dialogue.bytes} bytes of content)`, '.'])
  expect(textsOf(dialogue, 'them').at(-1)).toBe('550 5.7.1 Message rejected as spam')
  const kept = JSON.stringify(await stored(here))
  const [, token = ''] = /MAIL FROM:<b\+(.*?)@/.exec(Buffer.concat(here.sink.connections[0]!.chunks).toString()) ?? []
  expect(token.length).toBeGreaterThan(10)
  for (const word of ['481516', '<p>', 'Subject', token]) expect(kept).not.toContain(word)
})

test.each([
  ['PLAIN', 'secret-word', '550 5.1.1 no such user', 'bounced'],
  ['LOGIN', 'secret-word', '550 5.1.1 no such user', 'bounced'],
  ['PLAIN', 'another-word', '', 'deferred'],
  ['LOGIN', 'another-word', '', 'deferred'],
])('nothing of AUTH %s is kept but its name (%s)', async (mechanism, password, reply, status) => {
  const auth = { user: 'us-at-relay', password: 'secret-word', mechanisms: [mechanism] }
  const options: SinkOptions = { auth, replies: { 'rcpt ann@far.example': reply } }
  const relay = await startSink(options)
  onTestFinished(() => relay.stop())
  const url = `smtp://${auth.user}:${password}@127.0.0.1:${relay.port}`
  const here = await mailWorld({ env: { SMTP_RELAY_URL: url } })
  const email = await here.becomes(await here.send('ann@far.example'), status)
  const dialogue = await dialogueOf(here, email)
  expect(textsOf(dialogue, 'us')).toContain('AUTH ***')
  expect(explaining(email).recipients).toMatchObject([{ destination: 'relay' }])
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const kept = JSON.stringify(await stored(here))
  for (const word of [auth.user, password, mechanism === 'PLAIN' ? `\0${auth.user}\0${password}` : '']) {
    if (word !== '') expect(kept).not.toContain(word)
    if (word !== '') expect(kept).not.toContain(base64(word).replace(/=+$/, ''))
  }
})

test.each([
  ['10,000 lines', Array.from({ length: 10_000 }, (_, i) => `550-5.1.1 line ${i}`).join('\r\n')],
  ['lines without an end', `550-5.1.1 ${'€'.repeat(2_000)}\r\n`.repeat(3).trimEnd()],
  ['hundreds of long lines', `550-5.1.1 ${'🐈'.repeat(70)}\r\n`.repeat(150).trimEnd()],
  ['control characters', `550-5.1.1 ${'\u0007\u001b[31m"\\'.repeat(60)}\r\n`.repeat(40).trimEnd()],
])('a server that answers %s fills no table', async (_, words) => {
  const here = await mailWorld()
  here.sink.options.replies = { 'rcpt ann@sink.test': `${words}\r\n550 5.1.1 User unknown` }
  const email = await here.becomes(await here.send('ann@sink.test'), 'bounced')
  const dialogue = await dialogueOf(here, email)
  expect(dialogue.lines.length).toBeLessThanOrEqual(60)
  const [row] = await stored(here)
  expect(Buffer.byteLength(row?.lines ?? '')).toBeLessThanOrEqual(4_096)
  // What was asked is there whatever was answered, and it says how much is missing.
  expect(textsOf(dialogue, 'us')).toContain('RCPT TO:<ann@sink.test>')
  expect(textsOf(dialogue, 'them').some((text) => text.endsWith(' lines are left out)'))).toBe(true)
  // oxlint-disable-next-line no-control-regex -- there must be none
  expect(dialogue.lines.some(({ text }) => /[\u0000-\u001f]/.test(text))).toBe(false)
})

test('a dialogue has nothing of the other mail on its connection', async () => {
  const here = await mailWorld()
  const names = Array.from({ length: 12 }, (_, i) => `${i % 2 === 0 ? '550-5.1.1' : 'ann'}+n${i}x@sink.test`)
  const ids = await Promise.all(names.map((name) => here.send(name)))
  for (const [i, id] of ids.entries()) {
    if (i % 2 === 1) {
      await here.becomes(id, 'delivered')
      continue
    }
    const { lines } = await dialogueOf(here, await here.becomes(id, 'bounced'))
    const named = lines.flatMap(({ text }) => text.match(/n\d+x@sink\.test/g) ?? [])
    expect(new Set(named)).toEqual(new Set([`n${i}x@sink.test`]))
    expect(lines.filter(({ text }) => text.startsWith('RCPT'))).toHaveLength(1)
  }
})

test('of mail that was taken nothing is kept, unless its project is traced', async () => {
  const here = await mailWorld()
  await here.becomes(await here.send('ann@sink.test'), 'delivered')
  expect(await stored(here)).toEqual([])

  const reply = await here.api.post<{ until: string }>(`projects/${here.projectId}/trace`, { minutes: 10 })
  expect(reply).toMatchObject({ status: 200, body: { projectId: here.projectId, until: expect.any(String) } })
  const traced = await here.becomes(await here.send('ann@sink.test'), 'delivered')
  expect(explaining(traced).events).toMatchObject([{ explanation: null, dialogueId: expect.any(String) }])
  const dialogue = await dialogueOf(here, traced)
  expect(textsOf(dialogue, 'them').at(-1)).toBe('250 2.0.0 taken')
  expect(dialogue.bytes).toBeGreaterThan(0)

  await here.advance({ minutes: 11 })
  await here.becomes(await here.send('ann@sink.test'), 'delivered')
  expect(await stored(here)).toHaveLength(1)
})

test.each([{ minutes: 0 }, { minutes: 61 }, { minutes: 1.5 }, {}, { minutes: 5, more: 1 }])(
  'a trace of %o is refused',
  async (body) => {
    const here = await mailWorld({ bare: true, workers: 0 })
    expect((await here.api.post(`projects/${here.projectId}/trace`, body)).status).toBe(400)
  },
)

test('a trace is in the audit log, and an archived project has none', async () => {
  const here = await mailWorld({ bare: true, workers: 0 })
  await here.api.post(`projects/${here.projectId}/trace`, { minutes: 5 })
  const { body } = await here.api.get<{ data: { action: string }[] }>('audit-log')
  expect(body.data.map(({ action }) => action)).toContain('project.traced')
  const other = await here.newProject()
  await here.api.delete(`projects/${other}`)
  const refused = { status: 403, body: { code: 'project_archived' } }
  expect(await here.api.post(`projects/${other}/trace`, { minutes: 5 })).toMatchObject(refused)
})

test('an event that has none, of another email, or of another project is answered like one that never was', async () => {
  const here = await mailWorld()
  const first = await here.becomes(await here.send('550-5.1.1+a@sink.test'), 'bounced')
  const second = await here.becomes(await here.send('550-5.1.1+b@sink.test'), 'bounced')
  const taken = await here.becomes(await here.send('ann@sink.test'), 'delivered')
  const eventOf = (email: Email): string => explaining(email).events[0]?.id ?? ''
  const never = await here.api.get(`emails/${first.id}/dialogues/evt_00000000000000000000000000`)
  expect(never.status).toBe(404)
  const paths = [`${first.id}/dialogues/${eventOf(second)}`, `${taken.id}/dialogues/${eventOf(taken)}`]
  for (const path of paths) expect(await here.api.get(`emails/${path}`)).toMatchObject({ status: 404 })
  const other = await here.newProject()
  const headers = { 'X-Service-Project-ID': other }
  const foreign = await here.api.get(`emails/${first.id}/dialogues/${eventOf(first)}`, { headers })
  expect(foreign.status).toBe(404)
})

test('the simulator says what it would have heard and said', async () => {
  const here = await mailWorld({ bare: true })
  const send = { from: 'sandbox@sandbox.posthouse.test' }
  const email = await here.becomes(await here.send('bounced@simulator.posthouse.test', send), 'bounced')
  expect(explaining(email).recipients).toMatchObject([{ explanation: { title: 'No such mailbox' } }])
  const dialogue = await dialogueOf(here, email)
  expect(dialogue.lines).toMatchObject([
    { from: 'us', text: 'RCPT TO:<bounced@simulator.posthouse.test>' },
    { from: 'them', text: '550 5.1.1 simulated: no such user here' },
  ])
  expect(dialogue.peer).toEqual({ host: null, address: null, tls: null, source: null })
})

test('a host that cannot be reached is explained although it said nothing', async () => {
  const here = await mailWorld({
    zones: { 'away.test': { MX: ['10 mx.away.test'] }, 'mx.away.test': { A: ['127.0.0.9'] } },
  })
  const email = await here.becomes(await here.send('ann@away.test'), 'deferred')
  const title = 'The server could not be reached'
  expect(explaining(email).events).toMatchObject([{ explanation: { cause: 'receiver', title }, dialogueId: null }])
})

test('dialogues are forgotten by month', async () => {
  const here = await mailWorld()
  await here.becomes(await here.send('550-5.1.1+a@sink.test'), 'bounced')
  const run = async (): Promise<void> => {
    await enqueueNamed(here.db, 'events.forget-dialogues')
    await runnerOf(here.db, allJobs(here.db, here.services)).runOnce()
  }
  await run()
  expect(await stored(here)).toHaveLength(1)
  await moveClock(here.db, 65 * DAY)
  await run()
  expect(await stored(here)).toEqual([])
})
