import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { spamScore } from '../../src/mail/parse/spam-score.ts'

const MAIL = Buffer.from('Subject: secret\r\n\r\nFor your eyes only.\r\n')
const SENDER = { address: '192.0.2.1', helo: 'mx.sender.test', envelopeFrom: 'a@sender.test' }
const MIB = 1024 * 1024

/** A filter that answers as it is told, and keeps what it was asked. */
async function filter(answer: (response: ServerResponse) => void) {
  const asked: Buffer[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      asked.push(body)
      answer(response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const score = ({ url }: { url: string }): Promise<number | null> => spamScore(url, MAIL, SENDER)

test('an answer without an end is not read to its end', async () => {
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>()
  let written = 0
  const one = await filter((response) => {
    response.write('{"score": 5, "padding": "')
    const more = (): void => {
      while (response.write('x'.repeat(65_536))) written += 65_536
    }
    response.on('drain', more).on('close', onClosed)
    more()
  })
  expect(await score(one)).toBeNull()
  await closed
  // What is on its way in the buffers of both sides counts too.
  expect(written).toBeLessThan(32 * MIB)
})

test('nor is one that is small until it is unpacked', async () => {
  const bomb = gzipSync(`{"score": 5}${' '.repeat(32 * MIB)}`)
  const one = await filter((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
  expect(await score(one)).toBeNull()
})

test.each([301, 302, 307, 308])('a mail is not handed on where a %i leads', async (status) => {
  const other = await filter((response) => response.end('{"score": 5}'))
  const one = await filter((response) => response.writeHead(status, { location: `${other.url}/checkv2` }).end())
  expect(await score(one)).toBeNull()
  expect(one.asked).toEqual([MAIL])
  expect(other.asked).toEqual([])
})

test.each(['', 'null', '[]', '{"score": "5"}', '{"score": 1e999}', '<html>', '['.repeat(60_000)])(
  'an answer that makes no sense is none (%#)',
  async (body) => {
    expect(await score(await filter((response) => response.end(body)))).toBeNull()
  },
)

test.each([
  ['shorter than it says', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"score": 5}'],
  ['with two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 12\r\nContent-Length: 5\r\n\r\n{"score": 5}'],
  ['of another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n{"score": 5}'],
  ['that is only announced', 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 199 Nothing\r\n\r\n'],
  ['that is no HTTP', '\0\0\0\0'],
])('nor is one %s', async (_what, raw) => {
  expect(await score(await filter(({ socket }) => socket?.end(raw)))).toBeNull()
})
