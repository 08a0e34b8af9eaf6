import { expect, test } from 'vitest'
import { decodeId, newId } from '../../src/core/ids.ts'
import { sql } from '../../src/storage/sql.ts'
import { addContact, newAudience } from '../support/audiences.ts'
import { newBroadcast, readBroadcast, sendBroadcast } from '../support/broadcasts.ts'
import { at } from '../support/emails.ts'
import { eventually } from '../support/eventually.ts'
import { looksOf, reportsOf } from '../support/installation.ts'
import { axeFindings } from './support/axe.ts'
import { furnished } from './support/furnished.ts'
import { comeIn } from './support/people.ts'
import type { Visitor } from './support/visitor.ts'

/** A card of the page, by its heading. */
const card = (ann: Visitor, title: string) => ann.page.getByRole('region', { name: title, exact: true })

/** What a card says of something. */
const fact = (ann: Visitor, title: string, name: string) =>
  card(ann, title)
    .locator('dt', { hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd[1]')

test('opens and clicks are there where they are asked for, without those of machines', async () => {
  const here = await furnished()
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  await ann.open(`/p/${here.projectId}/overview`)
  await ann.table('By domain').waitFor()
  expect(await card(ann, 'Opens and clicks').count()).toBe(0)
  const { data } = (await here.projectApi.get<{ data: { id: string; name: string }[] }>('domains')).body
  const domain = data.find(({ name }) => name === here.domain)!
  await here.projectApi.patch(`domains/${domain.id}`, { tracking: { opens: true, clicks: true } })
  await ann.page.reload()
  await expect.poll(() => fact(ann, 'Opens and clicks', 'Opened').innerText()).toMatch(/^0 recipients · 0% of/)
  await ann.text(/^Machines that open mail and follow links by themselves are left out/).waitFor()
  const to = ['delivered+a', 'delivered+b'].map(at)
  const tracked = await here.send('delivered+a', { from: here.from, to })
  await here.becomes(tracked, 'delivered')
  await here.projectApi.patch(`domains/${domain.id}`, { tracking: { opens: false, clicks: false } })
  const emailId = decodeId('em', tracked)!
  const { engagement } = here.services
  engagement.note({ emailId, position: 0, kind: 'open', isMachine: false })
  engagement.note({ emailId, position: 1, kind: 'open', isMachine: true })
  engagement.note({ emailId, position: 0, kind: 'click', target: 'https://shop.example/', isMachine: false })
  await engagement.settled()
  await ann.page.reload()
  await expect.poll(() => fact(ann, 'Opens and clicks', 'Opened').innerText()).toMatch(/^1 recipient · \d/)
  expect(await fact(ann, 'Opens and clicks', 'Clicked').innerText()).toMatch(
    /^1 recipient · .* · 0 in the time before$/,
  )
})

test('a broadcast that is leaving shows how far it is, and goes when it is over', async () => {
  const here = await furnished()
  const { projectApi, projectId } = here
  const { visitor: ann } = await comeIn(here, { role: 'marketer', project: projectId })
  await ann.open(`/p/${projectId}/overview`)
  await ann.table('By domain').waitFor()
  expect(await card(ann, 'Broadcasts that are leaving').count()).toBe(0)
  const audience = await newAudience(projectApi)
  for (const reader of ['delivered+a', 'delivered+b', 'delivered+c']) await addContact(projectApi, audience, at(reader))
  const broadcast = await newBroadcast(projectApi, audience, { name: 'Spring news', throttle: { perMinute: 1 } })
  await sendBroadcast(projectApi, broadcast)
  await eventually('one has left', async () => (await readBroadcast(projectApi, broadcast)).stats.delivered === 1)
  const progress = card(ann, 'Broadcasts that are leaving').getByRole('progressbar', { name: 'Spring news' })
  await expect.poll(() => progress.getAttribute('value')).toBe('1')
  expect(await progress.getAttribute('max')).toBe('3')
  await card(ann, 'Broadcasts that are leaving').getByText('1 of 3').waitFor()
  await projectApi.post(`broadcasts/${broadcast.id}/cancel`)
  await card(ann, 'Broadcasts that are leaving').waitFor({ state: 'detached' })
})

test('the last problems say who did not get it and why, and lead to the email', async () => {
  const here = await furnished()
  const { data } = (await here.projectApi.get<{ data: { id: string }[] }>('emails?status=bounced')).body
  const email = await here.email(data[0]!.id)
  const { explanation } = (email as unknown as { recipients: { explanation: { title: string; sentence: string } }[] })
    .recipients[0]!
  const { visitor: ann } = await comeIn(here, { role: 'viewer' }, { screen: 'narrow' })
  await ann.open(`/p/${here.projectId}/overview`)
  const row = ann.table('Last problems').getByRole('row').nth(1)
  await row.getByText(`${explanation.title}. ${explanation.sentence}`).waitFor()
  await row.getByText('Bounced', { exact: true }).waitFor()
  await row.getByText(`bounced@${here.config.simulatorDomain}`).waitFor()
  expect(await ann.sideways()).toEqual([])
  await row.getByRole('link').click()
  await ann.page.waitForURL(new RegExp(`/emails/${data[0]!.id}`))
  await ann.open(`/p/${here.ids.emptyId}/overview`)
  await ann.heading('Recent emails').waitFor()
  expect(await ann.table('Last problems').count()).toBe(0)
})

const engine = (ann: Visitor, name: string) => fact(ann, 'Engine', name)

test('the engine tells at once what leaves, and of machines only to those of the workspace', async () => {
  const here = await furnished()
  const { projectId, db, services } = here
  await reportsOf(here, () => [{ role: 'api', up: true, restarts: 0 }], {
    room: { freeBytes: 18_000_000_000, totalBytes: 40_000_000_000 },
  }).runOnce()
  await looksOf(here, here.dns).runOnce()
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  await ann.open(`/p/${projectId}/overview`)
  await engine(ann, 'Disk').getByText('18 GB free').waitFor()
  await expect.poll(() => engine(ann, 'Database').innerText()).toMatch(/^\d+ of \d+ connections$/)
  await expect.poll(() => engine(ann, 'Waiting').innerText()).toBe('2 recipients')
  const webhooks = /^\d+ delivered, 0 failed in the last hour; p95 \d/
  await expect.poll(() => engine(ann, 'Webhooks').innerText()).toMatch(webhooks)
  await card(ann, 'Engine').getByRole('link', { name: 'The process is up' }).waitFor()
  await ann.page.getByText('Live', { exact: true }).waitFor()
  // From here on the queue answers nothing: what is new was told.
  await ann.page.route('**/api/v1/queue?*', () => new Promise(() => undefined))
  const workerId = newId()
  await db.run(sql`insert into workers (id, role, name) values (${workerId}, 'worker', 'one')`)
  const flows = [{ projectId: decodeId('prj', projectId)!, perSecond: 41.26 }]
  await services.queueReports.write({ workerId, states: [], replies: [], flows })
  await engine(ann, 'Leaving now').getByText('41.3 a second').waitFor()
  // What comes in the last seconds of a minute would be told with the next one.
  await eventually('the minute has room', () => new Date().getSeconds() < 50)
  await here.send('delivered+a')
  await expect.poll(() => engine(ann, 'This minute').innerText()).toMatch(/^[1-9]\d* accepted, [1-9]\d* delivered/)
  const { visitor: ben } = await comeIn(here, { role: 'viewer', project: projectId })
  await ben.open(`/p/${projectId}/overview`)
  await engine(ben, 'Waiting').waitFor()
  expect(await engine(ben, 'Disk').count()).toBe(0)
  expect(await engine(ben, 'Database').count()).toBe(0)
})

test('providers that do not flow say so, and lead to why', async () => {
  const here = await furnished()
  const { projectId, db, projectApi } = here
  await db.run(sql`
    insert into statistics_added (project_id, at, domain_id, provider, source, template_id, tag, kind, recipients)
    select ${decodeId('prj', projectId)!}, clock_now(), gen_random_uuid(), provider, 'transactional', gen_random_uuid(), '',
           'accepted', 7
      from unnest(array['google', 'microsoft']) as provider`)
  const { visitor: ann } = await comeIn(here, { role: 'owner' }, { scheme: 'dark' })
  await projectApi.post('queue/mail.paused.example/resume', {})
  await ann.open(`/p/${projectId}/overview`)
  const row = (name: RegExp) => ann.table('By receiving provider').getByRole('row', { name })
  await row(/^Google 7/).waitFor()
  await engine(ann, 'Waiting').waitFor()
  await projectApi.post('queue/google/pause', { because: 'They asked for it' })
  await row(/^Google 7 .*Paused$/).waitFor()
  expect(await row(/^Microsoft 7 /).innerText()).toMatch(/–$/)
  await axeFindings(ann).then((findings) => expect(findings).toEqual([]))
  await row(/^Google/)
    .getByRole('link', { name: 'Paused' })
    .click()
  await ann.page.waitForURL(/\/queue\/google$/)
})
