import { expect, test } from 'vitest'
import { comeIn, house } from './support/people.ts'

test('a project is created, limited, paused, resumed by Undo, archived by its name, and restored', async () => {
  const here = await house()
  const { visitor: ann, person } = await comeIn(here, { role: 'owner' })
  const row = ann.page.getByRole('row', { name: /Newsletter/ })
  const stored = async () => {
    const { body } = await person.client.get<{ data: { name: string }[] }>('projects')
    return body.data.find(({ name }) => name === 'Newsletter')
  }
  await ann.open('/settings/projects')
  await ann.button('New project').click()
  await ann.field('Name').fill('Newsletter')
  await ann.press('Enter')
  await row.waitFor()

  await row.getByRole('button', { name: 'Edit' }).click()
  await ann.page.getByLabel('Emails per day').fill('500')
  await ann.press('Enter')
  await row.getByText('0 of 500 today').waitFor()
  expect(await stored()).toMatchObject({ quota: { emailsPerDay: 500, emailsPerMonth: null } })

  await row.getByRole('button', { name: 'Pause' }).click()
  await row.getByText('Paused').waitFor()
  await ann.button('Undo').click()
  await row.getByText('Active').waitFor()

  await row.getByRole('button', { name: 'More for Newsletter' }).click()
  await ann.menuItem('Archive').click()
  await ann.field('Type Newsletter to go on').fill('Newslet')
  await ann.press('Enter')
  expect(await ann.dialog().isVisible()).toBe(true)
  expect(await stored()).toMatchObject({ status: 'active' })
  await ann.field('Type Newsletter to go on').fill('Newsletter')
  await ann.press('Enter')
  await row.getByText('Archived').waitFor()
  expect(await stored()).toMatchObject({ status: 'archived' })
  await row.getByRole('button', { name: 'Restore' }).click()
  await row.getByText('Active').waitFor()
})

test('the workspace is renamed, and asks for a second factor: who has none can only add one', async () => {
  const here = await house()
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  const { visitor: ben } = await comeIn(here, { role: 'viewer' })
  await ann.open('/settings')
  await ann.field('Name of the workspace').fill('Teapots')
  await ann.checkbox('Ask everybody for a second factor').check()
  await ann.press('Enter')
  await ann.text('Saved.').waitFor()
  expect((await here.api.get('workspace')).body).toMatchObject({ name: 'Teapots', secondFactor: 'required' })
  await ben.open('/')
  await ben.text('This workspace asks for a second factor.').waitFor()
  expect(new URL(ben.page.url()).pathname).toBe('/me')
})
