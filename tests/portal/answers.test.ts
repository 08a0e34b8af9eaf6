/** What other people's servers answer is shown as text. */
import { expect, test } from 'vitest'
import { decodeId, newId } from '../../src/core/ids.ts'
import { createDomain } from '../support/domains.ts'
import { startReceiver } from '../support/receiver.ts'
import { webhookWorld } from '../support/webhooks.ts'
import { world } from '../support/world.ts'
import { payloads } from './payloads.ts'
import { allTexts, asShown, problemsOn, setTraps, texts } from './support/hostile-texts.ts'
import { narrowFindings } from './support/look.ts'
import { comeIn } from './support/people.ts'

test('what an endpoint answers is text', async () => {
  const here = await webhookWorld()
  // The server keeps only the beginning of an answer, so the texts with hidden characters come first.
  const hidden = allTexts.filter((text) => asShown(text) !== text)
  const answer = [payloads['handler of an image'], ...hidden, ...texts].join('\n')
  const receiver = await startReceiver({
    behaviour: (_request, response) => void response.writeHead(500, { 'content-type': 'text/html' }).end(answer),
  })
  const hook = await here.endpoint(receiver.url)
  await here.projectApi.post(`webhooks/${hook.id}/test`)
  const { id } = await here.delivery(hook, 'it was told', ({ attempts }) => attempts.length > 0)
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  const traps = await setTraps(ann)
  await ann.open(`/p/${here.projectId}/webhooks/${hook.id}/deliveries/${id}`)
  await ann
    .text(asShown(payloads['turned round'] ?? ''))
    .first()
    .waitFor()
  await ann.text('<img src=x onerror=trapped()>').first().waitFor()
  expect(await problemsOn(ann)).toEqual([])
  expect(traps).toEqual([])
})

test('what a mail server answers, and why somebody paused, is text', async () => {
  const here = await world()
  const projectId = decodeId('prj', here.projectId)!
  const destination = 'mx.hostile.example'
  const replies = allTexts.map((text, i) => ({ text, mark: String(i) }))
  const said = { host: destination, address: null, tls: null, outcome: 'refused', stage: 'rcpt', code: 451 } as const
  await here.services.queueReports.write({
    workerId: newId(),
    states: [],
    flows: [],
    replies: replies.map((one) => ({ ...said, ...one, projectId, destination, enhanced: null, count: 1, at: 0 })),
  })
  const because = payloads['handler of an image']
  expect((await here.projectApi.post('queue/mx.paused.example/pause', { because })).status).toBe(200)
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  const traps = await setTraps(ann)
  await ann.open(`/p/${here.projectId}/queue/${destination}`)
  await ann.table('Answers of the last 24 hours').waitFor()
  await ann
    .text(asShown(payloads['turned round'] ?? ''))
    .first()
    .waitFor()
  expect(await problemsOn(ann)).toEqual([])
  await ann.open(`/p/${here.projectId}/queue`)
  await ann.table('Queue').getByText('<img src=x onerror=trapped()>').waitFor()
  expect(await problemsOn(ann)).toEqual([])
  expect(traps).toEqual([])
})

test('what the DNS answers is text', async () => {
  const here = await webhookWorld()
  // Ten answers of each name are kept. A text in the DNS is bytes, and those beyond ASCII are not read as letters.
  const shown = texts.filter((text) => /^[\x20-\x7e]+$/.test(text)).slice(0, 10)
  expect(shown).toHaveLength(10)
  const { id } = await createDomain(here.projectApi, 'example.com')
  here.dns.zones['bounce.example.com'] = { TXT: shown.map((text) => `v=spf1 ${text}`) }
  here.dns.zones['_dmarc.example.com'] = { TXT: [`v=DMARC1; p=none; ${payloads['handler of an image']}`] }
  here.dns.zones['example.com'] = { NS: ['<img.src=x.onerror=trapped()>.example'] }
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  const traps = await setTraps(ann)
  await ann.open(`/p/${here.projectId}/domains/${id}`)
  await ann.heading('DMARC, part by part').waitFor()
  for (const text of shown) {
    const isShown = async (): Promise<boolean> =>
      ((await ann.page.locator('body').textContent()) ?? '').includes(asShown(text))
    await expect.poll(isShown, { message: text }).toBe(true)
  }
  expect(await problemsOn(ann)).toEqual([])
  expect(await narrowFindings(ann)).toEqual([])
  expect(traps).toEqual([])
})
