/**
 * A mail server that does as it is told. Orders are in the local part of the recipient, or of the sender for what
 * happens at MAIL: `550-5.1.1@`, `421-at-data@`, `drop-after-dot@`, `hang-at-rcpt@`, `greylist-2@`, `tarpit-50@` (or `30s`),
 * `drip-20-at-dot@`, `bigreply-at-dot@`, `endless-at-dot@`, `garbage-at-mail@`. Without a stage it is RCPT.
 * Everything that it took for delivered is in its ledger, byte by byte.
 */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { Certificate } from './certificates.ts'
import { Intake } from './sink-intake.ts'

export interface SinkOptions {
  address?: string
  port?: number
  pipelining?: boolean
  /** Besides PIPELINING, STARTTLS and AUTH. */
  extensions?: readonly string[]
  /** Knows HELO only, and says this to EHLO. */
  old?: string
  tls?: Certificate | 'broken'
  implicitTls?: boolean
  /** Put behind the answer to STARTTLS, in plain text. */
  beforeTls?: string
  auth?: { user: string; password: string; mechanisms: readonly string[] }
  /** Orders for everybody, where the address has none. May be changed at any time. */
  orders?: Partial<Record<Stage, string>>
  /** Word for word, by stage and address: `{ 'rcpt ann@sink.test': '550 5.1.1 who?' }`. */
  replies?: Record<string, string>
  mostConnections?: number
  /** On one connection; then 421. */
  mostMails?: number
  /** Accepts DATA even if no recipient was accepted. */
  trusting?: boolean
}

export interface Taken {
  from: string
  to: string
  /** As it came, without the extra dots. */
  raw: Buffer
  connection: number
  mailCommand: string
  tls: string | undefined
  /** When, by `performance.now()`. */
  at: number
}

export interface SinkConnection {
  name: string
  /** In clear, as the packets came. */
  chunks: Buffer[]
  resumed: boolean
  serverName: string | undefined
  isClosed: boolean
}

export interface Sink {
  address: string
  port: number
  taken: Taken[]
  connections: SinkConnection[]
  options: SinkOptions
  /** Says something that nobody asked for on every connection, and leaves unless it stays. */
  say(words: string, stays?: boolean): void
  stop(): Promise<void>
}

const usual = ['8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES', 'SIZE 52428800']

export async function startSink(options: SinkOptions = {}): Promise<Sink> {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)))
    void new Conversation(socket, sink).hold()
  })
  const { address = '127.0.0.1', port = 0 } = options
  await new Promise<void>((resolve) => void server.listen(port, address, resolve))
  const sink: Sink = {
    address,
    port: (server.address() as AddressInfo).port,
    taken: [],
    connections: [],
    options,
    say: (words, stays = false) => {
      for (const socket of sockets) {
        if (stays) socket.write(words)
        else socket.end(words)
      }
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return sink
}

type Stage = 'greeting' | 'ehlo' | 'tls' | 'mail' | 'rcpt' | 'data' | 'body' | 'dot'

class Conversation {
  readonly #sink: Sink
  readonly #record: SinkConnection
  readonly #number: number
  #socket: Socket
  #intake: Intake
  #tls: string | undefined
  #mail: { command: string; from: string; to: string | undefined } | undefined
  #mails = 0

  constructor(socket: Socket, sink: Sink) {
    this.#sink = sink
    this.#record = { name: '', chunks: [], resumed: false, serverName: undefined, isClosed: false }
    this.#number = sink.connections.push(this.#record) - 1
    this.#socket = socket.on('close', () => (this.#record.isClosed = true))
    this.#intake = new Intake(socket, this.#record.chunks)
  }

  async hold(): Promise<void> {
    const { implicitTls, orders, mostConnections = Infinity } = this.#sink.options
    if (implicitTls && !(await this.#encrypt())) return
    const open = this.#sink.connections.filter(({ isClosed }) => !isClosed).length
    if (open > mostConnections) return this.#bye('421 4.7.0 too many connections')
    await this.#answer('greeting', orders?.greeting, '220 sink ESMTP')
    for (;;) {
      const line = await this.#intake.line()
      if (line === undefined || this.#socket.destroyed) return
      await this.#obey(line)
    }
  }

  #obey(line: string): Promise<void> | void {
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'EHLO' || verb === 'HELO') return this.#hello(verb, line.slice(5))
    if (line.toUpperCase() === 'STARTTLS') return this.#startTls()
    if (verb === 'AUTH') return this.#auth(line)
    if (verb === 'MAIL') return this.#onMail(line)
    if (verb === 'RCPT') return this.#onRcpt(line)
    if (verb === 'DATA') return this.#onData()
    if (verb === 'RSET') this.#mail = undefined
    if (verb === 'QUIT') return this.#bye('221 2.0.0 bye')
    this.#say(verb === 'RSET' || verb === 'NOOP' ? '250 2.0.0 ok' : '500 5.5.2 what?')
  }

  async #hello(verb: string, name: string): Promise<void> {
    const { pipelining = true, extensions = usual, old, tls, auth, orders } = this.#sink.options
    this.#record.name = name
    if (old && verb === 'EHLO') return this.#say(old)
    if (verb === 'HELO') return this.#say('250 sink')
    const offers = [
      'sink',
      ...(pipelining ? ['PIPELINING'] : []),
      ...extensions,
      ...(tls && this.#tls === undefined ? ['STARTTLS'] : []),
      ...(auth ? [`AUTH ${auth.mechanisms.join(' ')}`] : []),
    ]
    const lines = offers.map((offer, at) => `250${at === offers.length - 1 ? ' ' : '-'}${offer}`)
    await this.#answer('ehlo', orders?.ehlo, lines.join('\r\n'))
  }

  async #startTls(): Promise<void> {
    const { orders, beforeTls = '', tls } = this.#sink.options
    if (!tls) return this.#say('502 5.5.1 no TLS here')
    if (orders?.tls) return void (await this.#answer('tls', orders.tls, ''))
    this.#socket.write(`220 2.0.0 go on\r\n${beforeTls}`)
    await this.#encrypt()
  }

  async #encrypt(): Promise<boolean> {
    const { tls } = this.#sink.options
    this.#intake.leave()
    if (tls === 'broken' || tls === undefined) {
      this.#socket.end('this is not a handshake')
      return false
    }
    const socket = new TLSSocket(this.#socket, { isServer: true, secureContext: contextOf(tls) })
    socket.on('error', () => {})
    const isSecure = await new Promise<boolean>((resolve) => {
      socket.once('secure', () => resolve(true)).once('close', () => resolve(false))
    })
    this.#socket = socket
    this.#tls = socket.getProtocol() ?? 'TLS'
    this.#record.resumed = socket.isSessionReused()
    this.#record.serverName = socket.servername || undefined
    this.#intake = new Intake(socket, this.#record.chunks)
    return isSecure
  }

  async #auth(line: string): Promise<void> {
    const { auth } = this.#sink.options
    const decode = (text = '') => Buffer.from(text, 'base64').toString()
    let given: string
    if (/^AUTH PLAIN /i.test(line)) given = decode(line.slice(11))
    else {
      this.#say('334 VXNlcm5hbWU6')
      const user = decode(await this.#intake.line())
      this.#say('334 UGFzc3dvcmQ6')
      given = `\0${user}\0${decode(await this.#intake.line())}`
    }
    const isGood = auth && given === `\0${auth.user}\0${auth.password}`
    this.#say(isGood ? '235 2.7.0 welcome' : '535 5.7.8 who are you?')
  }

  async #onMail(command: string): Promise<void> {
    if (this.#mail) return this.#say('503 5.5.1 one at a time')
    if (this.#mails++ >= (this.#sink.options.mostMails ?? Infinity)) return this.#bye('421 4.7.0 enough for today')
    const from = /<(.*)>/.exec(command)?.[1] ?? ''
    const isFine = await this.#answer('mail', this.#orderFor(from, 'mail'), '250 2.1.0 ok')
    if (isFine) this.#mail = { command, from, to: undefined }
  }

  async #onRcpt(command: string): Promise<void> {
    if (!this.#mail) return this.#say('503 5.5.1 MAIL first')
    const to = /<(.*)>/.exec(command)?.[1] ?? ''
    const isFine = await this.#answer('rcpt', this.#orderFor(to, 'rcpt'), '250 2.1.5 ok')
    if (isFine) this.#mail.to = to
  }

  async #onData(): Promise<void> {
    const mail = this.#mail
    const to = mail?.to
    if (mail === undefined || (to === undefined && !this.#sink.options.trusting))
      return this.#say('503 5.5.1 RCPT first')
    if (!(await this.#answer('data', this.#orderFor(to ?? '', 'data'), '354 go on'))) return
    const early = this.#orderFor(to ?? '', 'body')
    if (early) return void (await this.#answer('body', early, ''))
    const raw = await this.#intake.content()
    this.#mail = undefined
    if (raw === undefined) return
    if (to === undefined) return this.#say('554 5.5.1 nobody to give it to')
    const order = this.#orderFor(to, 'dot')
    const common = { connection: this.#number, mailCommand: mail.command, tls: this.#tls, at: performance.now() }
    // Who drops or goes silent after the dot has the mail all the same: that is the point.
    if (!order || !/^[45]\d\d/.test(order)) this.#sink.taken.push({ from: mail.from, to, raw, ...common })
    await this.#answer('dot', order, '250 2.0.0 taken')
  }

  /** Counted for each stage, so that `greylist-2-at-dot` refuses twice. */
  #orderFor(address: string, stage: Stage): string | undefined {
    const tries = attempts.get(this.#sink) ?? new Map<string, number>()
    attempts.set(this.#sink, tries)
    const name = `${stage} ${address}`
    tries.set(name, (tries.get(name) ?? 0) + 1)
    const { replies, orders } = this.#sink.options
    return replies?.[name] ?? orderIn(address, stage, tries.get(name) ?? 0) ?? orders?.[stage]
  }

  /** True when the usual answer was given. */
  async #answer(stage: Stage, order: string | undefined, usually: string): Promise<boolean> {
    const [, word = '', number = '', unit = ''] = /^([a-z]+)-?(\d*)(s?)/.exec(order ?? '') ?? []
    const ms = Number(number) * (unit === 's' ? 1_000 : 1)
    if (order === undefined) this.#say(usually)
    else if (word === 'drop') this.#socket.destroy()
    else if (word === 'close') this.#socket.end()
    else if (word === 'hang') await new Promise((resolve) => this.#socket.on('close', resolve))
    else if (word === 'garbage') this.#say('HTTP/1.1 400 Bad Request')
    else if (word === 'nonsense') this.#say('299 nonsense\r\n354 nonsense')
    else if (word === 'endless') this.#flood(stage)
    else if (word === 'bigreply') this.#say(`${'250-2.0.0 more to say\r\n'.repeat(1_000)}250 2.0.0 that was all`)
    else if (word === 'drip') await this.#drip(usually, ms)
    else if (word === 'tarpit') await sleep(ms).then(() => this.#say(usually))
    else return this.#refuse(order)
    return order === undefined || ['bigreply', 'drip', 'tarpit'].includes(word)
  }

  #refuse(order: string): boolean {
    const [code = '', enhanced = `${order[0]}.0.0`] = order.split('-')
    const words = /^\d{3} |\r\n/.test(order) ? order : `${code} ${enhanced} as ordered`
    if (words.startsWith('421')) this.#bye(words)
    else this.#say(words)
    return false
  }

  #flood(stage: Stage): void {
    const line = stage === 'dot' ? '250-and on\r\n' : '550-and on\r\n'
    const pour = (): void => {
      while (!this.#socket.destroyed && this.#socket.write(line.repeat(100)));
    }
    this.#socket.on('drain', pour)
    pour()
  }

  async #drip(usually: string, ms: number): Promise<void> {
    for (const letter of `${usually}\r\n`) {
      if (this.#socket.destroyed) return
      this.#socket.write(letter)
      await sleep(ms)
    }
  }

  #say(words: string): void {
    if (!this.#socket.destroyed) this.#socket.write(`${words}\r\n`)
  }

  #bye(words: string): void {
    this.#socket.end(`${words}\r\n`)
  }
}

const attempts = new WeakMap<Sink, Map<string, number>>()
const contexts = new WeakMap<Certificate, ReturnType<typeof createSecureContext>>()

/** One for all connections: tickets are only good where they were given out. */
function contextOf(certificate: Certificate): ReturnType<typeof createSecureContext> {
  const context = contexts.get(certificate) ?? createSecureContext({ ...certificate, minVersion: 'TLSv1.2' })
  contexts.set(certificate, context)
  return context
}

/** What an address orders at this stage. */
function orderIn(address: string, stage: Stage, attempt: number): string | undefined {
  const local = address.slice(0, address.lastIndexOf('@')).replace(/\+.*$/, '')
  const [, order = '', at = 'rcpt'] =
    /^((?:[245]\d\d(?:-\d\.\d+\.\d+)?)|drop|close|hang|garbage|nonsense|endless|bigreply|(?:drip|tarpit|greylist)-\d+s?)(?:-(?:at|after)-(\w+))?$/.exec(
      local,
    ) ?? []
  if (order === '' || at !== stage) return undefined
  const [word, number] = order.split('-')
  if (word !== 'greylist') return order
  return attempt <= Number(number) ? '451-4.7.1' : undefined
}
