import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import type { Reply } from '../support/client.ts'
import { dumpOf } from '../support/dump.ts'
import { eventually } from '../support/eventually.ts'
import { answers, startReceiver, type Behaviour } from '../support/receiver.ts'
import { webhookWorld, type Endpoint, type WebhookWorld } from '../support/webhooks.ts'
import { created } from '../support/world.ts'

/** Sends back all that it was sent, as careless receivers do. */
const echo: Behaviour = (request, response, heard) =>
  answers(500, {}, `${JSON.stringify(heard.headers)} ${heard.raw.toString('utf8')}`)(request, response, heard)

test('a webhook secret is in its one answer and nowhere else: not in logs, errors, requests or the database', async () => {
  const here = await webhookWorld()
  const { endpoint, send, deliveries, projectApi, api, db, logs } = here
  const [good, bad] = [await startReceiver(), await startReceiver({ behaviour: echo })]
  const hooks = [await endpoint(good.url), await endpoint(bad.url)]
  const secrets = hooks.map(({ secret }) => secret)
  for (const { id } of hooks) {
    const { status, body } = await projectApi.post<Endpoint>(`webhooks/${id}/rotate-secret`)
    expect(status).toBe(200)
    secrets.push(body.secret)
  }
  await send('delivered')
  for (const { heard } of [good, bad]) await eventually('a request', () => heard.length > 0)
  await eventually(
    'the answer is in the log',
    async () => (await deliveries(hooks[1]!))[0]?.attempts[0]?.status === 500,
  )

  const replies: Reply[] = []
  for (const { id } of hooks) replies.push(...(await everythingAbout(here, id)))
  replies.push(...(await misplaced(here, hooks[0]!.id, secrets[0]!)), ...(await duringOutage(here)))
  await unreadableSecret(here, good.url)

  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 202, 400, 404, 405, 415, 500]))
  for (const { status, text, headers } of replies) {
    expect(secretsIn(`${text} ${JSON.stringify([...headers])}`, secrets), `${status} ${text.slice(0, 500)}`).toEqual([])
  }
  for (const { headers, raw } of [...good.heard, ...bad.heard]) {
    expect(secretsIn(`${JSON.stringify(headers)} ${raw.toString('utf8')}`, secrets)).toEqual([])
  }
  for (const page of ['/metrics', '/openapi.json', '/docs']) {
    expect(secretsIn((await api.get(page)).text, secrets), page).toEqual([])
  }
  expect(logs.length).toBeGreaterThan(20)
  expect(secretsIn(logs.join(''), secrets)).toEqual([])
  // Nor any that was made and never shown.
  expect(logs.filter((line) => line.includes('whsec_'))).toEqual([])
  const dump = await dumpOf(db)
  expect(secretsIn(JSON.stringify(dump), secrets)).toEqual([])
  // The dump is a real one, and the search finds what is there: the sealed secrets, two for each endpoint, and one more.
  expect(dump.find(({ name }) => name === 'public.webhook_secrets')?.rows).toHaveLength(secrets.length + 1)
  expect(secretsIn(`x${Buffer.from(secrets[0]!).toString('hex')}x`, secrets)).toEqual([secrets[0]])
})

/** Secrets that the text gives away: as they are, what they encode, or either as a column or a header might hold it. */
const secretsIn = (text: string, secrets: readonly string[]): string[] => {
  const searched = text.toLowerCase()
  return secrets.filter((secret) => {
    const encoded = secret.slice('whsec_'.length)
    const bytes = Buffer.from(encoded, 'base64')
    const forms = [
      encoded.slice(0, -1),
      bytes.toString('base64url'),
      bytes.toString('hex'),
      Buffer.from(encoded).toString('hex'),
      ...[secret, encoded].map((part) => Buffer.from(part).toString('base64url').slice(0, -2)),
      encodeURIComponent(encoded),
    ]
    return forms.some((form) => searched.includes(form.toLowerCase()))
  })
}

/** Whatever can be asked about an endpoint. */
async function everythingAbout({ projectApi, deliveries }: WebhookWorld, id: string): Promise<Reply[]> {
  const [delivery] = await deliveries({ id })
  return [
    await projectApi.get('webhooks'),
    await projectApi.get(`webhooks/${id}`),
    await projectApi.patch(`webhooks/${id}`, { description: 'changed' }),
    await projectApi.post(`webhooks/${id}/test`),
    await projectApi.get(`webhooks/${id}/deliveries`),
    await projectApi.get(`webhooks/${id}/deliveries/${delivery!.id}`),
    await projectApi.post(`webhooks/${id}/deliveries/${delivery!.id}/replay`),
    await projectApi.post(`webhooks/${id}/deliveries/replay`),
  ]
}

/** Where people and programs put a secret by mistake. None of these calls does anything. */
async function misplaced({ projectApi }: WebhookWorld, id: string, secret: string): Promise<Reply[]> {
  const inPath = encodeURIComponent(secret)
  const json = { 'content-type': 'application/json' }
  return [
    await projectApi.get(`webhooks?secret=${inPath}`),
    await projectApi.get(`webhooks?cursor=${inPath}`),
    await projectApi.get(`webhooks/${inPath}`),
    await projectApi.get(`webhooks/${id}/deliveries?status=${inPath}`),
    await projectApi.get(`webhooks/${id}/deliveries/${inPath}`),
    await projectApi.request('PUT', `webhooks/${inPath}`),
    await projectApi.post('webhooks', { url: secret }),
    await projectApi.post('webhooks', { url: `http://u:${inPath}@hooks.example.com/` }),
    await projectApi.post('webhooks', { url: `ftp://hooks.example.com/?k=${inPath}` }),
    await projectApi.post('webhooks', { url: 'https://hooks.example.com/', secret }),
    await projectApi.post('webhooks', { url: 'https://hooks.example.com/', [secret]: 1 }),
    await projectApi.patch(`webhooks/${id}`, { events: [secret] }),
    await projectApi.patch(`webhooks/${id}`, { description: secret.repeat(20) }),
    await projectApi.post(`webhooks/${id}/test`, { type: secret }),
    await projectApi.request('POST', 'webhooks', { headers: json, body: `{"url":"${secret}` }),
    await projectApi.request('POST', 'webhooks', { headers: { 'content-type': 'text/plain' }, body: secret }),
  ]
}

/** A defect of ours: the database refuses the row of the secret after it was made. */
async function duringOutage({ db, projectApi }: WebhookWorld): Promise<Reply[]> {
  await db.run(sql`alter table webhook_secrets add constraint defect check (valid_until is not null) not valid`)
  const replies = [await projectApi.post('webhooks', { url: 'https://hooks.example.com/' })]
  await db.run(sql`alter table webhook_secrets drop constraint defect`)
  expect(replies.map(({ status }) => status)).toEqual([500])
  return replies
}

/** One that somebody damaged: the worker can only complain. */
async function unreadableSecret({ db, projectApi, logs }: WebhookWorld, url: string): Promise<void> {
  const { id } = created(await projectApi.post<Endpoint>('webhooks', { url, description: 'damaged' }))
  await db.run(sql`
    update webhook_secrets
       set secret = set_byte(secret, length(secret) - 1, get_byte(secret, length(secret) - 1) # 1)
     where endpoint_id = (select id from webhook_endpoints where description = 'damaged')`)
  await projectApi.post(`webhooks/${id}/test`)
  await eventually('the worker complains', () =>
    logs.some((line) => line.includes('webhook delivery failed unexpectedly')),
  )
}
