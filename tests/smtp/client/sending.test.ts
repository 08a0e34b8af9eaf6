import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { mailTo, simple, world } from './world.ts'

test('a mail arrives as it was sent', async () => {
  const { send, sink } = await world()
  const attempt = await send('someone@a.test')
  expect(attempt).toMatchObject({
    result: { kind: 'accepted', reply: { code: 250, enhanced: '2.0.0', text: 'taken' } },
    peer: { host: 'mx.a.test', address: '127.0.0.1', source: '127.0.0.1', tls: undefined },
  })
  expect(attempt.milliseconds).toBeGreaterThanOrEqual(0)
  expect(sink.taken).toMatchObject([{ from: 'sender@client.test', to: 'someone@a.test' }])
  expect(sink.taken[0]!.raw.toString()).toBe(simple)
  expect(sink.connections[0]!.name).toBe('client.test')
})

test('the null sender is sent as such', async () => {
  const { send, sink, wire } = await world()
  await send('someone@a.test', { from: '' })
  expect(sink.taken).toMatchObject([{ from: '' }])
  expect(wire()).toContain('MAIL FROM:<> SIZE=33\r\n')
})

test('MAIL, RCPT and DATA are one write where the server takes pipelining', async () => {
  const { send, sink } = await world()
  await send('someone@a.test')
  const chunks = sink.connections[0]!.chunks.map(String)
  expect(chunks).toEqual([
    'EHLO client.test\r\n',
    'MAIL FROM:<sender@client.test> SIZE=33\r\nRCPT TO:<someone@a.test>\r\nDATA\r\n',
    `${simple}.\r\n`,
  ])
})

test('a mail that follows costs one round trip: its envelope comes with the end of the one before', async () => {
  const { send, sink } = await world()
  const attempts = await Promise.all(['1', '2', '3', '4', '5', '6'].map((n) => send(`${n}@a.test`)))
  expect(attempts.map(({ result }) => result.kind)).toEqual(Array(6).fill('accepted'))
  expect(sink.taken.map(({ to }) => to).toSorted()).toEqual(['1', '2', '3', '4', '5', '6'].map((n) => `${n}@a.test`))
  expect(sink.connections).toHaveLength(2)
  const ahead = sink.connections.flatMap(({ chunks }) =>
    chunks.map(String).filter((text) => text.includes('\r\n.\r\n')),
  )
  const together = ahead.filter((text) => /Good morning\.\r\n\.\r\nMAIL FROM:.*\r\nRCPT TO:.*\r\nDATA\r\n$/.test(text))
  expect(together).toHaveLength(4)
})

test('a server without pipelining is asked one thing at a time', async () => {
  const { send, sink } = await world({ pipelining: false })
  const attempts = await Promise.all(['1', '2', '3', '4'].map((n) => send(`${n}@a.test`)))
  expect(attempts.every(({ result }) => result.kind === 'accepted')).toBe(true)
  for (const { chunks } of sink.connections) {
    for (const chunk of chunks)
      expect(String(chunk)).toMatch(/^((EHLO|MAIL|RCPT|DATA|QUIT).*\r\n|Subject[^]*\r\n\.\r\n)$/)
  }
})

test.each(['500 what?', '502 5.5.1 no'])(
  'a server that says %s to EHLO gets HELO, and no more than that',
  async (old) => {
    const { send, wire, sink } = await world({ old })
    expect((await send('someone@a.test')).result.kind).toBe('accepted')
    expect(wire()).toContain('EHLO client.test\r\nHELO client.test\r\nMAIL FROM:<sender@client.test>\r\n')
    expect(sink.taken).toHaveLength(1)
  },
)

test('a refused recipient does not spoil the session', async () => {
  const { send, sink } = await world()
  const to = ['550-5.1.1@a.test', '1@a.test', '452-4.2.2@a.test', '2@a.test', '554-5.7.1-at-data@a.test', '3@a.test']
  const attempts = await Promise.all(to.map((one) => send(one)))
  expect(attempts.map(({ result }) => result)).toMatchObject([
    { kind: 'refused', stage: 'rcpt', reply: { code: 550, enhanced: '5.1.1', text: 'as ordered' } },
    { kind: 'accepted' },
    { kind: 'refused', stage: 'rcpt', reply: { code: 452 } },
    { kind: 'accepted' },
    { kind: 'refused', stage: 'data', reply: { code: 554 } },
    { kind: 'accepted' },
  ])
  expect(sink.connections).toHaveLength(2)
  expect(sink.taken.map(({ to: one }) => one).toSorted()).toEqual(['1@a.test', '2@a.test', '3@a.test'])
})

test('without pipelining a refused recipient is taken back before the next', async () => {
  const { send, sink, wire } = await world({ pipelining: false })
  expect((await send('550-5.1.1@a.test')).result.kind).toBe('refused')
  expect((await send('1@a.test')).result.kind).toBe('accepted')
  expect((await send('550-at-dot@a.test')).result).toMatchObject({ kind: 'refused', stage: 'dot' })
  expect((await send('2@a.test')).result.kind).toBe('accepted')
  expect(wire().match(/RSET/g)).toHaveLength(1)
  expect(sink.connections).toHaveLength(1)
})

test('a server that waits for content although it refused the recipient gets none', async () => {
  const { send, sink, wire } = await world({ trusting: true })
  expect((await send('550-5.1.1@a.test')).result).toMatchObject({ kind: 'refused', stage: 'rcpt' })
  expect((await send('1@a.test')).result.kind).toBe('accepted')
  expect(wire()).toContain('DATA\r\n.\r\nMAIL FROM')
  expect(sink.taken.map(({ to }) => to)).toEqual(['1@a.test'])
})

test('a refused sender is a refusal at MAIL', async () => {
  const { send, sink } = await world()
  const { result } = await send('someone@a.test', { from: '553-5.1.8-at-mail@client.test' })
  expect(result).toMatchObject({ kind: 'refused', stage: 'mail', reply: { code: 553, enhanced: '5.1.8' } })
  expect((await send('someone@a.test')).result.kind).toBe('accepted')
  expect(sink.connections).toHaveLength(1)
})

test('a mail larger than the server takes is not offered', async () => {
  const { send, wire } = await world({ extensions: ['SIZE 1000'] })
  expect((await send('someone@a.test', { size: 1_001 })).result).toMatchObject({
    kind: 'declined',
    reply: { code: 552, enhanced: '5.3.4' },
  })
  expect(wire()).not.toContain('MAIL')
  expect((await send('someone@a.test', { size: 1_000 })).result.kind).toBe('accepted')
})

test.each(['SIZE', 'SIZE 0'])('%s is no limit', async (offer) => {
  const { send } = await world({ extensions: [offer] })
  expect((await send('someone@a.test', { size: 99_000_000 })).result.kind).toBe('accepted')
})

test('8-bit content is announced, and not sent where it cannot be', async () => {
  const eightBit = { eightBit: true, content: () => [Buffer.from('Subject: x\r\n\r\näöü\r\n')] }
  const able = await world()
  expect((await able.send('someone@a.test', eightBit)).result.kind).toBe('accepted')
  expect(able.wire()).toContain(' BODY=8BITMIME\r\n')
  const unable = await world({ extensions: [] })
  expect((await unable.send('someone@a.test', eightBit)).result).toMatchObject({
    kind: 'declined',
    reply: { enhanced: '5.6.3' },
  })
  expect((await unable.send('someone@a.test')).result.kind).toBe('accepted')
})

test('an address beyond ASCII needs SMTPUTF8', async () => {
  const able = await world()
  expect((await able.send('grüße@a.test')).result.kind).toBe('accepted')
  expect(able.sink.taken[0]).toMatchObject({ to: 'grüße@a.test' })
  expect(able.sink.taken[0]!.mailCommand).toMatch(/ BODY=8BITMIME SMTPUTF8$/)
  await able.send('plain@a.test')
  expect(able.sink.taken[1]!.mailCommand).not.toContain('SMTPUTF8')
  const unable = await world({ extensions: ['8BITMIME'] })
  expect((await unable.send('grüße@a.test')).result).toMatchObject({ kind: 'declined', reply: { enhanced: '5.6.7' } })
})

test('25 MB arrive unchanged', async () => {
  const { send, sink } = await world()
  const line = `${'0123456789'.repeat(7)}\r\n.${'abcdefghij'.repeat(7)}\r\n`
  const content = Buffer.from(line.repeat(Math.ceil(25_000_000 / line.length)))
  async function* pieces() {
    for (let at = 0; at < content.length; at += 1_000_001) yield content.subarray(at, at + 1_000_001)
  }
  const { result } = await send('someone@a.test', { size: content.length, content: pieces })
  expect(result.kind).toBe('accepted')
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  expect(digest(sink.taken[0]!.raw)).toBe(digest(content))
})

test('no line feed leaves us alone, and no dot ends a message early', async () => {
  const { send, sink } = await world()
  const vicious = [
    'a\nb',
    'a\r.\r\nb',
    'x\n.\n',
    '.\n',
    '\n.\r\nMAIL FROM:<x@y>\r\n',
    '\r',
    '..',
    '.',
    '',
    '\r\n.\r\n',
    'é\n',
  ]
  for (const content of vicious) {
    const { result } = await send('someone@a.test', { content: () => [Buffer.from(content)] })
    expect([content, result.kind]).toEqual([content, 'accepted'])
  }
  expect(sink.taken).toHaveLength(vicious.length)
  for (const { chunks } of sink.connections) {
    expect(Buffer.concat(chunks).toString('latin1')).not.toMatch(/(^|[^\r])\n|\r([^\n]|$)/)
  }
  expect(sink.taken.map(({ raw }) => raw.toString()).slice(0, 4)).toEqual([
    'a\r\nb\r\n',
    'a\r\n.\r\nb\r\n',
    'x\r\n.\r\n',
    '.\r\n',
  ])
})

test('what cannot be an address is never sent', async () => {
  const { transport, wire, send } = await world()
  for (const to of ['a b@a.test', 'a\r\nDATA@a.test', 'a>@a.test']) {
    expect((await send(to)).result).toMatchObject({ kind: 'declined', reply: { code: 553, enhanced: '5.1.3' } })
    expect((await transport.send({ ...mailTo('x@a.test'), from: to })).result).toMatchObject({
      reply: { enhanced: '5.1.7' },
    })
  }
  expect(wire()).not.toContain('MAIL')
})

test('letters that turn into CR and LF when they are cut to one byte stay letters', async () => {
  const { send, sink } = await world()
  await send('a\u010d\u010aDATA@a.test')
  expect(sink.taken.map(({ to }) => to)).toEqual(['a\u010d\u010aDATA@a.test'])
})
