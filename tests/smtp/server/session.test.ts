import { once } from 'node:events'
import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { inboundWorld } from './world.ts'

test('a session from greeting to good-bye', async () => {
  const { call, delivered } = await inboundWorld()
  const caller = await call()
  expect(await caller.reply()).toBe('220 mx.known.test ESMTP Posthouse')
  expect((await caller.ask('EHLO client.test')).split('\r\n')).toEqual([
    '250-mx.known.test',
    '250-PIPELINING',
    '250-SIZE 31457280',
    '250-8BITMIME',
    '250-SMTPUTF8',
    '250-ENHANCEDSTATUSCODES',
    '250-STARTTLS',
    '250 LIMITS RCPTMAX=100',
  ])
  expect(await caller.ask('MAIL FROM:<Sender@Client.TEST> SIZE=100 BODY=8BITMIME')).toBe('250 2.1.0 Ok')
  expect(await caller.ask('RCPT TO:<Ann@Known.TEST>')).toBe('250 2.1.5 Ok')
  expect(await caller.ask('RCPT TO:<nobody@known.test>')).toBe('550 5.1.1 No such mailbox')
  expect(await caller.ask('RCPT TO:<later@known.test>')).toBe('450 4.2.1 Not now')
  expect(await caller.ask('RCPT TO:<bob@known.test>')).toBe('250 2.1.5 Ok')
  expect(await caller.ask('DATA')).toBe('354 End data with <CR><LF>.<CR><LF>')
  expect(await caller.ask('Subject: hello\r\n\r\n..one dot\r\n...two\r\nn\u00e4h\r\n.')).toBe('250 2.0.0 Taken as 1')
  expect(await caller.ask('QUIT')).toBe('221 2.0.0 Bye')
  expect(await caller.rest()).toBe('')
  expect(delivered).toMatchObject([
    {
      from: { email: 'Sender@client.test', domain: 'client.test' },
      to: [{ email: 'Ann@known.test', local: 'Ann' }, { email: 'bob@known.test' }],
      body: '8BITMIME',
      smtpUtf8: false,
      session: { client: { address: '127.0.0.1' }, helo: 'client.test', isExtended: true, tls: undefined },
      raw: Buffer.from('Subject: hello\r\n\r\n.one dot\r\n..two\r\nn\u00e4h\r\n').toString('latin1'),
    },
  ])
})

test('a session of the old kind has no extensions', async () => {
  const { call, delivered } = await inboundWorld()
  const caller = await call()
  await caller.reply()
  expect(await caller.ask('helo client.test')).toBe('250 mx.known.test')
  expect(await caller.codes('mail from:<>', 'rcpt to:<ann@known.test>', 'data', 'x\r\n.')).toBe('250 250 354 250')
  expect(delivered).toMatchObject([{ from: undefined, raw: 'x\r\n', session: { isExtended: false } }])
})

test('a group of commands is answered in order, and so are two messages in a row', async () => {
  const { call, delivered } = await inboundWorld()
  const caller = await call()
  await caller.hello()
  const group = 'MAIL FROM:<>\r\nRCPT TO:<ann@known.test>\r\nRCPT TO:<ann@other.test>\r\nDATA\r\n'
  await caller.send(group)
  const codes = async (count: number) => {
    const heard: string[] = []
    for (let at = 0; at < count; at++) heard.push((await caller.reply()).slice(0, 3))
    return heard.join(' ')
  }
  expect(await codes(4)).toBe('250 250 550 354')
  await caller.send(`one\r\n.\r\n${group}`)
  expect(await codes(5)).toBe('250 250 250 550 354')
  await caller.send('two\r\n.\r\nNOOP\r\nQUIT\r\n')
  expect(await codes(3)).toBe('250 250 221')
  expect(delivered.map(({ raw }) => raw)).toEqual(['one\r\n', 'two\r\n'])
})

test('a message is acknowledged after delivery has said so, and not before', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const order: string[] = []
  const { call } = await inboundWorld({
    deliver: async () => {
      await promise
      order.push('delivered')
      return { code: 250, enhanced: '2.0.0', text: 'ok' }
    },
  })
  const caller = await call()
  await caller.data()
  await caller.send('x\r\n.\r\n')
  const answered = caller.reply().then(() => order.push('answered'))
  const other = await call()
  // A whole conversation takes place in the meantime.
  await other.hello()
  expect(await other.codes('NOOP', 'QUIT')).toBe('250 221')
  order.push('released')
  resolve()
  await answered
  expect(order).toEqual(['released', 'delivered', 'answered'])
})

test('what delivery refuses is refused, and what breaks is tried again later', async () => {
  let outcome: () => Promise<{ code: number; enhanced: string; text: string }> = async () => {
    throw new Error('database is gone')
  }
  const { call, errors } = await inboundWorld({ deliver: () => outcome() })
  const caller = await call()
  expect(await caller.data()).toBe('250 250 354')
  expect(await caller.ask('x\r\n.')).toBe('451 4.3.0 Local error, try again later')
  expect(errors).toHaveLength(1)
  outcome = async () => ({ code: 550, enhanced: '5.7.1', text: 'no\r\n250 thanks \u00e9' })
  await caller.codes('MAIL FROM:<>', 'RCPT TO:<ann@known.test>', 'DATA')
  expect(await caller.ask('x\r\n.')).toBe('550 5.7.1 no??250 thanks ?')
  expect(await caller.ask('NOOP')).toBe('250 2.0.0 Ok')
})

test('a policy that breaks puts the recipient off', async () => {
  const { call } = await inboundWorld({ policy: { recipient: () => Promise.reject(new Error('no database')) } })
  const caller = await call()
  await caller.hello()
  expect(await caller.codes('MAIL FROM:<>', 'RCPT TO:<ann@known.test>', 'DATA')).toBe('250 451 554')
})

test('a client that goes away within a message leaves nothing', async () => {
  const { call, delivered, listener } = await inboundWorld()
  for (const leave of ['kill', 'end'] as const) {
    const caller = await call()
    await caller.data()
    await caller.send('Subject: half\r\n\r\nand then\r\n')
    caller[leave]()
  }
  await eventually('both are gone', () => listener.connections === 0)
  expect(delivered).toEqual([])
})

test('a client that has said everything still hears every answer', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { call } = await inboundWorld({
    deliver: async () => {
      await promise
      return { code: 250, enhanced: '2.0.0', text: 'ok' }
    },
  })
  const [caller, other] = [await call(), await call()]
  await caller.data()
  await caller.send('x\r\n.\r\nQUIT\r\n')
  caller.end()
  await once(caller.socket, 'finish')
  // By the time of another conversation the end has been noticed.
  await other.hello()
  await other.codes('NOOP', 'NOOP')
  resolve()
  expect(await caller.rest()).toBe('250 2.0.0 ok\r\n221 2.0.0 Bye\r\n')
})

test.each<[line: string | Buffer, answer: string]>([
  ['NOOP whatever', '250 2.0.0'],
  ['noop', '250 2.0.0'],
  ['VRFY ann', '252 2.0.0'],
  ['VRFY', '501 5.5.4'],
  ['HELP', '214 2.0.0'],
  ['EXPN list', '502 5.5.1'],
  ['AUTH PLAIN AGEAYg==', '502 5.5.1'],
  ['BDAT 10 LAST', '502 5.5.1'],
  ['', '500 5.5.2'],
  ['HELLO', '500 5.5.2'],
  ['EHLO', '501 5.5.4'],
  ['EHLO two words', '501 5.5.4'],
  ['DATA now', '501 5.5.4'],
  ['RSET now', '501 5.5.4'],
  ['QUIT now', '501 5.5.4'],
  ['STARTTLS now', '501 5.5.4'],
  ['DATA', '503 5.5.1'],
  ['RCPT TO:<ann@known.test>', '503 5.5.1'],
  ['MAIL FROM:<a@b.test', '501 5.1.7'],
  ['MAIL <a@b.test>', '501 5.5.4'],
  ['MAIL FROM:<a@b.test>SIZE=1', '501 5.1.7'],
  ['MAIL FROM:<a@b.test> SIZE=x', '501 5.5.4'],
  ['MAIL FROM:<a@b.test> SIZE=1 SIZE=1', '501 5.5.4'],
  ['MAIL FROM:<a@b.test> BODY=BINARYMIME', '501 5.5.4'],
  ['MAIL FROM:<a@b.test> SMTPUTF8=yes', '501 5.5.4'],
  ['MAIL FROM:<a@b.test> RET=FULL', '555 5.5.4'],
  ['MAIL FROM:<a@b.test> SIZE=31457281', '552 5.3.4'],
  ['MAIL FROM:<\u00e4@b.test>', '553 5.6.7'],
  ['MAIL FROM:<a@\u00e4.test>', '553 5.6.7'],
  ['MAIL FROM:<\u00e4@b.test> SMTPUTF8', '250 2.1.0'],
  ['MAIL FROM: <a@b.test>', '250 2.1.0'],
  ['MAIL FROM:<@relay.test,@other.test:a@b.test>', '250 2.1.0'],
  ['MAIL FROM:<"a b\\""@b.test>', '250 2.1.0'],
  ['MAIL FROM:a@b.test', '250 2.1.0'],
  ['MAIL FROM: a@b.test SIZE=10', '250 2.1.0'],
  ['MAIL FROM:', '501 5.1.7'],
  ['MAIL FROM:a', '501 5.1.7'],
  ['MAIL FROM:a@b.test>', '501 5.1.7'],
  ['MAIL FROM:a@b.test<c@d.test>', '501 5.1.7'],
  ['MAIL FROM:a@b.test <c@d.test>', '555 5.5.4'],
  ['MAIL FROM:a@b.test,c@d.test', '501 5.1.7'],
  ['MAIL FROM:"a"@b.test', '501 5.1.7'],
  ['MAIL FROM:@c.test:a@b.test', '501 5.1.7'],
  ['MAIL FROM:<root@web_1>', '250 2.1.0'],
  ['MAIL FROM:<a@[192.0.2.1]>', '250 2.1.0'],
  ['MAIL FROM:<a@[IPv6:2001:db8::1]>', '250 2.1.0'],
  ['MAIL FROM:<a@[300.1.1.1]>', '501 5.1.7'],
  ['MAIL FROM:<a..b@b.test>', '501 5.1.7'],
  ['NO\tOP', '500 5.5.2'],
  ['NOOP \0', '500 5.5.2'],
  ['NOOP\r NOOP', '500 5.5.2 Lines'],
  [Buffer.from([0x4e, 0x4f, 0x4f, 0x50, 0x20, 0xff]), '500 5.5.2'],
  ['GET / HTTP/1.1', '421 4.7.0'],
])('%j is answered with %s', async (line, answer) => {
  const { call } = await inboundWorld()
  const caller = await call()
  await caller.hello()
  expect(await caller.ask(line)).toMatch(new RegExp(`^${answer}`))
})

test('commands come in their order', async () => {
  const { call } = await inboundWorld()
  const caller = await call()
  await caller.reply()
  expect(await caller.codes('MAIL FROM:<>', 'EHLO a.test', 'MAIL FROM:<>', 'MAIL FROM:<>', 'DATA')).toBe(
    '503 250 250 503 503',
  )
  expect(await caller.codes('RCPT TO:<nobody@known.test>', 'DATA', 'RSET', 'RCPT TO:<ann@known.test>')).toBe(
    '550 554 250 503',
  )
  expect(await caller.codes('MAIL FROM:<>', 'EHLO a.test', 'RCPT TO:<ann@known.test>')).toBe('250 250 503')
})

test('recipients may be the postmaster, in another script, or named twice', async () => {
  const { call, delivered } = await inboundWorld()
  const caller = await call()
  await caller.hello()
  const to = ['<Postmaster>', '<j\u00f6rg@known.test>', '<ann@known.test>', '<"ann"@KNOWN.test>']
  expect(await caller.codes('MAIL FROM:<> SMTPUTF8', ...to.map((one) => `RCPT TO:${one}`), 'DATA', '.')).toBe(
    '250 250 250 250 250 354 250',
  )
  expect(delivered[0]!.to.map(({ email }) => email)).toEqual([
    'Postmaster@mx.known.test',
    'j\u00f6rg@known.test',
    'ann@known.test',
  ])
  expect(delivered[0]!.raw).toBe('')
})

test('an address in another script needs the extension that was made for it', async () => {
  const { call } = await inboundWorld()
  const caller = await call()
  await caller.hello()
  expect(await caller.codes('MAIL FROM:<>', 'RCPT TO:<j\u00f6rg@known.test>')).toBe('250 553')
})

test('a line that ends with LF alone is answered once and never obeyed', async () => {
  const { call } = await inboundWorld()
  const caller = await call()
  await caller.hello()
  await caller.send('NOOP\nQUIT\nMAIL FROM:<>\r\n')
  expect(await caller.reply()).toMatch(/^500 5\.5\.2 Lines/)
  expect(await caller.reply()).toMatch(/^500 5\.5\.2 Lines/)
  expect(await caller.reply()).toBe('250 2.1.0 Ok')
})

test('content behind a DATA that is refused is never taken for commands', async () => {
  const { call, delivered } = await inboundWorld()
  const caller = await call()
  await caller.hello()
  await caller.send('MAIL FROM:<>\r\nRCPT TO:<x@other.test>\r\nDATA\r\nMAIL FROM:<>\r\nRCPT TO:<ann@known.test>\r\n')
  expect((await caller.rest()).match(/^\d{3}/gm)).toEqual(['250', '550', '554'])
  expect(delivered).toEqual([])
})

test('a recipient who is named again and again is looked up once, and that comes to an end', async () => {
  const asked: string[] = []
  const policy = { recipient: ({ email }: { email: string }) => (asked.push(email), 'accept' as const) }
  const { call } = await inboundWorld({ policy, limits: { idleCommands: 5 } })
  const caller = await call()
  const [ann, bob] = ['RCPT TO:<ann@known.test>', 'RCPT TO:<bob@known.test>']
  expect(await caller.codes('EHLO x', 'MAIL FROM:<>', ann, ann, bob, ann, bob, ann)).toBe(
    '220 250 250 250 250 250 250 250',
  )
  expect(await caller.codes(ann, ann)).toBe('250 421')
  expect(asked).toEqual(['ann@known.test', 'bob@known.test'])
})
