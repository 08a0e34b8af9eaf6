import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { freePort, PosthouseProcess } from '../support/posthouse-process.ts'

const MEGABYTE = 2 ** 20
/** What the kernels on both ends may hold although nobody has read it. */
const KERNEL_BUFFERS = 8 * MEGABYTE
const PIECE = Buffer.alloc(64 * 1024, 'a')

let database: TestDatabase
let node: PosthouseProcess

beforeAll(async () => {
  database = await freshDatabase()
  const env = { DATABASE_URL: database.url, RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'silent' }
  node = await new PosthouseProcess(await freePort(), { env }).ready()
})
afterAll(async () => {
  await node.cleanUp()
  await database.drop()
})

interface Attack {
  answer: string
  /** Bytes of the body that were taken off our hands until then. */
  sent: number
}

/** Sends a body without end until it is answered. */
function pour(header: string, piece: Buffer): Promise<Attack> {
  const socket = connect(node.port, '127.0.0.1')
  const attack: Attack = { answer: '', sent: 0 }
  socket.setEncoding('latin1').on('data', (text: string) => (attack.answer += text))
  socket.write(
    `POST /api/v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${node.keys.workspace}\r\n` +
      `Content-Type: application/json\r\n${header}\r\n\r\n`,
  )
  const more = (): boolean =>
    socket.write(piece, (error) => {
      if (error || attack.answer !== '') return
      attack.sent += piece.length
      // Not at once: as long as the kernel takes what we write, we would never get to hear an answer.
      setImmediate(more)
    })
  more()
  return new Promise((resolve) => {
    socket.on('error', () => {})
    socket.on('close', () => resolve(attack))
  })
}

const chunk = Buffer.concat([Buffer.from(`${PIECE.length.toString(16)}\r\n`), PIECE, Buffer.from('\r\n')])

const memory = async (): Promise<number> => {
  const text = await (await fetch(`${node.url}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1])
}

function expectRefused({ answer, sent }: Attack): void {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 413 /)
  expect(head).toMatch(/^connection: close$/im)
  expect(JSON.parse(body)).toEqual({
    error: expect.any(String),
    code: 'payload_too_large',
    requestId: expect.stringMatching(/^req_/),
    limitBytes: expect.any(Number),
  })
  expect(sent).toBeLessThan(MEGABYTE + KERNEL_BUFFERS)
}

test.each([
  ['announced gigabytes', 'Content-Length: 1073741824', PIECE],
  ['chunks without end', 'Transfer-Encoding: chunked', chunk],
])('a hundred bodies of %s are refused before a megabyte of any is kept', async (_, header, piece) => {
  const attack = (times: number) => Promise.all(Array.from({ length: times }, () => pour(header, piece)))
  // A process that has just started grows with its first requests, whatever they are.
  await attack(20)
  const before = await memory()
  const attacks = await attack(100)
  for (const each of attacks) expectRefused(each)
  // A megabyte of each, should they all come at the same time, and not the gigabyte that each would send.
  expect((await memory()) - before).toBeLessThan(120 * MEGABYTE)
  expect((await node.api.get('projects')).status).toBe(200)
})
