/** A provider with an HTTP API, on real sockets: it checks what it is asked, and answers as it is told. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Asked {
  method: string
  url: URL
  authorization: string | undefined
  contentType: string | undefined
  form: URLSearchParams
}

export interface Provider {
  baseUrl: string
  asked: Asked[]
  /** What it does with the next requests. */
  answer: (asked: Asked, response: ServerResponse) => void
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  return (_asked: Asked, response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Takes the request, and hangs up. */
export const hangsUp = (_asked: Asked, response: ServerResponse): void => void response.socket?.destroy()

export async function startProvider(): Promise<Provider> {
  const sockets = new Set<Socket>()
  const provider: Provider = { baseUrl: '', asked: [], answer: json(201, { sid: 'SM1', num_segments: '1' }) }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const asked = read(request, Buffer.concat(chunks))
      provider.asked.push(asked)
      provider.answer(asked, response)
    })
  })
  server.on('connection', (socket) => void sockets.add(socket.on('close', () => sockets.delete(socket))))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  provider.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return provider
}

const read = (request: IncomingMessage, body: Buffer): Asked => ({
  method: request.method ?? '',
  url: new URL(request.url ?? '', 'http://provider.test'),
  authorization: request.headers.authorization,
  contentType: request.headers['content-type'],
  form: new URLSearchParams(body.toString()),
})
