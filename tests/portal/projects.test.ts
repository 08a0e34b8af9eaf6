import { expect, test } from 'vitest'
import { simulated } from '../contract/requests.ts'
import { eventually } from '../support/eventually.ts'
import { accepted } from '../support/world.ts'
import { comeIn, house } from './support/people.ts'
import type { Visitor } from './support/visitor.ts'

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

const changeTo = async (ann: Visitor, project: string): Promise<void> => {
  await ann.page.getByRole('button', { name: /^Project/ }).click()
  await ann.page.getByRole('menuitem', { name: new RegExp(project) }).click()
}

test('with another project in the menu, nothing of the first stays on the page', async () => {
  const here = await house()
  const other = await here.newProject('Newsletter')
  for (let i = 0; i < 7; i++) accepted(await here.projectApi.post('email/send', simulated))
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  const accepted7 = ann.page
    .locator('dt', { hasText: /^Accepted$/ })
    .locator('..')
    .getByText('7', { exact: true })
  await ann.open(`/p/${here.projectId}/overview`)
  await accepted7.waitFor()
  // The numbers of the other project are not answered as long as the test looks.
  let isAsked = false
  await ann.page.route('**/statistics/emails?*', () => void (isAsked = true))
  await changeTo(ann, 'Newsletter')
  await eventually('the numbers are asked for', () => isAsked)
  expect(new URL(ann.page.url()).pathname).toBe(`/p/${other}/overview`)
  expect(await accepted7.count()).toBe(0)

  await ann.open(`/p/${here.projectId}/keys`)
  await ann.field('Filter').fill('nothing is called so')
  await ann.heading('Nothing matches').waitFor()
  await changeTo(ann, 'Newsletter')
  await ann.page.waitForURL(`/p/${other}/keys`)
  await expect.poll(() => ann.field('Filter').inputValue()).toBe('')
})
