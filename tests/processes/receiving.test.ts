import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Caller } from '../smtp/server/caller.ts'
import { selfSigned } from '../support/certificates.ts'
import { eventually } from '../support/eventually.ts'
import {
  freePort,
  launchPosthouse,
  PosthouseProcess,
  removeDataDirectory,
  runPosthouse,
  startPosthouse,
  temporaryDirectory,
  testDirectory,
} from '../support/posthouse-process.ts'
import { created } from '../support/world.ts'

const dataDir = temporaryDirectory()
let node: PosthouseProcess

beforeAll(async () => {
  const env = { SMTP_HOSTNAME: 'mx.house.test' }
  node = await new PosthouseProcess(await freePort(), { dataDir, env }).ready()
})
afterAll(async () => {
  await node.cleanUp()
  await removeDataDirectory(dataDir)
})

async function sayHello(port: number): Promise<Caller> {
  const caller = await Caller.connect(port)
  await caller.hello()
  return caller
}

async function deliver(caller: Caller, to: string, content: string): Promise<string> {
  await caller.codes('MAIL FROM:<ann@sender.test>', `RCPT TO:<${to}>`, 'DATA')
  return caller.ask(`${content}\r\n.`)
}

/** The certificate that the server shows. */
async function shown(port: number): Promise<string> {
  const caller = await sayHello(port)
  expect(await caller.ask('STARTTLS')).toMatch(/^220 /)
  await caller.secure()
  const { fingerprint256 } = (caller.socket as TLSSocket).getPeerCertificate()
  expect(await caller.ask('EHLO client.test')).not.toContain('STARTTLS')
  caller.kill()
  return fingerprint256
}

test('mail to postmaster and abuse is kept for the operator, whose terminal obeys nothing in it', async () => {
  const caller = await sayHello(node.smtpPort)
  expect(
    await deliver(caller, 'Postmaster', 'Subject: \x1b]0;owned\x07help\r\n\r\nYour server \x1b[2J is down.'),
  ).toMatch(/^250 /)
  expect(await deliver(caller, 'abuse@mx.house.test', 'From: Bob <bob@x.test>\r\nSubject: spam\r\n\r\nStop.')).toMatch(
    /^250 /,
  )
  expect(await caller.codes('RSET', 'MAIL FROM:<a@b.test>', 'RCPT TO:<sales@mx.house.test>')).toBe('250 250 550')
  caller.kill()
  const list = await eventually('both are read', async () => {
    const { stdout } = await runPosthouse(['mailbox'], { dataDir })
    return stdout.includes('bob@x.test') && stdout.includes('help') && stdout
  })
  expect(list).toMatch(/^ID +RECEIVED +TO +FROM +SUBJECT\n/)
  expect(list).not.toContain('\x1b')
  const [, id] = /^(rcv_\w+) .*Postmaster@mx\.house\.test/m.exec(list)!
  const { stdout } = await runPosthouse(['mailbox', 'show', id!], { dataDir })
  expect(stdout).toContain('Your server \\u001b[2J is down.')
  expect(await runPosthouse(['mailbox', 'show', 'rcv_x'], { dataDir })).toMatchObject({ code: 2 })
})

test('a server that is replaced ends no message in the middle, and refuses no connection', async () => {
  const project = node.api.with(node.keys.project)
  const { name } = created(await project.post<{ name: string }>('receiving/domains', { type: 'managed' }))
  const caller = await sayHello(node.smtpPort)
  await caller.codes('MAIL FROM:<ann@sender.test>', `RCPT TO:<x@${name}>`, 'DATA')
  await caller.send('Subject: long\r\n\r\nfirst half, ')
  const old = node.rolePid('inbound')!
  process.kill(old, 'SIGTERM')
  await eventually('the next one is up', () => node.rolePids('inbound').some((pid) => pid !== old))
  const another = await sayHello(node.smtpPort)
  expect(await another.ask('NOOP')).toMatch(/^250 /)
  another.kill()
  expect(await caller.ask('second half\r\n.')).toMatch(/^250 /)
  caller.kill()
  await eventually('the old one is gone', () => !node.rolePids('inbound').includes(old), 40_000)
  await eventually('it is there', async () => {
    const { body } = await project.get<{ data: { subject: string }[] }>('receiving/emails')
    return body.data.some(({ subject }) => subject === 'long')
  })
})

test('TLS is offered with a certificate that lasts, or with the one that the operator gives', async () => {
  const first = await shown(node.smtpPort)
  const pid = node.rolePid('inbound')!
  process.kill(pid, 'SIGKILL')
  await eventually('another one is up', () => node.rolePids('inbound').some((other) => other !== pid))
  expect(await shown(node.smtpPort)).toBe(first)
  expect(readFileSync(join(dataDir, 'smtp-mx.house.test.pem'), 'utf8')).toContain('PRIVATE KEY')

  const folder = testDirectory()
  const { cert, key } = selfSigned(['mx.given.test'])
  writeFileSync(join(folder, 'cert.pem'), cert)
  writeFileSync(join(folder, 'key.pem'), key)
  const env = { SMTP_TLS_CERT: join(folder, 'cert.pem'), SMTP_TLS_KEY: join(folder, 'key.pem') }
  const given = await startPosthouse({ env })
  expect(await shown(given.smtpPort)).not.toBe(first)
  await given.stop()
  const broken = await launchPosthouse({ env: { ...env, SMTP_TLS_CERT: join(folder, 'nowhere.pem') } })
  expect(await broken.refusal()).toContain('nowhere.pem')
})

test('with less free space than RECEIVING_FREE_BYTES beside the embedded database mail is put off, and the log says so', async () => {
  const full = await startPosthouse({ env: { RECEIVING_FREE_BYTES: String(Number.MAX_SAFE_INTEGER) } })
  const caller = await sayHello(full.smtpPort)
  expect(await caller.ask('MAIL FROM:<ann@sender.test>')).toMatch(/^452 4\.3\.1 /)
  caller.kill()
  await eventually('the log says so', () => full.stderr.includes('disk nearly full, receiving deferred'))
})

test('a port that is taken is named, with the variable that changes it', async () => {
  const second = await launchPosthouse({ env: { SMTP_INBOUND_PORT: String(node.smtpPort) } })
  expect(await second.refusal()).toMatch(/^Port \d+ on 127\.0\.0\.1 is taken .* SMTP_INBOUND_PORT\.\n$/)
})
