/** What is said to those who do not see that something has changed. */
import { expect, test } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import { webhookWorld } from '../support/webhooks.ts'
import { watchSpeech } from './support/look.ts'
import { comeIn } from './support/people.ts'
import type { Visitor } from './support/visitor.ts'

test('a page is called by its title and not by an id, and a state that changes by itself is said', async () => {
  const here = await webhookWorld()
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  const said = ann.page.getByRole('status')
  const { url, id: endpoint } = await here.endpoint((await startReceiver()).url)
  const sendAt = new Date(Date.now() + 3_600_000).toISOString()
  const id = await here.send('delivered', { subject: 'Your order', sendAt })
  await ann.page.addInitScript(watchSpeech)
  await ann.open(`/p/${here.projectId}/webhooks`)
  await ann.link(url).click()
  await said.filter({ hasText: `${url} · Webhooks` }).waitFor()
  expect(await heardBy(ann)).not.toContainEqual(expect.stringContaining(endpoint.slice(0, 10)))

  await ann.link('Emails').click()
  await ann.table('Emails').getByRole('link').click()
  await said.filter({ hasText: 'Your order · Emails' }).waitFor()
  await here.projectApi.post(`emails/${id}/cancel`)
  await said.filter({ hasText: /^Cancelled$/ }).waitFor()
})

test('an email that is sent again is called by its subject, and its first state is no change', async () => {
  const here = await webhookWorld()
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  const id = await here.send('delivered', { subject: 'Your order' })
  await here.becomes(id, 'delivered')
  await ann.page.addInitScript(watchSpeech)
  await ann.open(`/p/${here.projectId}/emails/${id}`)
  await ann.button('Send again').click()
  await ann.dialog('Send again').getByRole('button', { name: 'Send', exact: true }).click()
  await expect.poll(() => heardBy(ann)).toContainEqual(expect.stringMatching(/^Your order · Emails/))
})

test('buttons of a row belong to a group with the name of the row', async () => {
  const here = await webhookWorld()
  const { visitor: ann } = await comeIn(here, { role: 'owner', name: 'Ann Lee' })
  await ann.open('/settings/people')
  await ann.page.getByRole('group', { name: 'Ann Lee' }).getByRole('button', { name: 'Roles' }).waitFor()
})

test('a secret that is shown is said to be there', async () => {
  const here = await webhookWorld()
  const { id } = await here.endpoint((await startReceiver()).url)
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  await ann.open(`/p/${here.projectId}/webhooks/${id}`)
  await ann.button('Show').click()
  await ann.page.getByRole('status').filter({ hasText: 'The secret is shown for a minute.' }).waitFor()
})

test('a link that is followed before the first page has come leads to a heading, too', async () => {
  const here = await webhookWorld()
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  await ann.page.route(/assets\/overview-.*\.js/, () => new Promise(() => undefined))
  await ann.open(`/p/${here.projectId}/overview`)
  await ann.link('Webhooks').press('Enter')
  await ann.heading('Webhooks').waitFor()
  await expect
    .poll(() => ann.page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`))
    .toBe('H1 Webhooks')
  await ann.page.unrouteAll({ behavior: 'ignoreErrors' })
})

/** Everything that was ever read out in this tab. */
const heardBy = ({ page }: Visitor): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { spoken: { text: string }[] }).spoken.map(({ text }) => text))
