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
}

export interface Recipients {
  address: string
  port: number
  arrivals: Arrival[]
  /** Whose content had begun and never ended: the sender was cut off within DATA. */
  cutInData: string[]
  /** Connections now, and the most there ever were at one time. */
  open: number
  mostOpen: number
  /** How often everybody got their mail. */
  counts(): Map<string, number>
}

export interface RecipientsOptions {
  address?: string
  port?: number
  /** What is done with somebody who has come this far; undefined goes on. Hanging up is theirs. */
  linger?: (stage: 'greeting' | 'dot') => number | undefined
}

/**
 * The recipients' mail server: a ledger of its own, kept in the moment of the answer, for hundreds of thousands of mails
 * on a machine that has more to do. `tests/support/sink-mx.ts` can do more and remembers every byte.
 */
export async function startRecipients({ address = '127.0.0.1', port = 0, linger }: RecipientsOptions = {}) {
  const sockets = new Set<Socket>()
  const recipients: Recipients = {
    address,
    port,
    arrivals: [],
    cutInData: [],
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
    converse(socket, recipients, linger)
  })
  await new Promise<void>((resolve) => void server.listen(port, address, resolve))
  recipients.port = (server.address() as AddressInfo).port
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return recipients
}

function converse(socket: Socket, recipients: Recipients, linger: RecipientsOptions['linger']): void {
  let [rest, to, isData] = ['', '', false]
  const say = (words: string): void => void (socket.writable && socket.write(words))
  const after = (ms: number | undefined, words: string): void => {
    if (ms === undefined) say(words)
    else if (Number.isFinite(ms)) setTimeout(() => say(words), ms).unref()
  }
  const obey = (line: string): void => {
    const word = line.slice(0, 4).toUpperCase()
    if (word === 'RCPT') to = /<(.*)>/.exec(line)?.[1] ?? ''
    isData = word === 'DATA'
    if (word === 'EHLO') say('250-sink\r\n250 PIPELINING\r\n')
    else if (word === 'DATA') say('354 go on\r\n')
    else if (word === 'QUIT') socket.end('221 bye\r\n')
    else say('250 ok\r\n')
  }
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    rest += chunk
    for (;;) {
      const end = rest.indexOf(isData ? '\r\n.\r\n' : '\r\n')
      if (end < 0) return
      const piece = rest.slice(0, end)
      rest = rest.slice(end + (isData ? 5 : 2))
      if (!isData) obey(piece)
      else {
        isData = false
        const hash = createHash('sha1').update(piece, 'latin1').digest('base64')
        recipients.arrivals.push({ to, hash, at: performance.now() })
        after(linger?.('dot'), '250 taken\r\n')
      }
    }
  })
  socket.on('error', () => {}).on('close', () => void (isData && recipients.cutInData.push(to)))
  after(linger?.('greeting'), '220 sink\r\n')
}

/** Domains of their own, all at this server: a site each, with connections of its own. */
export function sitesOf(count: number): { sites: string[]; zones: Zones } {
  const sites = Array.from({ length: count }, (_, i) => `site${i}.test`)
  return { sites, zones: Object.fromEntries(sites.map((site) => [site, { MX: ['10 mx.sink.test'] }])) }
}
