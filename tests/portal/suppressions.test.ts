import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { mailWorld } from '../support/mail-world.ts'
import { letConfirmationLapse, PASSWORD } from '../support/people.ts'
import { comeIn, givePassword } from './support/people.ts'

test('a pasted list is added with what was refused, found, exported, and lifted after a confirmation', async () => {
  const here = await mailWorld()
  const bounced = await here.send('550-5.1.1@sink.test')
  await here.becomes(bounced, 'bounced')
  const { visitor: ann, person } = await comeIn(here, { role: 'owner' }, { screen: 'narrow' })
  await givePassword(here, ann, person)
  await ann.open(`/p/${here.projectId}/suppressions`)
  await ann
    .text(/5\.1\.1/)
    .first()
    .waitFor()
  expect(await ann.link('The email').getAttribute('href')).toBe(`/p/${here.projectId}/emails/${bounced}`)

  await ann.button('Add addresses').click()
  await ann.field('Addresses').fill('tom@example.net\nnobody, *@example.org\nann@example.org')
  await ann.field('Note').fill('Asked us on the phone.')
  await ann.button('Add').click()
  await ann.text(/patterns with \* cover nobody/).waitFor()
  await ann.dialog().getByText('nobody', { exact: true }).waitFor()
  await ann.press('Escape')
  await ann.text('ann@example.org').waitFor()

  await ann.page.getByRole('searchbox', { name: 'Filter' }).fill('tom@example.net')
  await ann.text('ann@example.org').waitFor({ state: 'detached' })
  await ann.text('tom@example.net').waitFor()
  await ann.page.getByRole('searchbox', { name: 'Filter' }).fill('')
  await ann.text('ann@example.org').waitFor()

  const file = ann.page.waitForEvent('download')
  await ann.button('Export').click()
  const lines = (await text(await (await file).createReadStream())).split('\r\n')
  expect(lines[0]).toBe('email,reason,createdAt,messageId,note')
  expect(lines.slice(1, 4).map((line) => line.split(',').slice(0, 2))).toEqual([
    ['ann@example.org', 'manual'],
    ['tom@example.net', 'manual'],
    ['550-5.1.1@sink.test', 'bounce'],
  ])

  await letConfirmationLapse(here, person)
  await ann.press('.')
  await ann.menuItem('Lift a list').click()
  await ann.field('Addresses').fill('ann@example.org\ntom@example.net')
  await ann.field('Who confirmed it, and how?').fill('Both wrote to support.')
  await ann.button('Lift the suppressions').click()
  await ann.field('Password').fill(PASSWORD)
  await ann.press('Enter')
  await ann.text('2 suppressions are lifted.').waitFor()
  const { body } = await here.projectApi.get<{ data: { email: string }[] }>('suppressions')
  expect(body.data.map(({ email }) => email)).toEqual(['550-5.1.1@sink.test'])
})
