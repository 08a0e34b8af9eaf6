import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { S3Blobs } from '../../src/storage/blobs.ts'
import { S3Bucket } from '../../src/storage/s3.ts'

const MIB = 1024 * 1024
const ADDRESS = 'a'.repeat(64)
const credentials = { accessKeyId: 'TESTKEYID', secretAccessKey: 'tEsT/seCret' }

/** A store that answers as it is told, and how often it was asked. */
async function store(answer: (request: IncomingMessage, response: ServerResponse) => void, timeoutMs = 30_000) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      asked.push(`${request.method} ${request.url}`)
      answer(request, response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = { endpoint, bucket: 'mail', region: 'test', ...credentials }
  const bucket = new S3Bucket(settings, { sleep: async () => {}, timeoutMs })
  return { asked, blobs: new S3Blobs(bucket) }
}

/** Writes for as long as somebody reads. */
const endlessly = (response: ServerResponse, onWritten: (bytes: number) => void): void => {
  const block = Buffer.alloc(MIB, 'x')
  const more = (): void => {
    do onWritten(block.length)
    while (response.write(block))
  }
  response.on('drain', more)
  more()
}

test.each<[string, number, (blobs: S3Blobs) => Promise<unknown>]>([
  ['a blob', 64, (blobs) => blobs.get(ADDRESS)],
  ['a yes', 4, (blobs) => blobs.stage(Buffer.from('x'))],
  ['a list', 4, (blobs) => Array.fromAsync(blobs.list())],
])(
  '%s without an end is not read to its end',
  async (_what, mostMib, ask) => {
    let written = 0
    const { blobs, asked } = await store((_request, response) =>
      endlessly(response, (bytes) => void (written += bytes)),
    )
    await expect(ask(blobs)).rejects.toMatchObject({
      name: 'S3Error',
      message: expect.stringMatching(/more than \d+ bytes/),
    })
    // What is on its way in the buffers of both sides counts too.
    expect(written / MIB / asked.length).toBeLessThan(mostMib + 16)
  },
  60_000,
)

test('nor is one that is small until it is unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(80 * MIB))
  const { blobs } = await store((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  )
  await expect(blobs.get(ADDRESS)).rejects.toThrow(/more than \d+ bytes/)
})

test('an answer that drips is given up when its time is over', async () => {
  const { blobs, asked } = await store((_request, response) => {
    const timer = setInterval(() => response.write('x'), 10)
    response.on('close', () => clearInterval(timer))
  }, 200)
  await expect(blobs.get(ADDRESS)).rejects.toThrow('no answer in time')
  expect(asked).toHaveLength(4)
})

test.each([
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
  'HTTP/1.1 199 x\r\n\r\n',
  '\0',
])('a word that is no answer is an outage: %j', async (raw) => {
  const { blobs } = await store((_request, { socket }) => socket?.end(raw))
  await expect(blobs.stage(Buffer.from('x'))).rejects.toMatchObject({ name: 'S3Error', unavailable: true })
})

test('a list that goes on where it has been is not followed for ever', async () => {
  const page = (keys: readonly string[]): string =>
    `<ListBucketResult><IsTruncated>true</IsTruncated>${keys.map((key) => `<Key>${key}</Key>`).join('')}</ListBucketResult>`
  const { blobs, asked } = await store((_request, response) =>
    asked.length > 20 ? response.destroy() : response.end(page([ADDRESS, 'b'.repeat(64)])),
  )
  await expect(Array.fromAsync(blobs.list())).rejects.toThrow('goes back')
  expect(asked).toHaveLength(2)
})

test('a page that a proxy has for everybody is no yes: what it stands for is stored nowhere', async () => {
  const { blobs, asked } = await store((_request, response) => response.end('<html>Please sign in</html>'))
  await expect(blobs.stage(Buffer.from('x'))).rejects.toMatchObject({ name: 'S3Error', unavailable: true })
  expect(asked).toHaveLength(1)
})
