import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readMessage } from '../mail/reading.ts'
import { mailWorld } from '../support/mail-world.ts'

const MAX_BYTES = 25 * 1024 * 1024
/** In base64 with its line ends, 57 bytes take 78: this is what just fits into a message, and what does not. */
const ALMOST_TOO_MUCH = 19_150_000
const TOO_MUCH = 19_160_000

test('a file arrives byte for byte, up to the largest that a message may have', async () => {
  const { send, becomes, sink, projectApi, from } = await mailWorld()
  const large = randomBytes(ALMOST_TOO_MUCH)
  const file = { filename: 'large.bin', content: large.toString('base64') }
  const email = await becomes(await send('ann@sink.test', { attachments: [file] }), 'delivered')
  expect(email['attachments']).toMatchObject([{ filename: 'large.bin', size: ALMOST_TOO_MUCH }])
  const { raw } = sink.taken[0]!
  expect(raw.length).toBeGreaterThan(MAX_BYTES - 50_000)
  const [, arrived] = readMessage(raw).parts
  expect(arrived).toMatchObject({
    type: 'application/octet-stream',
    disposition: 'attachment',
    filename: 'large.bin',
  })
  expect(arrived!.content.equals(large)).toBe(true)

  const more = { filename: 'more.bin', content: Buffer.alloc(TOO_MUCH).toString('base64') }
  const refused = await projectApi.post('email/send', {
    from,
    to: 'ann@sink.test',
    subject: 'Too much',
    text: 'x',
    attachments: [more],
  })
  expect(refused.status).toBe(413)
  expect(refused.body).toMatchObject({ code: 'payload_too_large', limitBytes: MAX_BYTES })
})
