/**
 * A load generator that costs as little as possible: it shares two cores with what it measures. Each connection sends
 * the same bytes again as soon as the answer to the last ones is complete.
 */
import { connect, type Socket } from 'node:net'

export interface Load {
  port: number
  path: string
  headers?: Record<string, string>
  /** With a body it is a POST. */
  body?: string
  /** 200 unless given. */
  expected?: number
  connections: number
  seconds: number
}

export interface Measured {
  perSecond: number
  p50Ms: number
  p99Ms: number
}

export async function measure({ port, connections, seconds, expected = 200, ...asked }: Load): Promise<Measured> {
  const request = requestBytes(asked)
  const times: number[] = []
  const started = performance.now()
  const end = started + seconds * 1_000
  await Promise.all(Array.from({ length: connections }, () => oneConnection(port, request, expected, end, times)))
  const elapsed = (performance.now() - started) / 1_000
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN
  return { perSecond: times.length / elapsed, p50Ms: at(0.5), p99Ms: at(0.99) }
}

function requestBytes({ path, headers = {}, body }: Pick<Load, 'path' | 'headers' | 'body'>): Buffer {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ host: 'localhost', ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return Buffer.from(`${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`)
}

function oneConnection(port: number, request: Buffer, expected: number, end: number, times: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let sent = 0
    const send = (): void => {
      sent = performance.now()
      socket.write(request)
    }
    onAnswers(socket, (status) => {
      if (status !== expected) return void socket.destroy(new Error(`the server answered ${status}`))
      times.push(performance.now() - sent)
      if (performance.now() < end) send()
      else socket.end()
    })
    socket.on('connect', send).on('close', resolve).on('error', reject)
  })
}

/** Calls back with the status of each complete answer; all of ours carry a content-length. */
function onAnswers(socket: Socket, answered: (status: number) => void): void {
  let pending = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    pending += chunk
    const headerEnd = pending.indexOf('\r\n\r\n')
    if (headerEnd < 0) return
    const length = Number(/content-length: (\d+)/i.exec(pending.slice(0, headerEnd))?.[1])
    if (pending.length < headerEnd + 4 + length) return
    const status = Number(pending.slice(9, 12))
    pending = ''
    answered(status)
  })
}
