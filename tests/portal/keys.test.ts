import { expect, test } from 'vitest'
import { axeFindings } from './support/axe.ts'
import { comeIn, house } from './support/people.ts'

test('a key that can only send is made with four clicks, shown once, and revoked', async () => {
  const here = await house()
  const { visitor: ann, person } = await comeIn(here, { role: 'developer', project: here.projectId })
  await ann.open(`/p/${here.projectId}/overview`)
  await ann.link('API keys').click()
  await ann.button('New key').click()
  await ann.field('Name').fill('Web shop')
  await ann.choice('Only send').click()
  await ann.button('Create').click()
  const secret = await ann.text(/^ph_live_\w+$/).innerText()
  expect(ann.input.clicks).toBeLessThanOrEqual(4)
  expect(await axeFindings(ann)).toEqual([])

  await ann.press('Escape')
  await ann.page.mouse.click(2, 2)
  expect(await ann.button('I have stored it').isVisible()).toBe(true)
  await ann.button('I have stored it').click()
  await ann.dialog().waitFor({ state: 'detached' })
  expect(await ann.page.content()).not.toContain(secret)

  const { body } = await person.client.get<{ data: { id: string; name: string }[] }>('api-keys')
  const made = body.data.find(({ name }) => name === 'Web shop')
  expect(made).toMatchObject({
    projectId: here.projectId,
    scopes: ['email:send'],
    contentAccess: 'none',
    createdBy: person.id,
  })
  const program = here.api.with(secret)
  expect((await program.get('emails')).status).toBe(200)
  expect((await program.get('templates')).status).toBe(403)

  const row = ann.table('API keys').getByRole('row', { name: /Web shop/ })
  await row.getByText('You').waitFor()
  await row.getByRole('button', { name: 'Revoke Web shop' }).click()
  await ann.dialog().getByRole('button', { name: 'Revoke', exact: true }).click()
  await row.waitFor({ state: 'detached' })
  expect((await program.get('emails')).status).toBe(401)
})

test('a key gets scopes one by one, by keyboard alone, on a narrow screen', async () => {
  const here = await house()
  const { visitor: ann, person } = await comeIn(here, { role: 'owner' }, { screen: 'narrow', scheme: 'dark' })
  await ann.open(`/p/${here.projectId}/keys`)
  await ann.tabTo(ann.button('New key'))
  await ann.press('Enter')
  await ann.dialog('New key').waitFor()
  await ann.page.keyboard.type('Reader')
  await ann.tabTo(ann.choice('Only send'))
  await ann.press('ArrowUp')
  await ann.tabTo(ann.checkbox('receiving:read'))
  await ann.press('Space')
  expect(await ann.scrollsSideways()).toBe(false)
  expect(await axeFindings(ann)).toEqual([])
  await ann.tabTo(ann.button('Create'))
  await ann.press('Enter')
  await ann.tabTo(ann.button('I have stored it'))
  await ann.press('Enter')
  await ann.dialog().waitFor({ state: 'detached' })
  const { body } = await person.client.get<{ data: { name: string }[] }>('api-keys')
  expect(body.data.find(({ name }) => name === 'Reader')).toMatchObject({ scopes: ['receiving:read'] })
  expect(await ann.scrollsSideways()).toBe(false)
  expect(ann.input.clicks).toBe(0)
})
