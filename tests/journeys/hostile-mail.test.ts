import { expect, onTestFinished, test } from 'vitest'
import { eventually, milliseconds, stretched } from '../support/eventually.ts'
import { receivingWorld, type ReceivingWorld } from '../support/receiving.ts'

const filled = (start: string, unit: string, bytes: number): Buffer =>
  Buffer.concat([Buffer.from(start), Buffer.from(unit.repeat(Math.floor(bytes / unit.length)))])

const nested = (levels: number): string =>
  Array.from({ length: levels }, (_, i) => `Content-Type: multipart/mixed; boundary="b${i}"\r\n\r\n--b${i}\r\n`).join(
    '',
  )

const mixed = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n'
const MB = 1024 * 1024

const hostile: [what: string, make: () => Buffer][] = [
  ['a hundred thousand levels', () => Buffer.from(nested(100_000))],
  ['a million parts', () => filled(mixed, '--b\r\n\r\nx\r\n', 11 * MB)],
  ['a header of 2 MB', () => filled('Subject: ', `${'x'.repeat(70)}\r\n `, 2 * MB)],
  ['encoded words without end', () => filled('Subject: ', '=?utf-8?q?=C3?=\r\n ', 2 * MB)],
  ['elements that never close', () => filled('Content-Type: text/html\r\n\r\n', '<div>\r\n', 20 * MB)],
  ['twenty signatures that nobody made', () => filled('', signature, 20 * signature.length)],
]

const signature =
  'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=x.test; s=s; h=from; l=1; bh=YQ==; b=YQ==\r\n'

/** How long a message of a person takes from the end of data until it can be read. */
const usualTime = (here: ReceivingWorld, to: string): Promise<number> =>
  milliseconds(async () => {
    await here.mail({ to, subject: 'lunch?', text: 'At noon?' })
    await here.arrived(to)
  })

test('hostile messages are kept as they came, and other mail flows beside them', async () => {
  const here = await receivingWorld()
  const domain = await here.managedDomain()
  await usualTime(here, `first@${domain}`)
  for (const [at, [what, make]] of hostile.entries()) {
    const bytes = make()
    const to = `hostile${at}@${domain}`
    expect(await here.deliver(bytes, { to }), what).toMatch(/^250 /)
    expect(await usualTime(here, `person${at}@${domain}`), `beside ${what}`).toBeLessThan(stretched(10_000))
    const { id, size } = await here.arrived(to)
    const raw = await fetch(`${here.projectApi.url}/api/v1/receiving/emails/${id}/raw`, {
      headers: { authorization: `Bearer ${here.projectApi.key}` },
    })
    const downloaded = Buffer.from(await raw.arrayBuffer())
    expect(size, what).toBe(downloaded.length)
    // Behind our trace field, with the line end that the client added.
    expect(downloaded.subarray(-bytes.length - 2, -2).equals(bytes), what).toBe(true)
  }
}, 180_000)

test('a message that no reader survives is given up after three of them, and can be had raw', async () => {
  process.env['POSTHOUSE_FAILPOINTS'] = 'reading.parse=spin@poison'
  onTestFinished(() => void delete process.env['POSTHOUSE_FAILPOINTS'])
  const here = await receivingWorld()
  const domain = await here.managedDomain()
  const to = `poisoned@${domain}`
  await here.deliver('Subject: poison\r\n\r\nx', { to })
  expect(await usualTime(here, `person@${domain}`)).toBeLessThan(stretched(10_000))
  const given = await eventually('it is given up', async () => (await here.list(`?to=${to}`))[0])
  expect(given).toMatchObject({ from: null, subject: null, attachmentCount: 0, auth: { spf: null } })
  expect((await here.projectApi.get(`receiving/emails/${given.id}/raw`)).text).toMatch(
    /\r\nSubject: poison\r\n\r\nx\r\n$/,
  )
  expect(here.logs.filter((line) => line.includes('parser thread ended'))).toHaveLength(3)
})
