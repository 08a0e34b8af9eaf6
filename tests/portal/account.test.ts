import { expect, test } from 'vitest'
import { letConfirmationLapse, PASSWORD } from '../support/people.ts'
import { totpNow } from '../support/totp.ts'
import { comeIn, giveAuthenticator, givePassword, house, signInHere } from './support/people.ts'
import { visitor } from './support/visitor.ts'

test('codes of an authenticator are set up, shown once, asked for at sign-in, and replaced by a recovery code', async () => {
  const here = await house()
  const { visitor: ann, person } = await comeIn(here, { role: 'owner', email: 'ann@example.com' })
  await ann.open('/me')
  await ann.button('Set a password').click()
  await ann.field('New password').fill(PASSWORD)
  await ann.press('Enter')
  await ann.text('You have a password.').waitFor()
  await ann.button('Set up codes').click()
  const secret = await ann.page.getByRole('region', { name: 'Or type this secret into the app' }).textContent()
  await ann.field('Code').fill('000000')
  await ann.press('Enter')
  await ann.dialog().getByRole('alert').waitFor()
  await ann.field('Code').fill(totpNow(secret ?? ''))
  await ann.press('Enter')
  const list = ann.page.getByRole('region', { name: 'Recovery codes' })
  const codes = ((await list.textContent()) ?? '').split('\n')
  expect(new Set(codes).size).toBe(10)
  // Neither Escape nor a press beside it closes what is shown once.
  await ann.press('Escape')
  expect(await list.isVisible()).toBe(true)
  await ann.button('I have stored them').click()
  await ann.button('Switch off').waitFor()
  expect(await ann.page.locator('html').innerHTML()).not.toContain(codes[0])

  const again = await visitor(here)
  await again.open('/sign-in')
  await signInHere(again, person.email)
  await again.field('Code').waitFor()
  await again.page.keyboard.type('123')
  expect(await again.field('Code').inputValue()).toBe('123')
  await again.button('Use a recovery code').click()
  await again.field('Recovery code').fill(codes[0] ?? '')
  await again.press('Enter')
  await again.heading('Overview').waitFor()
})

test('a passkey is added, renamed and removed; the last way in stays', async () => {
  const here = await house()
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  await giveAuthenticator(ann)
  await ann.open('/me')
  await ann.button('Add a passkey').click()
  await ann.field('Name').last().fill('Laptop')
  await ann.press('Enter')
  await ann.page
    .getByRole('row', { name: /Laptop/ })
    .getByRole('button', { name: 'Rename' })
    .click()
  await ann.field('Name').last().fill('Old laptop')
  await ann.press('Enter')
  await ann.page
    .getByRole('row', { name: /Old laptop/ })
    .getByRole('button', { name: 'Remove' })
    .click()
  await ann.dialog().getByRole('button', { name: 'Remove' }).click()
  await ann
    .dialog()
    .getByText(/last way in/)
    .waitFor()
})

test('other sessions are listed with where they are, and ended one by one or all', async () => {
  const here = await house()
  const { visitor: ann, person } = await comeIn(here, { role: 'owner', email: 'ann@example.com' })
  await givePassword(here, ann, person)
  const signInAgain = async () => {
    const other = await visitor(here)
    await other.open('/sign-in')
    await signInHere(other, person.email)
    await other.heading('Overview').waitFor()
    return other
  }
  const others = [await signInAgain(), await signInAgain()]
  await ann.open('/me')
  const sessions = ann.table('Where you are signed in')
  await sessions.waitFor()
  expect(await sessions.getByRole('row').count()).toBe(1 + 3)
  await sessions.getByRole('button').first().click()
  await ann.text('The session has ended.').waitFor()
  await ann.button('Sign out all others').click()
  await ann.text('1 session has ended.').waitFor()
  for (const other of others) {
    await other.page.reload()
    await other.heading('Sign in').waitFor()
  }
})

test('the zone, single keys and colours are in force at once', async () => {
  const here = await house()
  const { visitor: ann } = await comeIn(here, { role: 'viewer' })
  await ann.open('/me')
  await ann.combobox('Time zone').fill('Auckland')
  await ann.press('ArrowDown', 'Enter')
  await ann.button('Save').click()
  await ann.text('Saved.').waitFor()
  await ann.page.getByRole('switch', { name: 'Single letters are keys' }).click()
  await ann.choice('Dark').check()
  expect(await ann.page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark')
  await ann.page.reload()
  await ann.heading('My account').waitFor()
  expect(await ann.combobox('Time zone').inputValue()).toBe('Pacific/Auckland')
  expect(await ann.page.getByRole('switch', { name: 'Single letters are keys' }).isChecked()).toBe(false)
  expect(await ann.page.locator('html').getAttribute('data-scheme')).toBe('dark')
})

test('a password is confirmed as it was chosen, spaces at its ends included', async () => {
  const here = await house()
  const { visitor: ann, person } = await comeIn(here, { role: 'owner' })
  const spaced = ` ${PASSWORD} `
  await givePassword(here, ann, person, spaced)
  await letConfirmationLapse(here, person)
  await ann.open('/me')
  await ann.button('Set up codes').click()
  await ann.dialog('Confirm that it is you').getByLabel('Password', { exact: true }).fill(spaced)
  await ann.press('Enter')
  await ann.field('Code').waitFor()
})

test('an outage during a confirmation is not taken for a wrong password, and a wrong password is', async () => {
  const here = await house()
  const { visitor: ann, person } = await comeIn(here, { role: 'owner' })
  await givePassword(here, ann, person)
  await letConfirmationLapse(here, person)
  await ann.open('/me')
  await ann.button('Set up codes').click()
  const asked = ann.dialog('Confirm that it is you')
  const password = asked.getByLabel('Password', { exact: true })
  await ann.page.route('**/session/confirm', (route) => route.abort())
  await password.fill(PASSWORD)
  await ann.press('Enter')
  await asked.getByRole('alert').waitFor()
  expect(await password.getAttribute('aria-invalid')).toBeNull()
  await ann.page.unroute('**/session/confirm')
  await password.fill('gravel teapot')
  await ann.press('Enter')
  await asked.locator('[aria-invalid="true"]').waitFor()
  expect(await asked.getByRole('alert').count()).toBe(0)
})
