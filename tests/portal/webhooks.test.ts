import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { answers, startReceiver } from '../support/receiver.ts'
import { signatureBySpecification, standardSignature, webhookWorld } from '../support/webhooks.ts'
import { axeFindings } from './support/axe.ts'
import { comeIn } from './support/people.ts'
import type { Visitor } from './support/visitor.ts'

const shownSecret = ({ page }: Visitor) => page.getByText(/^whsec_[A-Za-z0-9+/=]{40,}$/)

test('a delivery shows what was sent and answered, and is sent again', async () => {
  const here = await webhookWorld()
  const receiver = await startReceiver({ behaviour: answers(202, {}, 'thank you') })
  const hook = await here.endpoint(receiver.url)
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  await ann.open(`/p/${here.projectId}/webhooks/${hook.id}`)
  await ann.button('Send a test event').click()
  await ann.link('Open the delivery').click()
  await ann.heading('Payload').waitFor()
  const heard = await eventually('the receiver hears of it', () => receiver.heard[0])
  await ann.text(`x-service-delivery: ${String(heard.headers['x-service-delivery'])}`).waitFor()
  await ann.text('thank you').first().waitFor()
  expect(await axeFindings(ann)).toEqual([])
  await ann.button('Send again').click()
  await eventually('it comes again', () => receiver.heard[1])
})

test('the secret of an endpoint is shown to a person who asks, and both after a rotation', async () => {
  const here = await webhookWorld()
  const receiver = await startReceiver()
  const { id, secret } = await here.endpoint(receiver.url)
  const { visitor: ann } = await comeIn(here, { role: 'owner' }, { screen: 'narrow' })
  await ann.open(`/p/${here.projectId}/webhooks/${id}`)
  await ann.heading('Signing secret').waitFor()
  expect(await ann.page.content()).not.toContain(secret)
  await ann.button('Show').click()
  expect(await shownSecret(ann).innerText()).toBe(secret)
  expect(await ann.sideways()).toEqual([])
  await ann.button('Hide').click()
  await shownSecret(ann).waitFor({ state: 'detached' })
  await ann.button('Rotate').click()
  await ann.button('Make a new secret').click()
  await ann.text('The old secret').first().waitFor()
  const [next = '', old] = await shownSecret(ann).allInnerTexts()
  expect(old).toBe(secret)

  await here.projectApi.post(`webhooks/${id}/test`)
  const heard = await eventually('the receiver hears of it', () => receiver.heard[0])
  expect(heard.headers['x-service-signature']).toBe(signatureBySpecification(next, heard))
  expect(heard.headers['webhook-signature']).toContain(standardSignature(secret, heard))

  const headers = Object.entries(heard.headers).map(([name, value]) => `${name}: ${String(value)}`)
  await ann.field('Body, as your program got it').fill(JSON.stringify(heard.body, undefined, 2))
  await ann.field('Headers of the request').fill(headers.join('\n'))
  await ann.button('Check').click()
  await ann.text(/parsed and written again/).waitFor()
  await ann.field('Body, as your program got it').fill(heard.raw.toString('utf8'))
  await ann.page.getByLabel('The secret that your code uses').fill(secret)
  await ann.button('Check').click()
  await ann.text(/The request is genuine/).waitFor()
  await ann.text(/the one from before the rotation/).waitFor()
})

test('who may only look sees deliveries, and neither the secret nor a button that changes anything', async () => {
  const here = await webhookWorld()
  const receiver = await startReceiver()
  const { id } = await here.endpoint(receiver.url)
  const { visitor: ben } = await comeIn(here, { role: 'viewer' })
  await ben.open(`/p/${here.projectId}/webhooks/${id}`)
  await ben.heading('Deliveries').waitFor()
  for (const name of ['Show', 'Rotate', 'Send a test event', 'Send all failed again', 'Edit']) {
    expect(await ben.button(name).count(), name).toBe(0)
  }
  await ben.open(`/p/${here.projectId}/webhooks`)
  await ben.table('Webhooks').waitFor()
  expect(await ben.button('Add an endpoint').count()).toBe(0)
})
