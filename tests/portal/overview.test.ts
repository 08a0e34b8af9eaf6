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
