import { expect, test } from 'vitest'
import { DiskRoom } from '../../src/app/disk-room.ts'
import { silent } from '../../src/core/log.ts'
import { sql } from '../../src/storage/sql.ts'
import { moveClock } from '../support/clock.ts'
import { receivingWorld, intakeOf, type ReceivingWorld } from '../support/receiving.ts'

const full = '452 4.2.2 This mailbox has received all that it may today, try again later'
const DAY = 86_400

/** A letter of so many bytes, with the line end that the caller adds. */
function letter(bytes: number, subject = 'Hello'): string {
  const head = `From: ann@sender.test\r\nSubject: ${subject}\r\n\r\n`
  return head + `${'x'.repeat(62)}\r\n`.repeat(Math.ceil(bytes / 64)).slice(0, bytes - head.length - 2)
}

test('a project receives so much a day, others are not concerned, and tomorrow is another day', async () => {
  const here = await receivingWorld({ env: { RECEIVED_BYTES_PER_DAY: '10000' } })
  const domain = await here.managedDomain()
  const other = await here.clientWith({ scopes: ['*'], projectId: await here.newProject() })
  const otherDomain = await here.managedDomain(other)
  const to = `help@${domain}`
  expect(await here.deliver(letter(5_000, 'one'), { to })).toMatch(/^250 /)
  expect(await here.deliver(letter(4_999, 'two'), { to })).toMatch(/^250 /)
  // The same again is not stored, and does not count.
  expect(await here.deliver(letter(4_999, 'two'), { to })).toBe('250 2.0.0 Ok: kept already')
  expect(await here.deliver(letter(5_000, 'three'), { to })).toMatch(/^250 /)
  const caller = await here.call()
  await caller.hello()
  expect(await caller.codes('MAIL FROM:<ann@sender.test>')).toBe('250')
  expect(await caller.ask(`RCPT TO:<${to}>`)).toBe(full)
  expect(await caller.codes(`RCPT TO:<ann@${otherDomain}>`, 'DATA')).toBe('250 354')
  expect(await caller.ask(`${letter(20_000)}\r\n.`)).toMatch(/^250 /)
  await moveClock(here.db, DAY)
  expect(await here.deliver(letter(5_000, 'four'), { to })).toMatch(/^250 /)
})

test('senders at the same moment, at two servers, do not pass the limit together', async () => {
  const here = await receivingWorld({ env: { RECEIVED_BYTES_PER_DAY: '20000' } })
  const domain = await here.managedDomain()
  const servers = [intakeOf(here), intakeOf(here)]
  const session = { client: { address: '127.0.0.1' }, helo: 'client.test', isExtended: true, tls: undefined }
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, number) => {
      const to = [{ email: `${number}@${domain}`, local: String(number), domain }]
      return servers[number % 2]!.accept(
        { from: undefined, to, session },
        Buffer.from(letter(1_000, `number ${number}`)),
      )
    }),
  )
  const taken = replies.filter(({ code }) => code === 250)
  expect(taken).toHaveLength(Math.ceil(20_000 / 998))
  expect(replies.filter(({ code }) => code === 452)).toHaveLength(60 - taken.length)
  const rows = await here.db.all(sql`select from received_messages`)
  expect(rows).toHaveLength(taken.length)
})

test('a message for two projects of which one is full is stored for neither, and then for the other one', async () => {
  const here = await receivingWorld({ env: { RECEIVED_BYTES_PER_DAY: '1000' } })
  const other = await here.clientWith({ scopes: ['*'], projectId: await here.newProject() })
  const [first, second] = [`a@${await here.managedDomain()}`, `b@${await here.managedDomain(other)}`]
  const caller = await here.call()
  await caller.hello()
  const both = ['MAIL FROM:<ann@sender.test>', `RCPT TO:<${first}>`, `RCPT TO:<${second}>`, 'DATA']
  expect(await caller.codes(...both)).toBe('250 250 250 354')
  expect(await here.deliver(letter(2_000, 'in between'), { to: first })).toMatch(/^250 /)
  expect(await caller.ask(`${letter(500, 'for both')}\r\n.`)).toBe(full)
  expect(await caller.codes(...both)).toBe('250 452 250 354')
  expect(await caller.ask(`${letter(500, 'for both')}\r\n.`)).toMatch(/^250 2\.0\.0 Ok: kept as /)
  expect((await here.arrived(second, other)).subject).toBe('for both')
})

test('the mailboxes of the operator take little, whether the size is announced or not', async () => {
  const here = await receivingWorld()
  const domain = await here.managedDomain()
  const large = `${letter(1_100_000)}\r\n.`
  const tooLarge = '552 5.3.4 Message is too large for this mailbox'
  const caller = await here.call()
  await caller.hello()
  await caller.ask('MAIL FROM:<ann@sender.test> SIZE=1100000')
  for (const local of ['postmaster', 'abuse']) {
    expect(await caller.ask(`RCPT TO:<${local}@posthouse.test>`)).toBe(tooLarge)
  }
  expect(await caller.codes(`RCPT TO:<ann@${domain}>`, 'DATA')).toBe('250 354')
  expect(await caller.ask(large)).toMatch(/^250 /)
  expect(await caller.codes('MAIL FROM:<ann@sender.test>', 'RCPT TO:<postmaster>', 'DATA')).toBe('250 250 354')
  expect(await caller.ask(large)).toBe('552 5.3.4 Message is too large')
  expect(await here.deliver(letter(1_000_000), { to: 'postmaster@posthouse.test' })).toMatch(/^250 /)
})

const mailboxes = [
  { owner: 'operator', to: 'abuse@posthouse.test', most: 1_000, mostPerNetwork: 100 },
  { owner: 'complaints', to: 'fbl@posthouse.test', most: 10_000, mostPerNetwork: 2_000 },
]

test.each(mailboxes)('the mailbox of $owner takes a number of messages a day', async ({ owner, to, most }) => {
  const here = await receivingWorld()
  expect(await here.deliver(letter(500), { to })).toMatch(/^250 /)
  await here.db.run(sql`update received_daily set messages = ${most - 1} where owner = ${owner} and messages = 1`)
  expect(await here.deliver(letter(500, 'the last one'), { to })).toMatch(/^250 /)
  expect(await answerTo(here, to)).toBe(full)
})

test.each(mailboxes)('nobody uses up the day of $owner alone', async ({ owner, to, mostPerNetwork }) => {
  const here = await receivingWorld()
  expect(await here.deliver(letter(500), { to })).toMatch(/^250 /)
  const used = mostPerNetwork - 1
  await here.db.run(sql`update received_daily set messages = ${used} where owner like ${`${owner} %`} and messages = 1`)
  expect(await here.deliver(letter(500, 'the last one'), { to })).toMatch(/^250 /)
  expect(await answerTo(here, to)).toBe(full)
  const [local = '', domain = ''] = to.split('@')
  const intake = intakeOf(here)
  const from = (address: string) => intake.recipient({ email: to, local, domain }, { client: { address } })
  expect(await from('127.0.0.200')).toMatchObject({ code: 452 })
  expect(await from('::ffff:127.0.0.200')).toMatchObject({ code: 452 })
  for (const address of ['127.0.1.1', '2001:db8::1'])
    expect(await from(address)).toMatchObject({ mostBytes: expect.any(Number) })
})

test('of reports about one mail only some are taken in a day, and none that is large', async () => {
  const here = await receivingWorld({ bare: false })
  const [to, other] = await Promise.all(
    ['ann@sink.test', 'bob@sink.test'].map(async (recipient) => {
      await here.becomes(await here.send(recipient), 'delivered')
      return here.sink.taken.find((one) => one.to === recipient)!.from
    }),
  )
  const caller = await here.call()
  await caller.hello()
  await caller.ask('MAIL FROM:<> SIZE=6000000')
  expect(await caller.ask(`RCPT TO:<${to}>`)).toBe('552 5.3.4 Message is too large for this mailbox')
  for (let i = 0; i < 20; i++)
    expect(await here.deliver(letter(500, `report ${i}`), { from: '', to: to! })).toMatch(/^250 /)
  expect(await answerTo(here, to!)).toBe(full)
  expect(await here.deliver(letter(500), { from: '', to: other! })).toMatch(/^250 /)
  await moveClock(here.db, DAY)
  expect(await here.deliver(letter(500, 'tomorrow'), { from: '', to: to! })).toMatch(/^250 /)
})

async function answerTo(here: ReceivingWorld, to: string): Promise<string> {
  const caller = await here.call()
  await caller.hello()
  await caller.ask('MAIL FROM:<ann@sender.test>')
  return caller.ask(`RCPT TO:<${to}>`)
}

test('what is counted for a day is forgotten when it is over', async () => {
  const here = await receivingWorld()
  await here.deliver(letter(500), { to: `x@${await here.managedDomain()}` })
  await moveClock(here.db, DAY)
  await here.services.receivedEmails.purge(new AbortController().signal)
  expect(await here.db.all(sql`select from received_daily`)).toEqual([])
})

test('a text without quotes and signature is stored once, and shown as both', async () => {
  const here = await receivingWorld()
  const domain = await here.managedDomain()
  await here.mail({ to: `plain@${domain}`, text: 'Is it blue?\n' })
  await here.mail({
    to: `reply@${domain}`,
    text: 'Yes.\n\nOn Mon, 2 Mar 2026 at 10:00, Ann <ann@x.test> wrote:\n> Is it blue?\n',
  })
  expect(await here.arrived(`plain@${domain}`)).toMatchObject({ text: 'Is it blue?\n', strippedText: 'Is it blue?' })
  expect(await here.arrived(`reply@${domain}`)).toMatchObject({ strippedText: 'Yes.' })
  const stored = await here.db.all(sql`select stripped_text as stored from received_messages order by id`)
  expect(stored).toEqual([{ stored: null }, { stored: 'Yes.' }])
})

test('with little room on the disk mail is put off', async () => {
  const here = await receivingWorld({
    env: { RECEIVING_FREE_BYTES: '1000' },
    inbound: { freeBytes: async () => 999 },
  })
  const caller = await here.call()
  await caller.hello()
  expect(await caller.ask('MAIL FROM:<ann@sender.test>')).toBe(
    '452 4.3.1 Not enough storage at the moment, try again later',
  )
})

test('the disk is looked at again and again, and one that cannot be asked about keeps nobody out', async () => {
  let free: number | undefined = 10
  const freeBytes = async (): Promise<number> => {
    if (free === undefined) throw new Error('no such disk')
    return free
  }
  const room = new DiskRoom({ leastBytes: 10, freeBytes, log: silent })
  const seen: boolean[] = []
  for (free of [10, 9, 0, 10, 9, undefined]) {
    await room.look()
    seen.push(room.isThere)
  }
  expect(seen).toEqual([true, false, false, true, false, true])
})
