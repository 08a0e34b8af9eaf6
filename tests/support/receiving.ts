import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import nodemailer, { type SendMailOptions } from 'nodemailer'
import { onTestFinished } from 'vitest'
import { startInbound, type InboundCircumstances } from '../../src/app/inbound.ts'
import { createLogger } from '../../src/process/logger.ts'
import { systemClock } from '../../src/core/clock.ts'
import { silent } from '../../src/core/log.ts'
import { Intake } from '../../src/resources/receiving/intake/index.ts'
import { sql } from '../../src/storage/sql.ts'
import { Caller } from '../smtp/server/caller.ts'
import type { Client } from './client.ts'
import { eventually } from './eventually.ts'
import { mailWorld, type MailWorld, type MailWorldOptions } from './mail-world.ts'
import { created, type World } from './world.ts'

export interface Received {
  id: string
  domainId: string
  from: { email: string; name: string } | null
  to: { email: string; name: string }[]
  subject: string | null
  messageIdHeader: string | null
  receivedAt: string
  size: number
  attachmentCount: number
  auth: Record<'spf' | 'dkim' | 'dmarc' | 'arc', string | null>
  spam: number | null
  cc: { email: string; name: string }[]
  replyTo: { email: string; name: string }[]
  envelope: { from: string | null; to: string }
  transport: {
    remoteAddress: string
    helo: string
    tls: { version: string; cipher: string } | null
    receivedAt: string
  }
  headers: { name: string; value: string }[]
  html: string | null
  text: string | null
  strippedText: string | null
  inReplyTo: string | null
  references: string[]
}

export interface ReceivedFile {
  id: string
  filename: string | null
  contentType: string
  size: number
  contentId: string | null
  disposition: string
  sha256: string
}

export interface ReceivingWorld extends MailWorld {
  smtpPort: number
  /** A client that says what it is told to, and is gone when the test is. */
  call(): Promise<Caller>
  /** By nodemailer. */
  mail(message: SendMailOptions): Promise<{ response: string; rejected: string[] }>
  /** Whatever the bytes, which need their line ends; answers what was said to the end of data. */
  deliver(raw: string | Buffer, envelope: { from?: string; to: string }): Promise<string>
  /** A managed domain of the first project, or of whoever the client is. */
  managedDomain(client?: Client): Promise<string>
  list(query?: string, client?: Client): Promise<Received[]>
  /** The newest one for this recipient, once it is there. */
  arrived(to: string, client?: Client, withinMs?: number): Promise<Received>
}

export type ReceivingOptions = MailWorldOptions & { inbound?: InboundCircumstances }

/** An installation that receives: an API, a worker and a mail server on loopback. */
export async function receivingWorld({ inbound = {}, ...options }: ReceivingOptions = {}): Promise<ReceivingWorld> {
  const here = await mailWorld({ bare: true, ...options })
  const { projectApi } = here
  const smtpPort = await startSmtp(here, inbound)
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port: smtpPort,
    name: 'client.test',
    tls: { rejectUnauthorized: false },
  })
  const call = async (): Promise<Caller> => {
    const caller = await Caller.connect(smtpPort)
    onTestFinished(() => caller.kill())
    return caller
  }
  const list = async (query = '', client = projectApi): Promise<Received[]> =>
    (await client.get<{ data: Received[] }>(`receiving/emails${query}`)).body.data
  return {
    ...here,
    smtpPort,
    call,
    mail: async (message) => {
      const { response, rejected } = await transport.sendMail({ from: 'ann@sender.test', ...message })
      return { response, rejected: rejected as string[] }
    },
    deliver: async (raw, { from = 'ann@sender.test', to }) => {
      const caller = await call()
      await caller.hello()
      const said = await caller.codes(`MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA')
      if (said !== '250 250 354') throw new Error(`not taken: ${said}`)
      await caller.send(raw)
      const answer = await caller.ask('\r\n.')
      caller.end()
      return answer
    },
    managedDomain: async (client = projectApi) =>
      created(await client.post<{ name: string }>('receiving/domains', { type: 'managed' })).name,
    list,
    arrived: (to, client, withinMs) =>
      eventually(
        `something arrives for ${to}`,
        async () => {
          const [newest] = await list(`?to=${encodeURIComponent(to)}`, client)
          return newest && (await (client ?? projectApi).get<Received>(`receiving/emails/${newest.id}`)).body
        },
        withinMs,
      ),
  }
}

async function startSmtp({ config, databaseUrl, logs }: MailWorld, inbound: InboundCircumstances): Promise<number> {
  const logger = createLogger('inbound', 'debug', { write: (line) => void logs.push(line) })
  const dataDir = mkdtempSync(join(tmpdir(), 'posthouse-test-'))
  const listen = { host: '127.0.0.1', port: 0 }
  const server = await startInbound({ ...config, dataDir }, databaseUrl, logger, { listen, ...inbound })
  onTestFinished(async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return server.port
}

/** What the receiving server has behind it, without the server. */
export const intakeOf = ({ services: { config, vault }, db }: Pick<World, 'services' | 'db'>): Intake =>
  new Intake({
    db,
    blobs: vault.blobs,
    hostname: config.smtpHostname,
    tokenKeys: () => vault.mailTokenKeys,
    bytesPerDay: config.receivedBytesPerDay || Infinity,
    clock: systemClock,
    log: silent,
  })

/** Puts a letter with a file there, or the bytes that are given, as a session of SMTP would. */
export async function hand(
  intake: Intake,
  to: string,
  letter: string | Buffer = 'Least',
  { from }: { from?: string } = {},
): Promise<void> {
  const session = { client: { address: '127.0.0.1' }, helo: 'client.test', isExtended: true, tls: undefined }
  const content =
    typeof letter === 'string' ? Buffer.from(letterWithFile.join('\r\n').replace('Least', letter)) : letter
  const { code } = await intake.accept(
    { from: from === undefined ? undefined : mailboxOf(from), to: [mailboxOf(to)], session },
    content,
  )
  if (code !== 250) throw new Error(`not taken: ${code}`)
}

function mailboxOf(email: string): { email: string; local: string; domain: string } {
  const [local = '', domain = ''] = email.split('@')
  return { email, local, domain }
}

/** Without a mail server and a worker: a letter with a file for this address, read at once. */
export async function receiveAtOnce(
  world: Pick<World, 'services' | 'db'>,
  to: string,
  subject?: string,
): Promise<void> {
  await hand(intakeOf(world), to, subject)
  const unread = await world.db.all(sql<{ id: string }>`select id from received_messages where state = 'unread'`)
  await world.services.receivedProcessor.processAll(unread.map(({ id }) => id))
}

const letterWithFile = [
  'From: person0@example.com',
  'Subject: Least',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  '',
  'Least.',
  '--b',
  'Content-Type: text/plain; name=least.txt',
  'Content-Disposition: attachment',
  '',
  'Least.',
  '--b--',
]
