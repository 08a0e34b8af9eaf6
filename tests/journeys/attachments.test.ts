import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { readMessage, type ReadPart } from '../mail/reading.ts'
import { mailWorld } from '../support/mail-world.ts'

test('a large message is announced with hardly more than it has, for servers refuse by that', async () => {
  const { send, becomes, sink } = await mailWorld()
  const file = { filename: 'large.bin', content: randomBytes(300_000).toString('base64') }
  await becomes(await send('ann@sink.test', { attachments: [file] }), 'delivered')
  const { raw, mailCommand } = sink.taken[0]!
  const announced = Number(/ SIZE=(\d+)/.exec(mailCommand)?.[1])
  expect(announced).toBeGreaterThanOrEqual(raw.length)
  expect(announced).toBeLessThan(raw.length + 20_000)
})

test('pictures stand beside the html that shows them, other files beside the text', async () => {
  const { send, becomes, sink } = await mailWorld()
  const [picture, notes, invitation] = [
    randomBytes(5_000),
    Buffer.from('ünterlagen\r\n'),
    Buffer.from('BEGIN:VCALENDAR'),
  ]
  const id = await send('ann@sink.test', {
    html: '<p>See <img src="cid:logo@posts.example"></p>',
    attachments: [
      { filename: 'logo.png', content: picture.toString('base64'), contentId: 'logo@posts.example' },
      { filename: 'Prüfung “1”.txt', content: notes.toString('base64') },
      { filename: 'a.ics', content: invitation.toString('base64'), contentType: 'text/calendar; method=REQUEST' },
    ],
  })
  await becomes(id, 'delivered')
  const message = readMessage(sink.taken[0]!.raw)
  expect(shapeOf(message)).toEqual([
    'multipart/mixed',
    ['multipart/alternative', 'text/plain', ['multipart/related', 'text/html', 'image/png']],
    'text/plain',
    'text/calendar',
  ])
  const related = message.parts[0]!.parts[1]!
  expect(related.parts[1]).toMatchObject({
    disposition: 'inline',
    contentId: 'logo@posts.example',
    filename: 'logo.png',
  })
  expect(related.parts[1]!.content.equals(picture)).toBe(true)
  expect(message.parts[1]).toMatchObject({ filename: 'Prüfung “1”.txt', content: notes, disposition: 'attachment' })
  expect(message.parts[2]).toMatchObject({ parameters: { method: 'REQUEST' }, content: invitation })
})

test('the same bytes are stored once, however often and under whatever names they are sent', async () => {
  const { send, becomes, sink, db } = await mailWorld()
  const content = randomBytes(20_000)
  const attach = (...names: string[]) => ({
    attachments: names.map((filename) => ({ filename, content: content.toString('base64') })),
  })
  const ids = await Promise.all([
    send('ann@sink.test', attach('a.bin', 'b.bin')),
    send('bob@sink.test', attach('c.bin')),
  ])
  await Promise.all(ids.map((id) => becomes(id, 'delivered')))
  expect(await db.one(sql`select count(*) as blobs, sum(size) as bytes from blobs`)).toMatchObject({ blobs: 1 })
  const arrived = sink.taken.flatMap(({ raw }) => readMessage(raw).parts.slice(1))
  expect(arrived.map(({ filename }) => filename).toSorted()).toEqual(['a.bin', 'b.bin', 'c.bin'])
  for (const part of arrived) expect(part.content.equals(content)).toBe(true)
})

type Shape = string | [string, ...Shape[]]

const shapeOf = ({ type, parts }: ReadPart): Shape => (parts.length === 0 ? type : [type, ...parts.map(shapeOf)])
