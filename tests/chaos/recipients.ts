import { createHash } from 'node:crypto'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Zones } from '../support/dns-server.ts'

/** What the recipients' server remembers of one mail that it took. */
export interface Arrival {
  to: string
  /** Of its bytes. */
  hash: string
  at: number
  /** What its sender calls itself. */
  sender: string
}

/** Somebody who is between DATA and the final dot. */
export interface Underway {
  to: string
  sender: string
}

export interface Recipients {
  address: string
  port: number
  arrivals: Arrival[]
  underway: Set<Underway>
  /** Whom it refused, and with which words each time. */
  refused: Map<string, string[]>
  /** Whose content never ended: the sender was cut off within DATA. */
  cut: { to: string; at: number }[]
  /** Connections now, and the most there ever were at one time. */
  open: number
  mostOpen: number
  /** How often everybody got their mail. */
  counts(): Map<string, number>
}

export interface RecipientsOptions {
  address?: string
  port?: number
  /** How long somebody waits for the answer here, in milliseconds; Infinity is for ever. May be changed at any time. */
  linger?: (stage: 'greeting' | 'data' | 'dot') => number
  /** The words with which a recipient is refused who was refused so often before; undefined takes their mail. */
  refuse?: (to: string, before: number) => string | undefined
}

/**
 * The recipients' mail server: a ledger of its own, kept in the moment of the answer, for hundreds of thousands of mails
 * on a machine that has more to do. `tests/support/sink-mx.ts` can do more and remembers every byte.
 */
export async function startRecipients(options: RecipientsOptions = {}) {
  const { address = '127.0.0.1', port = 0 } = options
  const sockets = new Set<Socket>()
  const recipients: Recipients = {
    address,
    port,
    arrivals: [],
    underway: new Set(),
    refused: new Map(),
    cut: [],
    open: 0,
    mostOpen: 0,
    counts: () => {
      const counts = new Map<string, number>()
      for (const { to } of recipients.arrivals) counts.set(to, (counts.get(to) ?? 0) + 1)
      return counts
    },
  }
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    recipients.mostOpen = Math.max(recipients.mostOpen, ++recipients.open)
    socket.on('close', () => {
      sockets.delete(socket)
      recipients.open--
    })
    converse(socket, recipients, options)
  })
  await new Promise<void>((resolve) => void server.listen(port, address, resolve))
  recipients.port = (server.address() as AddressInfo).port
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return recipients
}

function converse(socket: Socket, recipients: Recipients, { linger, refuse }: RecipientsOptions): void {
  let [rest, sender, to] = ['', '', '']
  let isRefused = false
  let underway: Underway | undefined
  const answer = (stage: 'greeting' | 'data' | 'dot', words: string): void => {
    const ms = linger?.(stage) ?? 0
    if (ms === 0) say(words)
    else if (Number.isFinite(ms)) setTimeout(() => say(words), ms).unref()
  }
  const say = (words: string): void => void (socket.writable && socket.write(words))
  const obey = (line: string): void => {
    const word = line.slice(0, 4).toUpperCase()
    if (word === 'EHLO') sender = line.slice(5)
    if (word === 'EHLO') say('250-sink\r\n250 PIPELINING\r\n')
    else if (word === 'RCPT') say(admit(/<(.*)>/.exec(line)?.[1] ?? ''))
    else if (word === 'QUIT') socket.end('221 bye\r\n')
    else if (word !== 'DATA') say('250 ok\r\n')
    else if (isRefused) say('554 no recipient\r\n')
    else {
      recipients.underway.add((underway = { to, sender }))
      answer('data', '354 go on\r\n')
    }
  }
  const admit = (name: string): string => {
    to = name
    const before = recipients.refused.get(to) ?? []
    const words = refuse?.(to, before.length)
    isRefused = words !== undefined
    if (words !== undefined) recipients.refused.set(to, [...before, words])
    return `${words ?? '250 ok'}\r\n`
  }
  const take = (piece: string): void => {
    forget()
    const hash = createHash('sha1').update(piece, 'latin1').digest('base64')
    recipients.arrivals.push({ to, hash, at: performance.now(), sender })
    answer('dot', '250 taken\r\n')
  }
  const forget = (): void => {
    if (underway) recipients.underway.delete(underway)
    underway = undefined
  }
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    rest += chunk
    for (;;) {
      const mark = underway ? '\r\n.\r\n' : '\r\n'
      const end = rest.indexOf(mark)
      if (end < 0) return
      const piece = rest.slice(0, end)
      rest = rest.slice(end + mark.length)
      if (underway) take(piece)
      else obey(piece)
    }
  })
  socket
    .on('error', () => {})
    .on('close', () => {
      if (underway) recipients.cut.push({ to, at: performance.now() })
      forget()
    })
  answer('greeting', '220 sink\r\n')
}

/** Domains with a mail host of their own each, so that each is a site with connections of its own, all at one address. */
export function sitesOf(count: number, name = 'site', address = '127.0.0.1'): { sites: string[]; zones: Zones } {
  const sites = Array.from({ length: count }, (_, i) => `${name}${i}.test`)
  const records = sites.flatMap((site) => [
    [site, { MX: [`10 mx.${site}`] }] as const,
    [`mx.${site}`, { A: [address] }] as const,
  ])
  return { sites, zones: Object.fromEntries(records) }
}
