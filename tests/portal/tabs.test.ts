/** One person, one session, many tabs. */
import { expect, test } from 'vitest'
import { sessionCookie } from '../../src/http/persons.ts'
import { sql } from '../../src/storage/sql.ts'
import { eventually } from '../support/eventually.ts'
import { PASSWORD, type SignedIn } from '../support/people.ts'
import type { World } from '../support/world.ts'
import { comeIn, givePassword, house, signInHere } from './support/people.ts'
import type { Visitor } from './support/visitor.ts'

test('eight tabs work beside each other, show what one of them changed, and are all left by signing out in one', async () => {
  const here = await house()
  const { visitor: ann } = await comeIn(here, { role: 'owner', name: 'Ann Lee', email: 'ann@example.com' })
  const inProject = (page: string): string => `/p/${here.projectId}/${page}`
  const pages = [
    [inProject('keys'), 'API keys'],
    [inProject('overview'), 'Overview'],
    [inProject('keys'), 'API keys'],
    [inProject('webhooks'), 'Webhooks'],
    [inProject('emails'), 'Emails'],
    [inProject('log'), 'Activity log'],
    ['/settings/people', 'People'],
    ['/me', 'My account'],
  ] as const
  const tabs = [ann]
  while (tabs.length < pages.length) tabs.push(await ann.anotherTab())
  for (const tab of [tabs[0]!, tabs[7]!]) await tab.open('/settings')
  await Promise.all(tabs.map((tab, i) => tab.open(pages[i]![0])))
  for (const [i, tab] of tabs.entries()) await tab.heading(pages[i]![1]).waitFor()

  const [first, , alike, , , log, , me] = tabs as [
    Visitor,
    Visitor,
    Visitor,
    Visitor,
    Visitor,
    Visitor,
    Visitor,
    Visitor,
  ]
  await first.button('New key').click()
  await first.field('Name').fill('Web shop')
  await first.press('Enter')
  await first.button('I have stored it').click()
  await seenByLooking(alike, () => alike.table('API keys').getByText('Web shop').isVisible())
  await seenByLooking(log, () => log.table('Activity log').getByText('Web shop').first().isVisible())
  // What the frame shows of the person and the project is asked for as well.
  await here.api.patch(`projects/${here.projectId}`, { name: 'Teapots' })
  for (const tab of tabs) await seenByLooking(tab, () => tab.page.getByRole('button', { name: /Teapots/ }).isVisible())

  await me.button('Account').click()
  await me.menuItem('Sign out').click()
  for (const tab of tabs) {
    await tab.heading('Sign in').waitFor()
    expect(new URL(tab.page.url()).search).toBe('')
    expect(await tracesOf(tab)).toEqual([])
  }
  for (const tab of [first, me]) {
    await tab.page.goBack()
    await tab.page.waitForURL('/sign-in?next=%2Fsettings')
    expect(await tracesOf(tab)).toEqual([])
  }
})

test('a session that was ended leads to signing in and back, in every tab, and nothing that was written is lost', async () => {
  const here = await house()
  const { visitor: ann, person } = await comeIn(here, { role: 'owner' })
  await givePassword(here, ann, person)
  const writing = await ann.anotherTab()
  await ann.open(`/p/${here.projectId}/emails?status=bounced`)
  await ann.heading('Emails').waitFor()
  await writing.open(`/p/${here.projectId}/send`)
  await writing.field('To').fill('delivered@simulator.test')
  await writing.field('Subject').fill('A long story')
  await endSessions(here, person)

  await ann.lookAgain()
  await ann.heading('Sign in').waitFor()
  const { searchParams } = new URL(ann.page.url())
  expect(searchParams.get('next')).toBe(`/p/${here.projectId}/emails?status=bounced`)
  await writing.page.getByRole('textbox', { name: 'Text', exact: true }).fill('It was a dark night.')
  await writing.heading('Sign in').waitFor()

  await signInHere(ann, person.email)
  await ann.heading('Emails').waitFor()
  expect(new URL(ann.page.url()).search).toBe('?status=bounced')
  // The other tab learns of it as soon as it is looked at.
  await writing.lookAgain()
  await writing.heading('Send an email').waitFor()
  await expect.poll(() => writing.field('Subject').inputValue()).toBe('A long story')
  expect(await writing.page.getByRole('textbox', { name: 'Text', exact: true }).inputValue()).toBe(
    'It was a dark night.',
  )
})

test('somebody else who signs in sees nothing of what was written or shown before', async () => {
  const here = await house()
  const { visitor: ann, person } = await comeIn(here, { role: 'owner', name: 'Ann Lee' })
  const { visitor: ben, person: other } = await comeIn(here, { role: 'developer', name: 'Ben Okafor' })
  await givePassword(here, ann, person)
  await givePassword(here, ben, other)
  const left = await ann.anotherTab()
  await left.open('/me')
  await left.heading('My account').waitFor()
  await ann.open(`/p/${here.projectId}/send`)
  await ann.field('Subject').fill('Only for me')
  await endSessions(here, person)
  await ann.open(`/p/${here.projectId}/send`)
  await signInHere(ann, other.email)
  await ann.heading('Send an email').waitFor()
  expect(await ann.field('Subject').inputValue()).toBe('')
  await left.lookAgain()
  await expect.poll(() => left.field('Name').inputValue()).toBe('Ben Okafor')
})

test('a page that the browser kept is not shown again after signing out', async () => {
  const here = await house()
  const { visitor: ann, person } = await comeIn(here, { role: 'owner', name: 'Ann Lee', email: 'ann@example.com' })
  await ann.open('/me')
  await ann.heading('My account').waitFor()
  // Browsers under tests keep no pages; this is what one tells a page that it puts away and takes out again.
  await ann.page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })))
  expect(await ann.heading('My account').isVisible()).toBe(false)
  await endSessions(here, person)
  await ann.page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await ann.heading('Sign in').waitFor()
  expect(await tracesOf(ann)).toEqual([])
})

test('a confirmation in one tab, which replaces the token of all, throws nobody out of another', async () => {
  const here = await house()
  const { visitor: ann, person } = await comeIn(here, { role: 'owner' })
  await givePassword(here, ann, person)
  const other = await ann.anotherTab()
  await ann.open('/me')
  await other.open('/settings/people')
  await other.button('Invite').click()
  await other.field('Email').fill('ben@example.com')
  // The call of the other tab is under way, with the token of before.
  const before = `${sessionCookie(here.config.publicUrl)}=${person.client.cookie}`
  let isFirst = true
  await other.page.route('**/people/invitations', async (route) => {
    if (route.request().method() !== 'POST' || !isFirst) return route.continue()
    isFirst = false
    expect(await confirmIn(ann)).toBe(200)
    const response = await route.fetch({ headers: { ...route.request().headers(), cookie: before } })
    expect(response.status()).toBe(401)
    await route.fulfill({ response })
  })
  await other.button('Create the invitation').click()
  await other.page.getByRole('region', { name: 'Invitation link' }).waitFor()
})

const confirmIn = ({ page }: Visitor): Promise<number> =>
  page.evaluate(async (password) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ password })
    return (await fetch('/session/confirm', { method: 'POST', headers, body })).status
  }, PASSWORD)

/** Looks at a tab until it shows something. */
const seenByLooking = (tab: Visitor, isSeen: () => Promise<boolean>): Promise<unknown> =>
  eventually('the tab shows what another one changed', async () => {
    if (await isSeen()) return true
    await tab.lookAgain()
    return false
  })

const endSessions = ({ db }: World, { personId }: SignedIn): Promise<unknown> =>
  db.run(sql`update sessions set ended_at = clock_now() where person_id = ${personId}`)

/** What is left of Ann in a tab: on the page, in its title, in what it keeps. */
const tracesOf = ({ page }: Visitor): Promise<string[]> =>
  page.evaluate(() => {
    const places = {
      page: document.documentElement.outerHTML,
      title: document.title,
      storage: JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
    }
    return Object.entries(places).flatMap(([name, text]) =>
      /Ann Lee|ann@example|Teapots|Web shop|prj_/.test(text) ? [name] : [],
    )
  })
