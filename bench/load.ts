/**
 * A load generator that costs as little as possible: it shares two cores with what it measures. Each connection sends
 * the next request as soon as the answer to the last one is complete.
 */
import { connect, type Socket } from 'node:net'

interface Asked {
  path: string
  headers?: Record<string, string>
  /** With a body it is a POST. */
  body?: string
}

interface Target {
  port: number
  /** 200 unless given. */
  expected?: number
  connections: number
}

export interface Load extends Asked, Target {
  seconds: number
}

export interface Measured {
  perSecond: number
  p50Ms: number
  p99Ms: number
}

/** The same again and again, for so many seconds. */
export async function measure({ seconds, ...load }: Load): Promise<Measured> {
  const request = requestBytes(load)
  const times: number[] = []
  const started = performance.now()
  const end = started + seconds * 1_000
  await sendEach(load, () => (performance.now() < end ? request : undefined), times)
  const elapsed = (performance.now() - started) / 1_000
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN
  return { perSecond: times.length / elapsed, p50Ms: at(0.5), p99Ms: at(0.99) }
}

export function requestBytes({ path, headers = {}, body }: Asked): Buffer {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ host: 'localhost', ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return Buffer.from(`${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`)
}

/** Until `next` has nothing more to send; adds how long each answer took, in milliseconds. */
export async function sendEach(
  { port, connections, expected = 200 }: Target,
  next: () => Buffer | undefined,
  times: number[] = [],
): Promise<void> {
  await Promise.all(Array.from({ length: connections }, () => oneConnection(port, expected, next, times)))
}

function oneConnection(port: number, expected: number, next: () => Buffer | undefined, times: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let sent = 0
    const send = (): void => {
      const request = next()
      sent = performance.now()
      if (request) socket.write(request)
      else socket.end()
    }
    onAnswers(socket, (status) => {
      if (status !== expected) return void socket.destroy(new Error(`the server answered ${status}`))
      times.push(performance.now() - sent)
      send()
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
