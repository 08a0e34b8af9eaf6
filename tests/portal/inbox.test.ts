/** Received mail in the portal: reading it, answering it, and getting an address for it. */
import { expect, test } from 'vitest'
import { piecesOf } from '../../portal/src/kit/visible.ts'
import { sql } from '../../src/storage/sql.ts'
import { eventually } from '../support/eventually.ts'
import { receivingWorld } from '../support/receiving.ts'
import { payloads } from './payloads.ts'
import { axeFindings } from './support/axe.ts'
import { comeIn } from './support/people.ts'

test('somebody without an address gets one, writes to it, and reads the mail without reloading', async () => {
  const here = await receivingWorld()
  const { visitor: ann } = await comeIn(here, { role: 'owner' }, { screen: 'narrow' })
  await ann.open(`/p/${here.projectId}/inbox`)
  await ann.button('Get an address now').click()
  await ann.button('Copy address').waitFor()
  const { body } = await here.projectApi.get<{ data: { name: string }[] }>('receiving/domains')
  const address = `hello@${body.data[0]!.name}`
  await ann.text(address).waitFor()
  await here.mail({ to: address, subject: 'The first one', text: 'Hello.' })
  await ann.page.getByRole('link', { name: /ann@sender.test/ }).click()
  await ann.heading('The first one').waitFor()
  await ann.text('Hello.').first().waitFor()
  expect(await ann.sideways()).toEqual([])
})

test('a mail shows its parts, and its files can be saved', async () => {
  const here = await receivingWorld()
  const address = `hello@${await here.managedDomain()}`
  await here.mail({
    to: address,
    subject: 'Two files',
    html: '<p>See <b>below</b>.</p><img src="cid:logo">',
    text: 'See below.',
    attachments: [
      { filename: 'logo.png', cid: 'logo', content: Buffer.from('89504e470d0a1a0a', 'hex') },
      { filename: 'terms.txt', content: 'The terms' },
    ],
  })
  const { id } = await here.arrived(address)
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  await ann.open(`/p/${here.projectId}/inbox`)
  await ann.table('Inbox').getByText('Two files').click()
  const inner = ann.page.frameLocator('iframe[title="Preview of the email"]').frameLocator('iframe')
  await inner.getByText('below').waitFor()
  await expect.poll(() => inner.locator('img').getAttribute('src')).toMatch(/^data:image\/png;base64,iVBORw0KGgo/)
  await ann.tab('Text').click()
  await ann.text('See below.').waitFor()
  await ann.tab('Headers').click()
  await ann.text('Two files').last().waitFor()
  await ann.tab('Source').click()
  await ann.text(/^Received: from/).waitFor()
  await ann.tab('Attachments').click()
  const [file] = await Promise.all([ann.page.waitForEvent('download'), ann.button('Download terms.txt').click()])
  expect(file.suggestedFilename()).toBe('terms.txt')
  await ann.open(`/${id}`)
  await ann.heading('Two files').waitFor()
})

test('a reply goes to who asked for it, below what it answers', async () => {
  const here = await receivingWorld({ bare: false })
  await here.verifiedDomain('shop.example')
  const address = `hello@${await here.managedDomain()}`
  await here.mail({
    to: address,
    subject: 'Is it there?',
    text: 'Hello?',
    replyTo: 'team@example.org',
    messageId: '<question@sender.test>',
  })
  await here.arrived(address)
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  await ann.open(`/p/${here.projectId}/inbox`)
  await ann.table('Inbox').getByText('Is it there?').click()
  await ann.button('Reply').click()
  await ann.dialog().waitFor()
  await expect.poll(() => ann.field('From').inputValue()).toBe('hello@shop.example')
  expect(await ann.field('Subject').inputValue()).toBe('Re: Is it there?')
  await ann.dialog().getByLabel('Text', { exact: true }).fill('It is.')
  await ann.button('Send').click()
  await ann.heading('What happened').waitFor()
  const sent = await eventually('the reply was accepted', async () => {
    const { body } = await here.projectApi.get<{ data: { id: string; to: string[]; subject: string }[] }>('emails')
    return body.data[0]
  })
  expect(sent).toMatchObject({ to: ['team@example.org'], subject: 'Re: Is it there?' })
  const { body: reply } = await here.projectApi.get<{ inReplyTo: string; text: string; from: string }>(
    `emails/${sent.id}`,
  )
  expect(reply).toMatchObject({ inReplyTo: '<question@sender.test>', text: 'It is.', from: 'hello@shop.example' })
})

test('a reply that is open goes with its mail when the browser goes back to another', async () => {
  const here = await receivingWorld()
  const address = `hello@${await here.managedDomain()}`
  for (const writer of ['ben', 'cleo']) {
    await here.mail({ to: address, from: `${writer}@sender.test`, subject: `From ${writer}`, text: 'Hello.' })
    await eventually(`the mail of ${writer}`, async () => (await here.list())[0]?.subject === `From ${writer}`)
  }
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  await ann.open(`/p/${here.projectId}/inbox`)
  await ann.table('Inbox').getByText('From cleo').click()
  await ann.link('Open').click()
  await ann.page.getByRole('heading', { name: 'From cleo', level: 1 }).waitFor()
  await ann.press(']')
  await ann.heading('From ben').waitFor()
  await ann.button('Reply').click()
  await ann.dialog().waitFor()
  await ann.page.goBack()
  await ann.page.getByRole('heading', { name: 'From cleo', includeHidden: true }).waitFor()
  expect(await ann.dialog().count()).toBe(0)
  await ann.button('Reply').click()
  await ann.dialog().getByText('cleo@sender.test').waitFor()
})

test('what this person has not seen yet is marked, until the next visit', async () => {
  const here = await receivingWorld()
  const address = `hello@${await here.managedDomain()}`
  await here.mail({ to: address, subject: 'Old', text: 'Old.' })
  await here.arrived(address)
  const { visitor: ann, person } = await comeIn(here, { role: 'owner' })
  const marked = ann.table('Inbox').getByText('new', { exact: true })
  await ann.open(`/p/${here.projectId}/inbox`)
  await expect.poll(() => marked.count()).toBe(1)
  await eventually('it is remembered', async () => {
    const { body } = await person.client.get<{ person: { preferences: object } }>('/session')
    return 'inboxSeen' in body.person.preferences
  })
  await ann.open(`/p/${here.projectId}/inbox`)
  await ann.table('Inbox').getByText('Old').waitFor()
  expect(await marked.count()).toBe(0)
  await here.mail({ to: address, subject: 'Young', text: 'Young.' })
  await ann.table('Inbox').getByText('Young').waitFor()
  expect(await marked.count()).toBe(1)
})

test('mail that comes while a mark is being written is seen too, and other preferences stay', async () => {
  const here = await receivingWorld()
  const address = `hello@${await here.managedDomain()}`
  const { visitor: ann, person } = await comeIn(here, { role: 'owner' })
  const preferences = async () =>
    (await person.client.get<{ person: { preferences: Record<string, unknown> } }>('/session')).body.person.preferences
  const newestIsSeen = async (): Promise<boolean> => {
    const [newest] = await here.list()
    const seen = (await preferences())['inboxSeen'] as Record<string, string> | undefined
    return newest !== undefined && seen?.[here.projectId] === newest.receivedAt
  }
  await here.mail({ to: address, subject: 'The first', text: 'One.' })
  await here.arrived(address)
  const { promise: isWritten, resolve: write } = Promise.withResolvers<void>()
  let marks = 0
  await ann.page.route('**/session/me', async (route) => {
    if (++marks === 1) await isWritten
    await route.continue()
  })
  await ann.open(`/p/${here.projectId}/inbox`)
  await eventually('the first mark is under way', () => marks === 1)
  await here.mail({ to: address, subject: 'The second', text: 'Two.' })
  await ann.table('Inbox').getByText('The second').waitFor()
  write()
  await eventually('the second is seen', newestIsSeen)

  await person.client.patch('/session/me', { preferences: { ...(await preferences()), ofAnotherTab: true } })
  await here.mail({ to: address, subject: 'The third', text: 'Three.' })
  await ann.table('Inbox').getByText('The third').waitFor()
  await eventually('the third is seen', newestIsSeen)
  expect(await preferences()).toMatchObject({ ofAnotherTab: true })
})

test('what strangers write is text, in every part', async () => {
  const here = await receivingWorld()
  const address = `hello@${await here.managedDomain()}`
  const hostile = payloads['handler of an image']!
  const turned = payloads['turned round']!
  await here.mail({
    to: address,
    from: { name: turned, address: 'ann@sender.test' },
    subject: hostile,
    html: hostile,
    text: hostile,
    headers: { 'x-note': hostile },
    attachments: [{ filename: `${hostile}.txt`, content: 'x', contentType: 'text/html' }],
  })
  const { id } = await here.arrived(address)
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  const trapped: string[] = []
  await ann.page.exposeFunction('trapped', () => trapped.push(ann.page.url()))
  await ann.open(`/p/${here.projectId}/inbox`)
  await ann.table('Inbox').getByText(hostile).waitFor()
  await ann
    .text(
      piecesOf(turned)
        .map((piece) => piece.text)
        .join(''),
    )
    .first()
    .waitFor()
  for (const part of ['text', 'html', 'headers', 'source', 'attachments']) {
    await ann.open(`/p/${here.projectId}/inbox/${id}?tab=${part}`)
    await ann.text(hostile).first().waitFor()
    await ann.page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' })
  }
  expect(trapped).toEqual([])
})

test('who may only read mail can neither answer it nor see the domains', async () => {
  const here = await receivingWorld()
  const address = `hello@${await here.managedDomain()}`
  await here.mail({ to: address, subject: 'For support', text: 'Hello.' })
  const { id } = await here.arrived(address)
  const { visitor: ben } = await comeIn(here, { role: 'viewer' })
  await ben.open(`/p/${here.projectId}/inbox/${id}`)
  await ben.heading('For support').waitFor()
  expect(await ben.button('Reply').count()).toBe(0)
})

test('on a wide screen a mail is read beside the list, by j and k or the mouse; nothing moves, and Enter opens its page', async () => {
  const here = await receivingWorld()
  const address = `hello@${await here.managedDomain()}`
  for (const subject of ['Older', 'Newer']) {
    await here.mail({ to: address, subject, text: `This is ${subject}.` })
    await eventually(subject, async () => (await here.list()).find((one) => one.subject === subject))
  }
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  const pane = ann.page.getByRole('region', { name: 'Chosen mail' })
  const row = (subject: string) => ann.table('Inbox').getByRole('row', { name: new RegExp(subject) })
  await ann.open(`/p/${here.projectId}/inbox`)
  await pane.getByText('No mail chosen').waitFor()
  await row('Older').waitFor()
  const places = async () => [await ann.table('Inbox').boundingBox(), (await pane.boundingBox())!.x]
  const before = await places()
  await ann.press('j')
  await pane.getByRole('heading', { name: 'Newer' }).waitFor()
  await ann.press('j')
  await pane.getByRole('heading', { name: 'Older' }).waitFor()
  expect(await row('Older').getAttribute('aria-current')).toBe('true')
  await pane.getByRole('tab', { name: 'Text' }).click()
  await pane.getByText('This is Older.').waitFor()
  await row('Newer').getByText('Newer').click()
  await pane.getByText('This is Newer.').waitFor()
  expect(await places()).toEqual(before)
  expect(await axeFindings(ann)).toEqual([])
  // What is chosen stands in the address.
  await ann.page.reload()
  await pane.getByText('This is Newer.').waitFor()
  await ann.press('j')
  await ann.press('j')
  await pane.getByRole('heading', { name: 'Older' }).waitFor()
  await ann.press('Enter')
  await ann.heading('What the sender could prove').waitFor()
  await ann.page.setViewportSize({ width: 1_000, height: 800 })
  await ann.open(`/p/${here.projectId}/inbox`)
  await row('Older').waitFor()
  expect(await pane.count()).toBe(0)
})

test('the list of received mail is narrowed to what DMARC said', async () => {
  const here = await receivingWorld()
  const address = `hello@${await here.managedDomain()}`
  for (const subject of ['True', 'Forged']) {
    await here.mail({ to: address, subject, text: subject })
    await eventually(subject, async () => (await here.list()).find((one) => one.subject === subject))
  }
  await here.db.run(sql`
    update received_messages
       set auth = jsonb_build_object('dmarc', case letter->>'subject' when 'True' then 'pass' else 'fail' end)`)
  const { visitor: ann } = await comeIn(here, { role: 'owner' }, { screen: 'narrow' })
  await ann.open(`/p/${here.projectId}/inbox`)
  await ann.table('Inbox').getByText('True').waitFor()
  await ann.button('Filters').click()
  await ann.field('DMARC').selectOption('Failed')
  await expect.poll(() => ann.table('Inbox').getByText('True').count()).toBe(0)
  await ann.table('Inbox').getByText('Forged', { exact: true }).first().waitFor()
  expect(ann.page.url()).toContain('dmarc=fail')
  expect(await ann.sideways()).toEqual([])
})
