import { expect, test } from 'vitest'
import { signatureOf } from '../../src/sms/http-signature.ts'
import { dumpOf } from '../support/dump.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { liveWorld, OURS, smppConnection, THEIRS, writtenConsent, type LiveWorld } from '../support/sms-live.ts'
import { json, startProvider } from '../sms/provider.ts'
import { startSmsc } from '../sms/smsc.ts'

const BODY = 'Der Aal ist im Keller und die Schildkröte im Garten.'
const PROOF = 'By ticking this box you agree'
const LISTS = [
  'messages',
  'consents',
  'suppressions',
  'usage',
  'wallet/ledger',
  'wallet/top-ups',
  'senders',
  'programs',
]
const everything = ['sent', 'delivered', 'undelivered', 'failed', 'unconfirmed', 'received', 'optedout', 'optedin']

/**
 * A whole life, with everything that can go wrong on the way, and then a search in the bytes of all that it left where
 * others can read it. Of the number itself events tell, in the one field that is for it.
 */
test('no text, number or proof of consent is in any log, list, refusal or event, nor readable in the database', async () => {
  const smsc = await startSmsc()
  smsc.on('submit_sm', (pdu, line) => line.say('submit_sm_resp', { message_id: 'c0ffee' }, pdu))
  const here = await liveWorld(smppConnection(smsc.port))
  const { live, consent, projectApi, endpoint, db, smsBecomes, services, programId } = here
  const receiver = await startReceiver()
  await endpoint(receiver.url, { events: everything.map((kind) => `sms.${kind}`) })
  await consent(THEIRS)
  const answers: string[] = []
  const keep = async (reply: Promise<{ text: string }>): Promise<void> => void answers.push((await reply).text)

  const id = String((await live(THEIRS, { body: BODY, metadata: { secret: 'order-4711' } }, 'k')).body['id'])
  await smsBecomes(id, 'sent')
  smsc.line().say('deliver_sm', {
    esm_class: 0x04,
    source_addr_ton: 1,
    source_addr: THEIRS.slice(1),
    dest_addr_ton: 1,
    destination_addr: OURS.slice(1),
    short_message: Buffer.from(`id:c0ffee sub:001 dlvrd:001 stat:UNDELIV err:00b text:${BODY.slice(0, 20)}`),
  })
  await smsBecomes(id, 'undelivered')
  // Refusals of all kinds, with secrets in every place that somebody may put them.
  await keep(live(THEIRS, { body: `${BODY}!` }, 'k'))
  await keep(live(THEIRS, { body: BODY, maxPriceMicros: 1 }))
  await keep(live(THEIRS, { body: BODY, maxSegments: 0 }))
  await keep(live(THEIRS.slice(1), { body: BODY }))
  await keep(live(THEIRS, { body: `${BODY}\u0007` }))
  await keep(live(THEIRS, { body: BODY, consentId: BODY }))
  await keep(live('+12125559999', { body: BODY }))
  await keep(
    projectApi.post('sms/consents', { ...writtenConsent(THEIRS, programId), capturedAt: '2090-01-01T00:00:00Z' }),
  )
  await keep(projectApi.post('sms/suppressions', { phone: `x${THEIRS}` }))
  await keep(
    projectApi.request('POST', 'sms/messages', {
      headers: { 'content-type': 'application/json' },
      body: `{"body":"${BODY}`,
    }),
  )
  // A defect of ours in the middle of it.
  await db.withClient((client) =>
    client.query(`alter table sms_messages add constraint defect check (masked <> '${'+1********34'}') not valid`),
  )
  await keep(live(THEIRS, { body: BODY }, 'defect'))
  await db.withClient((client) => client.query('alter table sms_messages drop constraint defect'))
  await services.sms.inbox.part('main', {
    from: THEIRS,
    to: OURS,
    text: BODY,
    payload: Buffer.from(BODY),
    alphabet: 'utf8',
  })
  const stop = 'stop texting me, I am at the Schildkröte'
  await services.sms.inbox.part('main', {
    from: THEIRS,
    to: OURS,
    text: stop,
    payload: Buffer.from(stop),
    alphabet: 'utf8',
  })
  await keep(live(THEIRS, { body: BODY }))
  await eventually('all was told', () => receiver.heard.some(({ body }) => body['type'] === 'sms.optedout'))
  await listed(here, answers)
  await expectSecret(here, answers, receiver)
})

test('nor where a provider quotes them in its answers, or somebody in callbacks of his own', async () => {
  const provider = await startProvider()
  const connection = {
    kind: 'http',
    baseUrl: provider.baseUrl,
    accountSid: 'AC1',
    authToken: 'very-secret',
    callbacks: true,
    maxPartsPerSecond: 1_000,
  }
  const here = await liveWorld(connection, { env: { PUBLIC_URL: 'https://sms.example.com' } })
  const { api, live, consent, endpoint, smsBecomes } = here
  const receiver = await startReceiver()
  await endpoint(receiver.url, { events: everything.map((kind) => `sms.${kind}`) })
  await consent(THEIRS)
  const quoted = `The message "${BODY}" to ${THEIRS} is not what we like`
  const sent = async (): Promise<string> =>
    String((await live(THEIRS, { body: BODY, metadata: { secret: 'order-4711' } })).body['id'])
  provider.answer = json(400, { code: 30007, message: quoted })
  await smsBecomes(await sent(), 'failed')
  provider.answer = json(500, { message: quoted })
  await smsBecomes(await sent(), 'unconfirmed')
  provider.answer = json(201, { sid: 'SM9', num_segments: '9', body: BODY, to: THEIRS, error_message: quoted })
  const id = await sent()
  await smsBecomes(id, 'sent')
  const answers: string[] = []
  const call = async (kind: string, fields: Record<string, string>, token: string, query = ''): Promise<void> => {
    const parameters = new URLSearchParams(fields)
    const url = `https://sms.example.com/carrier/http/main/${kind}${query}`
    const response = await fetch(`${api.url}/carrier/http/main/${kind}${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': signatureOf(token, url, parameters),
      },
      body: parameters.toString(),
    })
    answers.push(`${response.status} ${await response.text()}`)
  }
  const mine = { From: THEIRS, To: OURS, Body: BODY }
  const about = { MessageSid: 'SM9', MessageStatus: 'undelivered', ErrorCode: '30007', ErrorMessage: quoted }
  await call('inbound', { MessageSid: 'SM1', ...mine }, 'wrong')
  await call('inbound', { MessageSid: 'SM1', ...mine }, 'very-secret', `?to=${encodeURIComponent(THEIRS)}`)
  await call('inbound', { MessageSid: 'SM2', ...mine, To: '+14155550999' }, 'very-secret')
  await call('status', { ...about, To: THEIRS, From: OURS }, 'very-secret')
  await call('status', { ...about, MessageSid: 'SM77', To: THEIRS, From: OURS }, 'very-secret')
  expect(answers.map((answer) => answer.slice(0, 3))).toEqual(['403', '200', '200', '204', '204'])
  await smsBecomes(id, 'undelivered')
  await eventually('all was told', () => receiver.heard.some(({ body }) => body['type'] === 'sms.received'))
  await listed(here, answers)
  await expectSecret(here, answers, receiver)
})

/** What every list says, also to whoever asks for the number. */
async function listed({ projectApi }: LiveWorld, answers: string[]): Promise<void> {
  for (const path of LISTS) {
    for (const query of ['', `?recipient=${encodeURIComponent(THEIRS)}`, `?phone=${encodeURIComponent(THEIRS)}`]) {
      answers.push((await projectApi.get(`sms/${path}${query}`)).text)
    }
  }
}

async function expectSecret({ logs, db }: LiveWorld, answers: string[], receiver: Receiver): Promise<void> {
  const digits = THEIRS.slice(1)
  const texts = [BODY, BODY.slice(0, 20), 'Schildkröte', PROOF, 'order-4711', '192.0.2.7']
  const searched = { log: logs.join('\n'), answers: answers.join('\n') }
  expect(searched.log.length).toBeGreaterThan(1_000)
  for (const [where, bytes] of Object.entries(searched)) {
    for (const secret of [...texts, digits]) expect(bytes.includes(secret), `${secret} in the ${where}`).toBe(false)
  }
  await eventually('much was told', () => receiver.heard.length > 3)
  for (const { raw, headers } of receiver.heard) {
    const told = raw.toString() + JSON.stringify(headers)
    for (const secret of texts) expect(told).not.toContain(secret)
    const { recipient, ...rest } = JSON.parse(raw.toString()) as Record<string, unknown>
    expect([THEIRS, OURS]).toContain(recipient)
    expect(JSON.stringify(rest)).not.toContain(digits)
  }
  // What is to be told of somebody carries the number, and is forgotten with the deliveries; nothing else does.
  const kept = (await dumpOf(db)).filter(({ name }) => !name.includes('webhook_'))
  const dump = JSON.stringify(kept)
  for (const secret of [...texts, digits, Buffer.from(BODY).toString('hex')]) expect(dump).not.toContain(secret)
}
