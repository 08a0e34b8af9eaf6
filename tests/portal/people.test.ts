import { expect, test } from 'vitest'
import { PASSWORD, signIn } from '../support/people.ts'
import { axeFindings } from './support/axe.ts'
import { comeIn, house } from './support/people.ts'
import { visitor } from './support/visitor.ts'

test('the link of an invitation is shown until somebody says that they have it, and nowhere afterwards', async () => {
  const here = await house()
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  await ann.open('/settings/people')
  await ann.button('Invite').click()
  await ann.field('Email').fill('ben@example.com')
  await ann.press('Enter')
  const link = ann.page.getByRole('region', { name: 'Invitation link' })
  expect(await link.textContent()).toContain(`${here.url}/invitation#pi_`)
  await ann.press('Escape')
  expect(await link.isVisible()).toBe(true)
  await ann.button('Done').click()
  await ann.text('ben@example.com').waitFor()
  expect(await ann.page.locator('html').innerHTML()).not.toContain('#pi_')
})

test('roles are changed for all projects and for single ones, by keyboard alone', async () => {
  const here = await house()
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  const { person: ben } = await comeIn(here, { role: 'viewer', project: here.projectId, name: 'Ben Okafor' })
  await ann.open('/settings/people')
  const row = ann.page.getByRole('row', { name: /Ben Okafor/ })
  await row.getByText('Viewer in default').waitFor()
  await ann.tabTo(row.getByRole('button', { name: 'Roles' }))
  await ann.press('Enter')
  await ann.combobox('In all projects').waitFor()
  await ann.page.keyboard.type('Mark')
  await ann.press('Tab')
  await ann.page.keyboard.type('No')
  await ann.press('Tab', 'Enter')
  await row.getByText('Marketer in all projects').waitFor()
  expect(ann.input.clicks).toBe(0)
  const read = await here.api.get(`people/${ben.id}`)
  expect(read.body).toMatchObject({ role: 'marketer', projects: [] })
})

test('an owner makes a link for somebody who cannot sign in, and it lets them choose a new password; an admin does not', async () => {
  const here = await house()
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  const { person: ben } = await comeIn(here, { role: 'viewer', name: 'Ben Okafor' })
  await ann.open('/settings/people')
  await ann.button('More for Ben Okafor').click()
  await ann.menuItem('Make a recovery link').click()
  const shown = ann.page.getByRole('region', { name: 'Recovery link' })
  const link = (await shown.textContent()) ?? ''
  expect(link).toContain(`${here.url}/recover#pr_`)
  expect(await axeFindings(ann)).toEqual([])
  // Neither Escape nor a press beside it closes what is shown once.
  await ann.press('Escape')
  expect(await shown.isVisible()).toBe(true)
  await ann.button('Done').click()
  expect(await ann.page.locator('html').innerHTML()).not.toContain('#pr_')

  const back = await visitor(here)
  await back.page.goto(link)
  await back.field('Password').fill(PASSWORD)
  await back.press('Enter')
  await back.heading('Overview').waitFor()
  expect((await ben.client.get('/session')).status).toBe(401)

  const { visitor: admin } = await comeIn(here, { role: 'admin' })
  await admin.open('/settings/people')
  await admin.button('More for Ben Okafor').click()
  await admin.menuItem('Sign out everywhere').waitFor()
  expect(await admin.menuItem('Make a recovery link').count()).toBe(0)
})

test('what the API refuses is said where it was asked: the last owner stays', async () => {
  const here = await house()
  const { visitor: ann } = await comeIn(here, { role: 'owner', name: 'Ann Lee' })
  await ann.open('/settings/people')
  await ann.page
    .getByRole('row', { name: /Ann Lee/ })
    .getByRole('button', { name: 'Roles' })
    .click()
  await ann.combobox('In all projects').selectOption('Viewer')
  await ann.button('Save the roles').click()
  await ann.dialog().getByRole('alert').waitFor()
  expect(await ann.combobox('In all projects').inputValue()).toBe('viewer')
})

test.each([
  ['light', 'wide'],
  ['dark', 'narrow'],
] as const)('pages of the workspace have no finding of axe and fit their window: %s, %s', async (scheme, screen) => {
  const here = await house()
  const { visitor: ann, person } = await comeIn(here, { role: 'owner' }, { scheme, screen })
  await person.client.post('people/invitations', { email: 'ben@example.com', role: 'viewer' })
  await person.client.patch(`projects/${here.projectId}`, { quota: { emailsPerDay: 100 } })
  const look = async (path: string, title: string, shown: string): Promise<void> => {
    await ann.open(path)
    await ann.heading(title).waitFor()
    await ann.text(shown).first().waitFor()
    expect(await axeFindings(ann), path).toEqual([])
    expect(await ann.sideways(), path).toEqual([])
  }
  await look('/settings', 'Workspace', 'Ask everybody for a second factor')
  await look('/settings/projects', 'Projects', '0 of 100 today')
  await look('/settings/people', 'People', 'ben@example.com')
  await ann.button('Invite').click()
  await ann.choice('Only in some projects').check()
  expect(await axeFindings(ann)).toEqual([])
  expect(await ann.sideways()).toEqual([])
  await look('/me', 'My account', 'This one')
})

test('who may not administer sees no people, and settings that cannot be changed', async () => {
  const here = await house()
  const { visitor: ben } = await comeIn(here, { role: 'author', project: here.projectId })
  await ben.open('/settings')
  await ben.text('Owners and admins of the workspace can change this.').first().waitFor()
  expect(await ben.link('People').count()).toBe(0)
  await ben.open('/settings/people')
  await ben.heading('Not for your role').first().waitFor()
})

test.each(['disabled', 'removed'] as const)(
  'the invitations of a person who is %s go from the page with them',
  async (end) => {
    const here = await house()
    const { visitor: ann } = await comeIn(here, { role: 'owner' })
    const ben = await signIn(here, { role: 'admin', name: 'Ben Okafor' })
    expect((await ben.client.post('people/invitations', { email: 'eve@example.com', role: 'viewer' })).status).toBe(201)
    await ann.open('/settings/people')
    await ann.text('eve@example.com').waitFor()
    if (end === 'disabled') {
      await ann.button('More for Ben Okafor').click()
      await ann.menuItem('Disable').click()
    } else {
      await ann.page
        .getByRole('row', { name: /Ben Okafor/ })
        .getByRole('button', { name: 'Remove' })
        .click()
      await ann.dialog().getByRole('button', { name: 'Remove', exact: true }).click()
    }
    await ann.text('eve@example.com').waitFor({ state: 'detached' })
  },
)
