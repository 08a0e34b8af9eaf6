import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ContentReader } from '../../../src/smtp/server/content.ts'
import { usualLimits } from '../../../src/smtp/server/limits.ts'
import { Memory } from '../../../src/smtp/server/memory.ts'
import { inboundWorld } from './world.ts'

/** What some server or other has taken for the end of a message, and whether it is a message with us all the same. */
const variants: [end: string, answer: '250' | '550'][] = [
  ['\n.\n', '550'],
  ['\n.\r\n', '550'],
  ['\n.\r', '550'],
  ['\r.\r', '550'],
  ['\r.\n', '550'],
  ['\r.\r\n', '550'],
  ['\r\n.\n', '550'],
  ['\r\n.\r', '550'],
  ['\r\n.\r\r\n', '550'],
  ['\r\n.\n\r\n', '550'],
  ['\r\r\n.\r\n', '550'],
  ['\n\r\n.\r\n', '550'],
  ['\r\n\r.\r\n', '550'],
  ['\r\n\n.\r\n', '550'],
  ['\n\n.\n\n', '550'],
  ['\r\n\0.\r\n', '550'],
  ['\r\n.\0\r\n', '550'],
  ['\0\n.\r\n', '550'],
  ['\r\n.\r\0\n', '550'],
  ['\r\n..\r\n', '250'],
  ['\r\n. \r\n', '250'],
  ['\r\n .\r\n', '250'],
  ['\r\n.\t\r\n', '250'],
  ['\r\n.\u0085\r\n', '250'],
  ['\u2028.\u2028', '250'],
  ['\r\n=2E\r\n', '250'],
]

const smuggled = [
  'MAIL FROM:<evil@client.test>',
  'RCPT TO:<bob@known.test>',
  'DATA',
  'Subject: smuggled',
  '',
  'x',
].join('\r\n')

test.each(variants)('%j ends nothing: one answer, %s, and never two messages', async (end, answer) => {
  for (const pieces of [whole, octets]) {
    const { call, delivered } = await inboundWorld()
    const caller = await call()
    expect(await caller.data()).toBe('250 250 354')
    for (const piece of pieces(Buffer.from(`Subject: one\r\n\r\nfirst${end}${smuggled}\r\n.\r\nQUIT\r\n`))) {
      await caller.send(piece)
    }
    const replies = (await caller.rest()).split('\r\n').filter(Boolean)
    expect(replies[0]).toMatch(new RegExp(`^${answer} `))
    // A message that two servers may read differently ends the connection; no command behind it is obeyed.
    if (replies.length > 1) expect(replies.slice(1)).toEqual(['221 2.0.0 Bye'])
    expect(delivered).toHaveLength(answer === '250' ? 1 : 0)
    for (const { raw, to } of delivered) {
      expect(raw).toContain('Subject: smuggled')
      expect(to).toMatchObject([{ email: 'ann@known.test' }])
    }
  }
})

const whole = (bytes: Buffer): Buffer[] => [bytes]
const octets = (bytes: Buffer): Buffer[] => [...bytes].map((octet) => Buffer.from([octet]))

test('an empty message ends with a dot at once', async () => {
  const { call, delivered } = await inboundWorld()
  const caller = await call()
  await caller.data()
  expect(await caller.ask('.')).toMatch(/^250 /)
  expect(delivered).toMatchObject([{ raw: '' }])
})

const morsel = fc.constantFrom('\r', '\n', '.', '\r\n', '\r\n.', '\r\n.\r\n', '.\r\n', '\0', 'a', 'word')

test('content means the same in whatever pieces it comes', () => {
  fc.assert(
    fc.property(fc.array(morsel, { maxLength: 20 }), fc.array(fc.nat(8), { minLength: 1 }), (morsels, lengths) => {
      const wire = Buffer.from(morsels.join(''))
      expect(read(cut(wire, lengths))).toEqual(meaning(wire.toString()))
    }),
    { numRuns: 5_000 },
  )
})

/** The same, said in the plainest way. */
function meaning(wire: string): object {
  const end = `\r\n${wire}`.indexOf('\r\n.\r\n')
  if (end === -1) return { rest: undefined }
  const stuffed = wire.slice(0, end)
  const rest = wire.slice(end + 3)
  if (/\0/.test(stuffed) || /\n/.test(stuffed.replaceAll('\r\n', '')) || /\r/.test(stuffed.replaceAll('\r\n', ''))) {
    return { rest, refused: true }
  }
  return { rest, content: `\r\n${stuffed}`.replaceAll('\r\n.', '\r\n').slice(2) }
}

function read(pieces: readonly Buffer[]): object {
  const reader = new ContentReader(usualLimits, new Memory(usualLimits.largeMessagesBytes))
  for (const [at, piece] of pieces.entries()) {
    const rest = reader.take(piece)
    if (rest === undefined) continue
    const content = reader.finish()
    const all = Buffer.concat([rest, ...pieces.slice(at + 1)]).toString()
    return Buffer.isBuffer(content) ? { rest: all, content: content.toString() } : { rest: all, refused: true }
  }
  return { rest: undefined }
}

function cut(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = []
  for (let from = 0, at = 0; from < bytes.length; at++) {
    const length = 1 + lengths[at % lengths.length]!
    pieces.push(bytes.subarray(from, from + length))
    from += length
  }
  return pieces
}
