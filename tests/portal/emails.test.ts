import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { mailWorld } from '../support/mail-world.ts'
import { created } from '../support/world.ts'
import { axeFindings } from './support/axe.ts'
import { comeIn } from './support/people.ts'

const html = `<p>It is on its way.</p><img src="cid:logo" alt="Shop">
  <img src="https://images.example/a.png" alt="A"><img src="http://images.example/b.png" alt="B">`

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('an email that bounced says why, and an address that looks misspelt is questioned', async () => {
  const here = await mailWorld()
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  const id = await here.send('550-5.1.1@sink.test', { subject: 'Your order', html })
  await here.becomes(id, 'bounced')
  await ann.open(`/p/${here.projectId}/emails/${id}`)
  for (const name of ['Recipients', 'What happened', 'Facts']) await ann.heading(name).waitFor()
  await ann
    .text(/550 5\.1\.1/)
    .first()
    .waitFor()
  expect(await axeFindings(ann)).toEqual([])

  await ann.button('Send again').click()
  const to = ann.dialog('Send again').getByRole('textbox', { name: 'To', exact: true })
  await to.focus()
  await ann.press('Backspace')
  await to.fill('ann@gmial.com')
  await ann.press('Enter')
  await ann.text('Did you mean ann@gmail.com?').waitFor()
  await ann.button('Take it').click()
  await ann.button('Remove ann@gmail.com').waitFor()
  expect(await ann.text('Did you mean ann@gmail.com?').count()).toBe(0)
})

test('the parts of an email are shown, and nothing is fetched from others', async () => {
  const here = await mailWorld()
  const { visitor: ann } = await comeIn(here, { role: 'owner' }, { screen: 'narrow', scheme: 'dark' })
  const logo = { filename: 'logo.png', content: pixel, contentId: 'logo' }
  const id = await here.send('ann@sink.test', { subject: 'Your order', html, attachments: [logo] })
  await here.becomes(id, 'delivered')
  await ann.open(`/p/${here.projectId}/emails/${id}`)
  await ann.button('Load remote images').waitFor()
  await ann.text(/1 image stays out/).waitFor()
  await eventually('the preview shows the image that the mail brings', async () => {
    const mail = (await ann.frame('Preview of the email')).childFrames()[0]
    return mail
      ?.locator('img[alt="Shop"]')
      .evaluate((image: HTMLImageElement) => image.src.startsWith('data:image/png'))
  })
  for (const [tab, text] of [
    ['Text', 'It is on its way.'],
    ['HTML', 'cid:logo'],
    ['Headers', 'DKIM-Signature'],
    ['Source', 'Content-Type: multipart/'],
    ['Attachments', 'logo.png'],
  ] as const) {
    await ann.tab(tab).click()
    await ann.page.getByRole('tabpanel').getByText(text).first().waitFor()
    expect(await ann.sideways(), tab).toEqual([])
    expect(await axeFindings(ann), tab).toEqual([])
  }
})

test('an email that waits is tried at once', async () => {
  const here = await mailWorld()
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  const id = await here.send('451-4.2.0@sink.test')
  const attempts = async () => (await here.email(id)).recipients[0]?.attempts ?? 0
  await here.becomes(id, 'deferred')
  const before = await attempts()
  await ann.open(`/p/${here.projectId}/emails/${id}`)
  await ann.button('Try now').click()
  await ann.text('It is being tried now.').waitFor()
  await eventually('it was tried', async () => (await attempts()) > before)
})

test('a scheduled email is moved and cancelled', async () => {
  const here = await mailWorld()
  // A time zone without summer time.
  const { visitor: ann } = await comeIn(here, { role: 'owner' }, { timeZone: 'Asia/Tokyo' })
  const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
  const id = await here.send('ann@sink.test', { sendAt: new Date(Date.now() + 3_600_000).toISOString() })
  await ann.open(`/p/${here.projectId}/emails/${id}`)
  await ann.button('Reschedule').click()
  await ann.field('When').fill(`${day}T10:30`)
  await ann.button('Move').click()
  await ann.text('The email was moved.').waitFor()
  expect(await here.email(id)).toMatchObject({ sendAt: `${day}T01:30:00.000Z` })
  await ann.button('Cancel sending').click()
  await ann.dialog().getByRole('button', { name: 'Cancel sending', exact: true }).click()
  await here.becomes(id, 'cancelled')
})

test('the list is filtered by its address, and an empty project tries every outcome', async () => {
  const here = await mailWorld({ bare: true })
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  await ann.open(`/p/${here.projectId}/emails`)
  await ann.button('Send a test of each outcome').click()
  const rows = ann.table('Emails').getByRole('row')
  await rows.getByText('Bounced', { exact: true }).first().waitFor()
  expect(await rows.count()).toBe(8)
  await rows.getByText('Quarantined', { exact: true }).first().waitFor()
  await ann.open(`/p/${here.projectId}/emails?status=bounced`)
  await rows.filter({ hasText: 'A test: Bounced' }).waitFor()
  expect(await rows.count()).toBe(2)
  await ann.page.getByRole('searchbox', { name: 'Filter' }).fill('quarantined')
  await ann.text('Nothing matches').waitFor()
  expect(new URL(ann.page.url()).search).toBe('?status=bounced&q=quarantined')
  await ann.button('Drop all filters').click()
  await rows.nth(7).waitFor()
})

test('every row is selected by keyboard on the narrowest screen, and the box is seen', async () => {
  const here = await mailWorld()
  const { visitor: ann } = await comeIn(here, { role: 'owner' }, { screen: 'narrow' })
  for (const to of ['ann@sink.test', 'bea@sink.test']) await here.becomes(await here.send(to), 'delivered')
  await ann.open(`/p/${here.projectId}/emails`)
  await ann.text('bea@sink.test').first().waitFor()
  await ann.tabTo(ann.page.getByRole('checkbox', { name: 'Select all', exact: true }))
  await ann.press('Space')
  await ann.text('2 selected').waitFor()
})

test('an email is written by keyboard alone, with a preview of what is sent', async () => {
  const here = await mailWorld({ bare: true })
  const { visitor: ann } = await comeIn(here, { role: 'owner' }, { screen: 'narrow' })
  const to = `delivered@${here.config.simulatorDomain}`
  await ann.open(`/p/${here.projectId}/send`)
  await ann.tabTo(ann.field('To'))
  await ann.page.keyboard.type(`${to},`)
  await ann.tabTo(ann.field('Subject'))
  await ann.page.keyboard.type('Hello {{ name }}')
  await ann.tabTo(ann.page.getByRole('textbox', { name: 'Text', exact: true }))
  await ann.page.keyboard.type('It works, {{ name }}.')
  await ann.tabTo(ann.button('Add variables'))
  await ann.press('Enter')
  await ann.tabTo(ann.field('Variables'))
  await ann.page.keyboard.type('{"name": "Ann"}')
  await ann.text('It works, Ann.').waitFor()
  await ann.text('Nothing is wrong with it.').waitFor()
  expect(await ann.sideways()).toEqual([])
  expect(await axeFindings(ann)).toEqual([])
  await ann.press('Control+Enter')
  await ann.heading('What happened').waitFor()
  expect(ann.input.clicks).toBe(0)
  const id = new URL(ann.page.url()).pathname.split('/').at(-1) ?? ''
  expect(await here.becomes(id, 'delivered')).toMatchObject({
    to: [to],
    subject: 'Hello Ann',
    sentBy: { type: 'person' },
  })
})

test('what is written in one project is not in the form of another, and is there again on coming back', async () => {
  const here = await mailWorld({ bare: true })
  const { api, projectId } = here
  const other = created(await api.post<{ id: string }>('projects', { name: 'Newsletter' }))
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  const goTo = async (name: RegExp, id: string): Promise<void> => {
    await ann.page.getByRole('button', { name: /^Project/ }).click()
    await ann.page.getByRole('menuitem', { name }).click()
    if (id === other.id)
      await ann.dialog('Leave this page?').getByRole('button', { name: 'Leave', exact: true }).click()
    await ann.page.waitForURL(`/p/${id}/send`)
  }
  await ann.open(`/p/${projectId}/send`)
  await ann.field('Subject').fill('Only for the first')
  await goTo(/Newsletter/, other.id)
  await expect.poll(() => ann.field('Subject').inputValue(), { timeout: 30_000 }).toBe('')
  await goTo(/default/, projectId)
  await expect.poll(() => ann.field('Subject').inputValue(), { timeout: 30_000 }).toBe('Only for the first')
})

test('a draft that is back says that its files are not', async () => {
  const here = await mailWorld({ bare: true })
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  await ann.open(`/p/${here.projectId}/send`)
  await ann.field('Subject').fill('With a file')
  const file = { name: 'terms.txt', mimeType: 'text/plain', buffer: Buffer.from('None.') }
  await ann.page.locator('input[type=file]').setInputFiles(file)
  await ann.text('terms.txt').waitFor()
  await ann.page.reload()
  await ann.text('Files are not kept: choose attachments again.').waitFor()
  expect(await ann.field('Subject').inputValue()).toBe('With a file')
  expect(await ann.text('terms.txt').count()).toBe(0)
})

test('a draft that is back is not left without a question either', async () => {
  const here = await mailWorld({ bare: true })
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  await ann.open(`/p/${here.projectId}/send`)
  await ann.field('Subject').fill('Not sent yet')
  await ann.page.reload()
  await ann.text(/What you wrote here before is back/).waitFor()
  await ann.link('Emails').click()
  await ann.dialog('Leave this page?').waitFor()
})
