import { expect, test } from 'vitest'
import { allJobs } from '../../src/app/jobs.ts'
import { enqueueNamed, runnerOf } from '../jobs/world.ts'
import { mailed } from '../links/link-world.ts'
import { headerOf, readMessage, readText, type ReadPart } from '../mail/reading.ts'
import { addContact, newAudience } from '../support/audiences.ts'
import { newAutomation } from '../support/automations.ts'
import { newBroadcast, sendBroadcast } from '../support/broadcasts.ts'
import { moveClock } from '../support/clock.ts'
import { eventually } from '../support/eventually.ts'
import { mailWorld, type Email, type MailWorld } from '../support/mail-world.ts'
import { longHtml, worldThatCanBeBusy } from '../support/templates.ts'

const person = { firstName: 'Ann & Co', properties: { city: 'Łódź' } }

const words = {
  subject: '{{ firstName }}, news of {{ "now" | date: "%Y" }}',
  html: '<p>Dear {{ contact.firstName }} in {{ contact.properties.city }}: <a href="https://example.com/{{ email }}">more</a></p>',
}

/** What the mail host got, as a person would read it, with the one thing that is not shown to others. */
function arrived({ sink }: MailWorld, to: string): { subject: string; html: string; text: string } {
  const message = readMessage(sink.taken.find((one) => one.to === to)!.raw)
  const partOf = (type: string): ReadPart => message.parts.find((part) => part.type === type)!
  const shown = (type: string): string =>
    partOf(type)
      .content.toString()
      .replaceAll('\r\n', '\n')
      .replaceAll(/\/u\/[\w.~-]+/g, '/u/hidden')
  const subject = readText(headerOf(message.headers, 'Subject') ?? '')
  return { subject, html: shown('text/html'), text: shown('text/plain') }
}

async function readWhenSent(here: MailWorld): Promise<Email> {
  const { data } = await eventually('there is a delivered email', async () => {
    const { body } = await here.projectApi.get<{ data: { id: string }[] }>('emails?status=delivered')
    return body.data.length > 0 && body
  })
  return here.email(data[0]!.id)
}

/** A mail program shows the last line end of a text or not; nobody sees it. */
const trimmed = ({ subject, html, text }: Record<string, unknown>) => ({
  subject,
  html: String(html).trimEnd(),
  text: String(text).trimEnd(),
})

test('mail of a broadcast is shown as it went to its recipient, also when the contact is gone', async () => {
  const here = await mailWorld()
  const { projectApi, from, db, services } = here
  const audience = await newAudience(projectApi)
  const contact = await addContact(projectApi, audience, 'ann@sink.test', person)
  const draft = await newBroadcast(projectApi, audience, { ...words, from, previewText: 'For {{ firstName }}' })
  await sendBroadcast(projectApi, draft)
  const email = await readWhenSent(here)
  expect(email['subject']).toBe(`Ann & Co, news of ${new Date().getUTCFullYear()}`)
  expect(email['html']).toContain('Dear Ann &amp; Co in Łódź')
  expect(email['html']).toContain('For Ann &amp; Co')
  expect(email['text']).toContain('Dear Ann & Co in Łódź')
  expect(trimmed(email)).toEqual(trimmed(arrived(here, 'ann@sink.test')))

  await projectApi.delete(`audiences/${audience}/contacts/${contact.id}`)
  expect(trimmed(await here.email(email.id))).toEqual(trimmed(email))

  await moveClock(db, 31 * 86_400)
  await enqueueNamed(db, 'emails.purge-contents')
  await runnerOf(db, allJobs(db, services)).runOnce()
  expect(await here.email(email.id)).toMatchObject({ html: null, text: null, contentPurgedAt: expect.any(String) })
})

test('nobody leaves a list by a link that was read with a key', async () => {
  const here = await mailWorld()
  const { projectApi, from, config } = here
  const audience = await newAudience(projectApi)
  const contact = await addContact(projectApi, audience, 'ann@sink.test', person)
  const html = '<p><a href="{{ unsubscribeUrl }}">out</a> <a href="{{ preferencesUrl }}">choose</a></p>'
  await sendBroadcast(projectApi, await newBroadcast(projectApi, audience, { from, subject: 'News', html }))
  const email = await readWhenSent(here)
  const links = [...String(email['html']).matchAll(/href="([^"]*)"/g)].map(([, link]) => link!)
  expect(links).toEqual([`${config.publicUrl}/u/hidden`, `${config.publicUrl}/u/hidden/preferences`])
  for (const link of links) {
    const { status } = await here.api.request('POST', new URL(link).pathname.slice(1), { body: Buffer.from('') })
    expect(status).toBeGreaterThanOrEqual(400)
  }
  const { body } = await projectApi.get<{ subscribed: boolean }>(`audiences/${audience}/contacts/${contact.id}`)
  expect(body.subscribed).toBe(true)
})

test('mail of an automation is shown as it went to its recipient', async () => {
  const here = await mailWorld()
  const { projectApi, from } = here
  const audience = await newAudience(projectApi)
  await newAutomation(projectApi, {
    trigger: { type: 'audience', audienceId: audience },
    sender: { from },
    steps: [{ type: 'email', ...words }],
  })
  await addContact(projectApi, audience, 'ann@sink.test', person)
  const email = await readWhenSent(here)
  expect(email['html']).toContain('Dear Ann &amp; Co in Łódź')
  expect(trimmed(email)).toEqual(trimmed(arrived(here, 'ann@sink.test')))
})

test('while the project has too much to fill in, mail is shown as it was written, with its status', async () => {
  const here = await worldThatCanBeBusy()
  const { projectApi, keepBusy } = here
  const { id } = await mailed(here, { html: `<p>Dear {{ firstName }}</p>${longHtml}` })
  const { release } = keepBusy()
  const { status, body } = await projectApi.get<Email>(`emails/${id}`)
  expect([status, body.status, body.recipients.length]).toEqual([200, 'queued', 1])
  expect(body['html']).toContain('Dear {{ firstName }}')
  await release()
  expect((await projectApi.get<Email>(`emails/${id}`)).body['html']).toContain('Dear Ann')
})
