import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { mailWorld, steadyPauses } from '../support/mail-world.ts'
import { destinationOf, queueOf } from '../support/queue.ts'
import { world } from '../support/world.ts'
import { comeIn } from './support/people.ts'

const SITE = 'mx.sink.test'

test('a destination tells why its mail waits, what was answered and where, and is tried at once', async () => {
  const reply = '450 4.7.1 Greylisted, please try again later'
  const here = await mailWorld({ circumstances: steadyPauses, sink: { replies: { 'rcpt later@sink.test': reply } } })
  const id = await here.send('later@sink.test')
  await here.becomes(id, 'deferred')
  await eventually('the worker has told why', async () => {
    const { replies } = await destinationOf(here.db, here.projectApi, SITE)
    return replies.length > 0
  })
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  await ann.open(`/p/${here.projectId}/queue`)
  await ann.table('Queue').getByRole('link', { name: SITE }).click()
  await ann.heading(SITE).waitFor()
  await ann.table('Answers of the last 24 hours').getByText(reply).waitFor()
  await ann.table('Hosts of the last 24 hours').getByText('127.0.0.1').waitFor()
  const young = ann.table('Waiting mail by age').getByRole('row', { name: /^Less than 5 minutes ago/ })
  expect(await young.getByRole('cell').allInnerTexts()).toEqual(['Less than 5 minutes ago', '1'])
  await ann.text('Usual limit').waitFor()
  expect(await ann.page.title()).toBe(`${SITE} · Queue · default · Posthouse`)
  here.sink.options.replies = {}
  await ann.button('Try now').click()
  await ann.text('1 recipient is due now.').waitFor()
  await here.becomes(id, 'delivered')
  await ann.text('No mail waits for this destination.').waitFor()
})

test('where nothing waits the page says when the last mail left, also at 320 px', async () => {
  const here = await mailWorld()
  const { visitor: ann } = await comeIn(here, { role: 'viewer' }, { screen: 'narrow' })
  await ann.open(`/p/${here.projectId}/queue`)
  await ann.heading('Nothing waits').waitFor()
  expect(await ann.text(/The last mail left/).count()).toBe(0)
  await here.becomes(await here.send('ann@sink.test'), 'delivered')
  await eventually('the worker has told', async () => (await queueOf(here.db, here.projectApi)).lastLeftAt)
  await ann.open(`/p/${here.projectId}/queue`)
  await ann.text(/The last mail left/).waitFor()
  expect(await ann.sideways()).toEqual([])
})

test('owners hold all sending after a look at what would wait; everybody sees it until it goes on', async () => {
  const here = await world()
  const { visitor: ann, person } = await comeIn(here, { role: 'owner' })
  const { visitor: ben } = await comeIn(here, { role: 'marketer', project: here.projectId })
  const sends = {
    from: 'sandbox@sandbox.posthouse.test',
    to: 'delivered@simulator.posthouse.test',
    subject: 'x',
    text: 'x',
  }
  await here.projectApi.post('email/send', sends)
  await ann.open(`/p/${here.projectId}/queue`)
  await ann.text('Sending is on').waitFor()
  await ann.button('Hold all sending').click()
  const dialog = ann.dialog('Hold all sending?')
  await dialog.getByText('1 email · 0 webhook deliveries · 0 SMS').waitFor()
  await dialog.getByLabel('Why').fill('We move to another machine')
  await dialog.getByRole('button', { name: 'Hold all sending', exact: true }).click()
  await ann.text('Sending is held: nothing leaves, in any project.').waitFor()
  expect((await here.api.get('sending')).body).toMatchObject({ held: true, because: 'We move to another machine' })

  await ben.open(`/p/${here.projectId}/overview`)
  await ben.text(/^Nothing leaves this installation: We move to another machine/).waitFor()
  await ben.link('See the queue').click()
  await ben.heading('Queue').waitFor()
  expect(await ben.button('Resume all sending').count()).toBe(0)
  expect(await ben.button('Pause').count()).toBe(0)

  await ann.button('Resume all sending').click()
  await ann.text('Sending is on').waitFor()
  await ann.text('Sending is held: nothing leaves, in any project.').waitFor({ state: 'detached' })
  expect((await person.client.get('sending')).body).toMatchObject({ held: false })
})
