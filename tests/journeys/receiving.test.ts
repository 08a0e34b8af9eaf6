import { createHash, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { receivingWorld, type Received, type ReceivedFile, type ReceivingWorld } from '../support/receiving.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { created } from '../support/world.ts'

test('a message comes in, is read, and its webhook is told once', async () => {
  const here = await receivingWorld({ env: { WEBHOOK_ALLOW_HTTP: 'true' } })
  const { projectApi, mail, arrived } = here
  const domain = await here.managedDomain()
  const receiver = await startReceiver()
  created(await projectApi.post('webhooks', { url: receiver.url }))
  const png = Buffer.from('89504e470d0a1a0a00', 'hex')
  const { response } = await mail({
    from: 'Jörg Müller <joerg@sender.test>',
    to: [`"Help, please" <help@${domain}>`],
    cc: 'Bob <bob@elsewhere.test>',
    replyTo: 'replies@sender.test',
    subject: 'Grüße aus Köln',
    messageId: '<first@sender.test>',
    inReplyTo: '<before@sender.test>',
    references: ['<root@sender.test>', '<before@sender.test>'],
    envelope: { from: 'bounces@sender.test', to: [`help@${domain}`] },
    text: 'It works.\n\nOn Mon, 2 Mar 2026 at 10:00, Ann <ann@x.test> wrote:\n> Does it?\n',
    html: '<p>It works. <img src="cid:logo"></p>',
    attachments: [
      { filename: 'logo.png', content: png, cid: 'logo' },
      { filename: 'Übersicht "1".txt', content: 'Zeile\n', contentType: 'text/plain' },
    ],
  })
  expect(response).toMatch(/^250 2\.0\.0 Ok: kept as /)
  const received = await arrived(`help@${domain}`)
  expect(received).toMatchObject({
    id: expect.stringMatching(/^rcv_/),
    from: { email: 'joerg@sender.test', name: 'Jörg Müller' },
    to: [{ email: `help@${domain}`, name: 'Help, please' }],
    cc: [{ email: 'bob@elsewhere.test', name: 'Bob' }],
    replyTo: [{ email: 'replies@sender.test', name: '' }],
    subject: 'Grüße aus Köln',
    messageIdHeader: '<first@sender.test>',
    inReplyTo: '<before@sender.test>',
    references: ['<root@sender.test>', '<before@sender.test>'],
    envelope: { from: 'bounces@sender.test', to: `help@${domain}` },
    html: expect.stringContaining('cid:logo'),
    text: expect.stringContaining('> Does it?'),
    strippedText: 'It works.',
    attachmentCount: 2,
    spam: null,
  } satisfies Partial<Received>)
  const { body } = await projectApi.get<{ data: ReceivedFile[] }>(`receiving/emails/${received.id}/attachments`)
  expect(body.data.map(({ filename }) => filename).toSorted()).toEqual(['logo.png', 'Übersicht "1".txt'])
  expect(body.data.find(({ filename }) => filename === 'logo.png')).toMatchObject({
    contentType: 'image/png',
    contentId: 'logo',
    disposition: 'inline',
    size: png.length,
    sha256: createHash('sha256').update(png).digest('hex'),
  })

  await eventually('its webhook is told', () => receiver.heard.length > 0)
  // Whoever reads it again, it is told once.
  await here.services.receivedProcessor.processAll(await messageIds(here))
  expect(receiver.heard.map(({ body: told }) => told)).toEqual([
    {
      type: 'email.received',
      messageId: received.id,
      recipient: `help@${domain}`,
      timestamp: expect.any(String),
      detail: 'Grüße aus Köln',
      accountId: expect.stringMatching(/^acc_/),
    },
  ])
})

test('what a sender can prove is written down, and nothing is refused for it', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const here = await receivingWorld({
    zones: {
      'good.test': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
      'k1._domainkey.good.test': { TXT: [[`v=DKIM1; k=rsa; p=${key.slice(0, 200)}`, key.slice(200)]] },
      '_dmarc.good.test': { TXT: ['v=DMARC1; p=reject'] },
      'strict.test': { TXT: ['v=spf1 -all'] },
      '_dmarc.strict.test': { TXT: ['v=DMARC1; p=reject'] },
      'broken.test': { fault: 'servfail' },
      '_dmarc.broken.test': { fault: 'servfail' },
    },
  })
  const domain = await here.managedDomain()
  const verdicts = async (name: string, dkim?: object) => {
    const to = `${name}-${dkim === undefined ? 'plain' : 'signed'}@${domain}`
    await here.mail({ from: `a@${name}`, to, subject: name, text: 'x', ...(dkim ? { dkim } : {}) })
    return (await here.arrived(to)).auth
  }
  const signed = {
    domainName: 'good.test',
    keySelector: 'k1',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }
  expect(await verdicts('good.test', signed)).toEqual({ spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none' })
  expect(await verdicts('strict.test')).toEqual({ spf: 'fail', dkim: 'none', dmarc: 'fail', arc: 'none' })
  expect(await verdicts('strict.test', signed)).toMatchObject({ dmarc: 'fail' })
  expect(await verdicts('unknown.test')).toEqual({ spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none' })
  expect(await verdicts('broken.test')).toEqual({ spf: 'temperror', dkim: 'none', dmarc: 'temperror', arc: 'none' })
})

test('a spam filter with a score that no column takes keeps no mail back', async () => {
  const scores = [1e300, -1e300, 1e-300]
  const filter = createServer((request, response) => {
    void text(request).then(() => response.end(JSON.stringify({ score: scores.shift() })))
  }).listen(0, '127.0.0.1')
  await once(filter, 'listening')
  onTestFinished(() => void filter.close())
  const { port } = filter.address() as AddressInfo
  const here = await receivingWorld({ env: { RSPAMD_URL: `http://127.0.0.1:${port}` } })
  const domain = await here.managedDomain()
  const scoreOf = async (to: string): Promise<number | null> => {
    await here.mail({ from: 'a@sender.test', to: `${to}@${domain}`, subject: 'anyway', text: 'x' })
    const { subject, spam } = await here.arrived(`${to}@${domain}`)
    expect(subject).toBe('anyway')
    return spam
  }
  expect([await scoreOf('a'), await scoreOf('b'), await scoreOf('c')]).toEqual([null, null, 0])
})

test('a spam filter is asked where there is one, and missed by nobody where it is away', async () => {
  const asked: IncomingMessage[] = []
  const filter = createServer((request, response) => {
    asked.push(request)
    void text(request).then((raw) =>
      response.end(JSON.stringify(raw.includes('casino') ? { score: 17.5, action: 'reject' } : { score: -0.1 })),
    )
  }).listen(0, '127.0.0.1')
  await once(filter, 'listening')
  const { port } = filter.address() as AddressInfo
  const here = await receivingWorld({ env: { RSPAMD_URL: `http://127.0.0.1:${port}` } })
  const domain = await here.managedDomain()
  await here.mail({ to: `a@${domain}`, subject: 'casino', text: 'x' })
  await here.mail({ to: `b@${domain}`, subject: 'lunch', text: 'x' })
  expect(await here.arrived(`a@${domain}`)).toMatchObject({ spam: 17.5 })
  expect((await here.arrived(`b@${domain}`)).spam).toBeCloseTo(-0.1)
  expect(asked[0]).toMatchObject({ url: '/checkv2', headers: { ip: '127.0.0.1', from: 'ann@sender.test' } })
  filter.closeAllConnections()
  filter.close()
  await here.mail({ to: `c@${domain}`, subject: 'anyway', text: 'x' })
  expect(await here.arrived(`c@${domain}`)).toMatchObject({ subject: 'anyway', spam: null })
})

const messageIds = async ({ db }: ReceivingWorld): Promise<string[]> =>
  (await db.all(sql<{ id: string }>`select id from received_messages`)).map(({ id }) => id)
