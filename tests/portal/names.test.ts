/** Programs outside of this repository find things in the portal by these names. They do not change. */
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { mailWorld } from '../support/mail-world.ts'
import { enableTotp, letConfirmationLapse, OWNER, PASSWORD, setUp } from '../support/people.ts'
import { created } from '../support/world.ts'
import { comeIn, givePassword, house, setupPath, signInHere } from './support/people.ts'
import { visitor, type Visitor } from './support/visitor.ts'

type Role = Parameters<Visitor['page']['getByRole']>[0] | 'field'

/** What is on the page, or in a part of it; a `field` is found by its label, as passwords have no role. */
async function expectNames(
  place: Visitor['page'] | Locator,
  names: Partial<Record<Role, readonly string[]>>,
): Promise<void> {
  for (const [role, each] of Object.entries(names) as [Role, readonly string[]][]) {
    for (const name of each) {
      const found =
        role === 'field' ? place.getByLabel(name, { exact: true }) : place.getByRole(role, { name, exact: true })
      await found.first().waitFor()
    }
  }
}

test('the way in', async () => {
  const here = await house()
  const newcomer = await visitor(here)
  await newcomer.open(await setupPath(here))
  await expectNames(newcomer.page, {
    textbox: ['Your name', 'Email'],
    field: ['Password'],
    button: ['Create a passkey', 'Create the workspace'],
  })
  await enableTotp(await setUp(here))
  await newcomer.open('/sign-in')
  await expectNames(newcomer.page, {
    textbox: ['Email'],
    field: ['Password'],
    button: ['Sign in', 'Use a passkey'],
    link: ['I cannot sign in'],
  })
  await signInHere(newcomer, OWNER)
  await expectNames(newcomer.page, { textbox: ['Code'], button: ['Sign in'] })
})

test('the frame, lists and pages', async () => {
  const here = await mailWorld({ env: { WEBHOOK_ALLOW_HTTP: 'true' } })
  const { visitor: ann, person } = await comeIn(here, { role: 'owner' })
  const { page } = ann
  const at = (path: string): Promise<void> => ann.open(`/p/${here.projectId}/${path}`)
  await here.projectApi.post('suppressions', { email: 'tom@example.net' })
  await at('overview')
  await expectNames(page, { button: ['Search', 'Send an email', 'Account', 'Send a test email'] })
  await expectNames(page.getByRole('navigation', { name: 'Main', exact: true }), {
    link: ['Overview', 'Emails', 'Suppressions', 'Domains', 'Webhooks', 'API keys', 'Activity log', 'Settings'],
  })
  await ann.button('Account').click()
  await ann.menuItem('Sign out').waitFor()

  const html = '<p>Hello.</p><img src="https://images.example/a.png" alt="A">'
  const waiting = await here.send('451-4.2.0@sink.test', { html })
  await here.becomes(waiting, 'deferred')
  const mail = { from: here.config.sandboxSender, to: `delivered@${here.config.simulatorDomain}`, subject: 'Hello' }
  await here.projectApi.post('email/batch', { emails: Array.from({ length: 50 }, () => ({ ...mail, text: 'Hello.' })) })
  const webhook = created(await here.projectApi.post<{ id: string }>('webhooks', { url: 'http://127.0.0.1:1/hook' }))

  for (const [path, name] of [
    [`/p/${here.projectId}/emails`, 'Emails'],
    [`/p/${here.projectId}/webhooks`, 'Webhooks'],
    [`/p/${here.projectId}/domains`, 'Domains'],
    [`/p/${here.projectId}/suppressions`, 'Suppressions'],
    [`/p/${here.projectId}/keys`, 'API keys'],
    [`/p/${here.projectId}/log`, 'Activity log'],
    ['/settings/log', 'Activity log'],
    ['/settings/projects', 'Projects'],
    ['/settings/people', 'People'],
  ] as const) {
    await ann.open(path)
    await expectNames(page, {
      table: [name],
      searchbox: ['Filter'],
      ...(name === 'Emails' && { button: ['Show more'] }),
    })
  }

  await at(`emails/${waiting}`)
  await expectNames(page, {
    heading: ['Recipients', 'What happened', 'Facts'],
    tab: ['Preview', 'Text', 'HTML', 'Headers', 'Source', 'Attachments'],
    button: ['Try now', 'Send again', 'Load remote images'],
  })
  expect((await ann.frame('Preview of the email')).url()).toContain('/mail-frame')
  await ann.button('Send again').click()
  await expectNames(ann.dialog('Send again'), { textbox: ['To'], button: ['Send'] })

  await at('webhooks')
  await expectNames(page, { button: ['Add an endpoint', 'Send all failed again'] })
  await ann.button('Add an endpoint').click()
  await expectNames(ann.dialog('Add an endpoint'), { textbox: ['URL'], button: ['Add'] })
  await ann.field('URL').fill('http://127.0.0.1:1/by-enter')
  await ann.press('Enter')
  await ann.heading('http://127.0.0.1:1/by-enter').waitFor()
  await at(`webhooks/${webhook.id}`)
  await expectNames(page, {
    heading: ['Signing secret'],
    button: ['Show', 'Rotate', 'Send a test event', 'Send all failed again'],
  })

  await at('domains')
  await ann.button('Add a domain').click()
  await expectNames(ann.dialog('Add a domain'), { textbox: ['Domain'], button: ['Add'] })
  await ann.field('Domain').fill('by-enter.example')
  await ann.press('Enter')
  await ann.heading('by-enter.example').waitFor()
  await expectNames(page, { button: ['Look now', 'Copy value', 'Copy host'] })

  await at('suppressions')
  await page
    .getByRole('row', { name: /tom@example\.net/ })
    .getByRole('button', { name: 'Lift', exact: true })
    .click()
  await expectNames(ann.dialog(), { textbox: ['Who confirmed it, and how?'], button: ['Lift the suppression'] })
  await ann.press('Escape')

  await givePassword(here, ann, person)
  await letConfirmationLapse(here, person)
  await at(`webhooks/${webhook.id}`)
  await ann.button('Show').click()
  await expectNames(ann.dialog('Confirm that it is you'), {
    heading: ['Confirm that it is you'],
    field: ['Password'],
    button: ['Confirm'],
  })
  await ann.field('Password').fill(PASSWORD)
  await ann.press('Enter')
  await ann.button('Hide').waitFor()

  await at('keys')
  await ann.button('New key').click()
  await expectNames(ann.dialog('New key'), { textbox: ['Name'], radio: ['Only send'], button: ['Create'] })
  await ann.field('Name').fill('Web shop')
  await ann.button('Create').click()
  await ann.button('I have stored it').waitFor()

  await ann.open('/settings/people')
  await ann.button('Invite').click()
  await expectNames(ann.dialog(), { textbox: ['Email'], combobox: ['Role'], button: ['Create the invitation'] })
})
