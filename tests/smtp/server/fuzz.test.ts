import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inboundWorld } from './world.ts'
import { runs } from '../../support/runs.ts'

const lenient = { limits: { badCommands: Infinity, badRecipients: Infinity, idleCommands: Infinity } }

const address = fc.constantFrom(
  '<ann@known.test>',
  '<>',
  '<x@other.test>',
  '<"a b"@known.test>',
  'ann',
  '<a@[1.2.3.4]>',
)
const word = fc.oneof(
  fc.constantFrom(
    'EHLO a.test',
    'HELO a.test',
    'RSET',
    'NOOP',
    'VRFY x',
    'HELP',
    'DATA',
    'MAIL',
    'RCPT',
    'AUTH LOGIN',
    '',
  ),
  address.map((one) => `MAIL FROM:${one}`),
  address.map((one) => `RCPT TO:${one}`),
  fc.tuple(fc.constantFrom('MAIL FROM:<', 'RCPT TO:<', 'EHLO ', 'NOOP '), fc.string()).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 80 }),
)
/** A line of its own, whatever is in it. */
const command = word
  .map((line) => line.replaceAll('\n', ''))
  .filter((line) => !/^(quit|get|put|post|connect|options|starttls)\b/i.test(line))

test('every command gets exactly one answer, whatever it is', async () => {
  const { call, errors } = await inboundWorld(lenient)
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 30 }), async (commands) => {
      const caller = await call()
      await caller.reply()
      for (const line of commands) {
        const answer = await caller.ask(line)
        expect(answer).toMatch(/^[2-5]\d\d[ -]/)
        if (answer.startsWith('354')) expect(await caller.ask('x\r\n.')).toMatch(/^250/)
      }
      expect(await caller.ask('QUIT')).toMatch(/^221/)
      expect(await caller.rest()).toBe('')
    }),
    { numRuns: runs(200) },
  )
  expect(errors).toEqual([])
})

test('a group of commands gets as many answers as it has lines', async () => {
  const { call, errors } = await inboundWorld(lenient)
  const noData = command.filter((line) => !/^data/i.test(line))
  await fc.assert(
    fc.asyncProperty(fc.array(noData, { maxLength: 30 }), fc.nat(40), async (commands, at) => {
      const caller = await call()
      await caller.reply()
      const group = Buffer.from([...commands, 'QUIT', ''].join('\r\n'))
      await caller.send(group.subarray(0, at))
      await caller.send(group.subarray(at))
      const answers = (await caller.rest()).match(/^\d{3} /gm)
      expect(answers).toHaveLength(commands.length + 1)
      expect(answers!.at(-1)).toBe('221 ')
    }),
    { numRuns: runs(200) },
  )
  expect(errors).toEqual([])
})

const noise = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  word.map((text) => Buffer.from(`${text}\r\n`)),
  fc.constantFrom('DATA\r\n', '\r\n.\r\n', '\n.\n', '\r', '\n', 'STARTTLS\r\n', '\0', '.', 'QUIT\r\n').map(Buffer.from),
)

test('no noise breaks the server', async () => {
  const { call, errors, delivered } = await inboundWorld()
  await fc.assert(
    fc.asyncProperty(fc.array(noise, { maxLength: 40 }), fc.boolean(), async (pieces, isRude) => {
      const caller = await call()
      await caller.send('EHLO a.test\r\nMAIL FROM:<>\r\nRCPT TO:<ann@known.test>\r\n')
      for (const piece of pieces) await caller.send(piece)
      if (isRude) caller.kill()
      else {
        caller.end()
        // Whatever was said in clear is a row of whole answers; behind STARTTLS may come an alert.
        expect(await caller.rest()).toMatch(/^(\d{3}[ -][ -~]+\r\n)*(220 2\.0\.0 Ready[^]*)?$/)
      }
    }),
    { numRuns: runs(300) },
  )
  const caller = await call()
  expect(await caller.data()).toBe('250 250 354')
  delivered.length = 0
  expect(await caller.ask('still here\r\n.')).toBe('250 2.0.0 Taken as 1')
  expect(errors).toEqual([])
})
