import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import type { MailNumbers } from '../support/statistics.ts'
import { axeFindings } from './support/axe.ts'
import { furnished, type Furnished } from './support/furnished.ts'
import { comeIn } from './support/people.ts'
import type { Visitor } from './support/visitor.ts'

const DAY_MS = 86_400_000

/** The numbers of the last day, once everything has come to an end. */
async function numbersOf({ projectApi }: Furnished): Promise<MailNumbers> {
  const time = `from=${new Date(Date.now() - DAY_MS).toISOString()}&to=${new Date().toISOString()}`
  return eventually('nothing is waiting', async () => {
    const { body } = await projectApi.get<MailNumbers>(`statistics/emails?${time}&groupBy=provider`)
    return body.totals['delivered'] === 3 && body
  })
}

const plot = (ann: Visitor) => ann.page.getByRole('slider', { name: 'What became of mail' })

/** The value of a figure, and what stands below it. */
async function figure(ann: Visitor, label: string): Promise<string[]> {
  const name = ann.page.locator('dt', { hasText: new RegExp(`^${label}$`) })
  await name.waitFor()
  return (await name.locator('..').innerText()).split('\n').filter((line) => line !== '')
}

test('the figures and the tables are what the API says', async () => {
  const here = await furnished()
  const { totals, series } = await numbersOf(here)
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  await ann.open(`/p/${here.projectId}/overview`)
  expect((await figure(ann, 'Accepted')).slice(0, 2)).toEqual(['Accepted', String(totals['accepted'])])
  const ended = totals['delivered']! + totals['bounced']!
  const percent = (share: number): string => `${Math.round(share * 1_000) / 10}%`
  expect((await figure(ann, 'Delivered')).slice(1, 3)).toEqual([percent(totals['delivered']! / ended), '3 recipients'])
  expect((await figure(ann, 'Bounced')).slice(1, 3)).toEqual([percent(totals['bounced']! / ended), 'Keep it below 2%'])
  expect((await figure(ann, 'Spam complaints')).slice(1, 3)).toEqual(['0%', 'Gmail wants below 0.1%'])
  expect((await figure(ann, 'Time to delivery'))[1]).toMatch(/^\d[\d.,]* (ms|secs?|mins?|hr)$/)
  // Scheduled mail is accepted, and waits for nothing but its time.
  expect((await figure(ann, 'Waiting now')).slice(1)).toEqual(['2'])
  expect(totals['accepted']).toBe(5)
  expect(series).toHaveLength(1)
  const row = ann.table('By receiving provider').getByRole('row').nth(1)
  expect((await row.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/^Everybody else 5 /)
  await ann
    .table('By domain')
    .getByRole('row', { name: /^Sandbox 5/ })
    .waitFor()
})

test('bars can be read as a table, and the period stands in the address', async () => {
  const here = await furnished()
  const { totals } = await numbersOf(here)
  const { visitor: ann } = await comeIn(here, { role: 'viewer', project: here.projectId })
  await ann.open(`/p/${here.projectId}/overview?period=90d`)
  await plot(ann).waitFor()
  expect(await plot(ann).getAttribute('aria-valuemax')).toBe('89')
  await ann.button('As table').click()
  await ann.table('What became of mail').waitFor()
  const cells = await ann.table('What became of mail').getByRole('cell').allInnerTexts()
  const sums = cells.reduce((sum, text) => sum + (/^\d+$/.test(text) ? Number(text) : 0), 0)
  const shown = ['accepted', 'delivered', 'deferred', 'bounced', 'failed', 'filteredspam', 'quarantined', 'suppressed']
  expect(sums).toBe(shown.reduce((sum, kind) => sum + totals[kind]!, 0))
  await ann.button('As bars').click()
  await ann.button('7 d').click()
  await ann.page.waitForURL(/period=7d/)
  await ann.page.waitForFunction(() => document.querySelector('[role=slider]')?.getAttribute('aria-valuemax') === '167')
})

test('arrow keys move along the bars and say their values; Enter leads to the emails of that hour', async () => {
  const here = await furnished()
  await numbersOf(here)
  const { visitor: ann } = await comeIn(here, { role: 'owner' }, { screen: 'narrow', scheme: 'dark' })
  await ann.open(`/p/${here.projectId}/overview`)
  await plot(ann).waitFor()
  await ann.tabTo(plot(ann))
  const said = (): Promise<string | null> => plot(ann).getAttribute('aria-valuetext')
  const now = await said()
  await ann.press('ArrowLeft')
  expect(await said()).not.toBe(now)
  expect(await plot(ann).getAttribute('aria-valuenow')).toBe('22')
  await ann.press('Home')
  expect(await said()).toMatch(/: Delivered 0, Deferred 0, Bounced, failed, spam 0$/)
  await ann.press('End')
  expect(await said()).toBe(now)
  expect(await ann.sideways()).toEqual([])
  expect(await axeFindings(ann)).toEqual([])
  await ann.press('Enter')
  await ann.page.waitForURL(/\/emails\?after=.+&before=/)
  expect(ann.input.clicks).toBe(0)
})

test('domain and source count in every number of the page, and stand in the address', async () => {
  const here = await furnished()
  await numbersOf(here)
  const { data } = (await here.projectApi.get<{ data: { id: string; name: string }[] }>('domains')).body
  const { id, name } = data.find((domain) => domain.name === here.domain)!
  await here.becomes(await here.send('delivered+2', { from: here.from }), 'delivered')
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  const asked: URL[] = []
  ann.page.on('request', (request) => {
    if (request.url().includes('/statistics/emails?')) asked.push(new URL(request.url()))
  })
  await ann.open(`/p/${here.projectId}/overview`)
  expect((await figure(ann, 'Accepted'))[1]).toBe('6')
  await ann.button('Filters').click()
  await ann.combobox('Domain').selectOption(name)
  await ann.page.waitForURL(new RegExp(`domain=${id}`))
  await expect.poll(async () => (await figure(ann, 'Accepted'))[1]).toBe('1')
  await ann
    .table('By domain')
    .getByRole('row', { name: new RegExp(`^${name} 1`) })
    .waitFor()
  expect(await ann.table('By domain').getByRole('row').count()).toBe(2)
  expect(await figure(ann, 'Waiting now')).toContain('In the whole project')
  await ann.combobox('Source').selectOption('Broadcast')
  await expect.poll(async () => (await figure(ann, 'Accepted'))[1]).toBe('0')
  // Both times, by provider and by domain: none of the four is about other mail.
  const last = asked.filter(({ searchParams }) => searchParams.get('source') === 'broadcast')
  expect(last.length).toBeGreaterThanOrEqual(4)
  for (const { searchParams } of last) expect(searchParams.get('domainId')).toBe(id)
  await ann.press('Escape')
  await ann.button('Drop the filter Source').click()
  await expect.poll(async () => (await figure(ann, 'Accepted'))[1]).toBe('1')
  await plot(ann).locator('[data-bar="23"][data-part="0"]').click()
  await ann.page.waitForURL(new RegExp(`/emails\\?status=delivered&domain=${id}&after=.+&before=.+`))
  await ann.table('Emails').getByRole('row').nth(1).waitFor()
  expect(await ann.table('Emails').getByRole('row').count()).toBe(2)
})

test('a period of one’s own has the hours or days that it touches, and as many before', async () => {
  const here = await furnished()
  await numbersOf(here)
  const { visitor: ann } = await comeIn(here, { role: 'viewer', project: here.projectId }, { timeZone: 'Asia/Kolkata' })
  const bars = (): Promise<string | null> => plot(ann).getAttribute('aria-valuemax')
  await ann.open(`/p/${here.projectId}/overview?period=7d&from=2026-01-15T00:10:00Z&to=2026-01-15T02:50:00Z`)
  await ann.text('Nothing was sent in this time.').first().waitFor()
  expect(await figure(ann, 'Accepted')).toEqual(['Accepted', '0', '0 in the same time before'])
  const asked = ann.page.waitForRequest(/statistics\/emails/)
  await ann.page.reload()
  const query = new URL((await asked).url()).searchParams
  // Hours begin half an hour later there: 00:10 is in the one that began at 23:30.
  expect([query.get('from'), query.get('to')]).toEqual(['2026-01-14T23:30:00.000Z', '2026-01-15T03:30:00.000Z'])
  await ann.button('Filters').click()
  const now = new Date(Date.now() + 19_800_000).toISOString()
  await ann.field('Until').fill(now.slice(0, 16))
  await ann.field('From').fill(`${new Date(Date.now() - 20 * DAY_MS).toISOString().slice(0, 10)}T00:00`)
  await plot(ann).waitFor()
  await expect.poll(bars).toMatch(/^(?:20|21)$/)
  expect((await figure(ann, 'Accepted'))[1]).toBe('5')
  await ann.field('Until').fill('2020-01-01T00:00')
  await ann.text(/^This period ends before it begins/).waitFor()
  await ann.press('Escape')
  await ann.button('48 h').click()
  await ann.page.waitForURL((url) => url.search === '?period=48h')
  await expect.poll(bars).toBe('47')
})
