import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { reportsOf } from '../support/installation.ts'
import { newDomain, plays } from '../support/notices.ts'
import { world } from '../support/world.ts'
import { axeFindings } from './support/axe.ts'
import { comeIn } from './support/people.ts'

test('the overview says what is the matter, the worst first, and leads to where it can be mended', async () => {
  const here = await world({ env: { PUBLIC_URL: 'http://localhost', MASTER_KEY: '' } })
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  await plays.webhook_disabled.cause(here)
  await plays.disk_low.cause(here)
  await newDomain(here)
  await here.db.run(sql`update domains set created_at = clock_now() - interval '4 days'`)
  await ann.open(`/p/${here.projectId}/overview`)
  const notices = ann.page.getByRole('region', { name: 'Notices' })
  await notices.getByText('The disk of post-1 is nearly full.').waitFor()
  expect(await notices.getByText('PUBLIC_URL is not https.').count()).toBe(0)
  await notices.getByRole('button', { name: 'Show 2 more' }).click()
  await notices.getByText('PUBLIC_URL is not https.').waitFor()
  expect(await axeFindings(ann)).toEqual([])
  await notices.getByRole('link', { name: 'See the disk' }).click()
  await ann.heading('Installation').waitFor()
})

test('who only sees the project is told nothing of the machines', async () => {
  const here = await world()
  await plays.disk_low.cause(here)
  await plays.webhook_disabled.cause(here)
  const { visitor: ben } = await comeIn(here, { role: 'developer', project: here.projectId })
  await ben.open(`/p/${here.projectId}/overview`)
  const notices = ben.page.getByRole('region', { name: 'Notices' })
  await notices.getByText('A webhook endpoint was disabled.').waitFor()
  expect(await notices.getByText(/disk/).count()).toBe(0)
  await ben.open('/settings/installation')
  await ben.heading('Not for your role').first().waitFor()
})

test('the installation shows its processes and checks, and the copy of the master key is noted once, also at 320 px', async () => {
  const here = await world({ env: { MASTER_KEY: '' } })
  const roles = [
    { role: 'api', up: true, restarts: 0 },
    { role: 'worker', up: false, restarts: 7 },
  ]
  await reportsOf(here, () => roles).runOnce()
  const { visitor: ann } = await comeIn(here, { role: 'owner' }, { screen: 'narrow' })
  await ann.open('/settings/installation')
  const processes = ann.table('Processes')
  await processes
    .getByRole('row', { name: /worker/ })
    .getByText('Down')
    .waitFor()
  await processes.getByRole('row', { name: /api/ }).getByText('Up').waitFor()
  await ann.table('Checks').getByText('Not tried yet').waitFor()
  expect(await ann.sideways()).toEqual([])
  await ann.button('I have a copy in a safe place').click()
  await ann.table('Checks').getByText('Kept elsewhere').waitFor()
  expect(await ann.button('I have a copy in a safe place').count()).toBe(0)
  const { body } = await here.api.get<{ master: { backedUpHint: boolean } }>('installation')
  expect(body.master.backedUpHint).toBe(true)
})

test('the installation shows every setting: what is set, the default, and of secrets only that they are set', async () => {
  const env = { SMTP_RELAY_URL: 'smtps://post:hunter2@relay.example:465', METRICS_TOKEN: 'hunter2', SESSION_DAYS: '7' }
  const here = await world({ env })
  const { visitor: ann } = await comeIn(here, { role: 'admin' }, { screen: 'narrow' })
  await ann.open('/settings/installation')
  const row = async (name: string): Promise<string> => {
    const found = ann.table('Configuration').getByRole('row', { name: new RegExp(`^${name}`) })
    return (await found.getByRole('cell').allInnerTexts()).slice(0, 3).join(' | ')
  }
  await ann.table('Configuration').waitFor()
  expect(await row('SESSION_DAYS')).toBe('SESSION_DAYS | 7 | 30')
  expect(await row('SMTP_RELAY_URL')).toBe('SMTP_RELAY_URL | smtps://…@relay.example:465 | –')
  expect(await row('METRICS_TOKEN')).toBe('METRICS_TOKEN | Set | –')
  expect(await ann.table('Configuration').getByText('SESSION_IDLE_HOURS').count()).toBe(0)
  await ann.page.getByRole('button', { name: /^All / }).click()
  expect(await row('SESSION_IDLE_HOURS')).toBe('SESSION_IDLE_HOURS | Not set | 72')
  expect(await ann.page.content()).not.toContain('hunter2')
  expect(await ann.sideways()).toEqual([])
  expect(await axeFindings(ann)).toEqual([])
})
