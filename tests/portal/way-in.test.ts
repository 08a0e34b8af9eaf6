import { expect, test } from 'vitest'
import { OWNER, PASSWORD, setUp } from '../support/people.ts'
import { axeFindings } from './support/axe.ts'
import { comeIn, giveAuthenticator, house, setupPath, signInHere } from './support/people.ts'
import { visitor, type Visitor } from './support/visitor.ts'

test('the set-up link makes an owner with a passkey in one click, and its token is nowhere afterwards', async () => {
  const here = await house()
  const ann = await visitor(here)
  await giveAuthenticator(ann)
  const path = await setupPath(here)
  await ann.open(path)
  expect(ann.page.url()).toBe(`${here.url}/setup`)
  await ann.field('Your name').fill('Ann Lee')
  await ann.field('Email').fill('ann@example.com')
  await ann.button('Create a passkey').click()
  await ann.heading('Overview').waitFor()
  expect(ann.input.clicks).toBe(1)
  expect(await tracesIn(ann, path.slice('/setup#'.length))).toEqual([])
  const session = await sessionOf(ann)
  expect(session).toMatchObject({ person: { hasPassword: false }, roles: { workspace: 'owner' } })

  // Whoever is signed in is led on, and once there is an owner everybody else to signing in.
  await ann.open(path)
  await ann.heading('Overview').waitFor()
  await ann.button('Account').click()
  await ann.menuItem('Sign out').click()
  await ann.heading('Sign in').waitFor()
  await ann.open(path)
  await ann.heading('Sign in').waitFor()
  await ann.button('Use a passkey').click()
  await ann.heading('Overview').waitFor()
})

test('without a link the page says where to find it; a wrong one and a refused password lose nothing', async () => {
  const here = await house()
  const newcomer = await visitor(here)
  await newcomer.open('/')
  await newcomer.heading('Set up Posthouse').waitFor()
  expect(await newcomer.text(/printed behind “Portal”/).count()).toBe(1)
  await newcomer.field('Set-up link or secret').fill(`${here.url}/setup#ps_nothing`)
  await newcomer.field('Your name').fill('Ann Lee')
  await newcomer.field('Email').fill(OWNER)
  await newcomer.field('Password').fill('short')
  await newcomer.press('Enter')
  await newcomer.page.getByRole('alert').waitFor()
  expect(await newcomer.page.getByRole('alert').textContent()).toContain('This link was used')

  const path = await setupPath(here)
  // A link that is pasted into the address of an open page changes only what stands behind the #.
  await newcomer.page.evaluate((hash) => (location.hash = hash), path.slice('/setup'.length))
  await newcomer.field('Set-up link or secret').waitFor({ state: 'detached' })
  expect(newcomer.page.url()).toBe(`${here.url}/setup`)
  await newcomer.field('Password').press('Enter')
  await newcomer.text(/must have 12 characters/).waitFor()
  expect(await isFocused(newcomer, 'Password')).toBe(true)
  expect(await newcomer.field('Your name').inputValue()).toBe('Ann Lee')
  await newcomer.field('Password').fill(PASSWORD)
  await newcomer.button('Create the workspace').click()
  await newcomer.heading('Overview').waitFor()
})

test('signing in keeps what was typed, and leads to the page one came for', async () => {
  const here = await house()
  await setUp(here)
  const newcomer = await visitor(here)
  await newcomer.open('/settings/projects')
  await newcomer.heading('Sign in').waitFor()
  await newcomer.field('Email').fill(OWNER)
  await newcomer.field('Password').fill('not this one')
  await newcomer.press('Enter')
  await newcomer.page.getByRole('alert').waitFor()
  expect(await newcomer.field('Email').inputValue()).toBe(OWNER)
  await newcomer.field('Password').fill(PASSWORD)
  await newcomer.press('Enter')
  await newcomer.heading('Projects').waitFor()
  expect(new URL(newcomer.page.url()).pathname).toBe('/settings/projects')
})

test('after signing in nobody is led elsewhere', async () => {
  const here = await house()
  await setUp(here)
  const others = ['//elsewhere.example/', '/\\elsewhere.example', 'https://elsewhere.example', 'javascript:alert(1)']
  for (const next of others) {
    const newcomer = await visitor(here)
    await newcomer.open(`/sign-in?next=${encodeURIComponent(next)}`)
    await signInHere(newcomer, OWNER)
    await newcomer.heading('Overview').waitFor()
    expect(newcomer.page.url().startsWith(here.url), next).toBe(true)
  }
})

test('an invitation says who invites to what, is accepted once, and tells whom to ask afterwards', async () => {
  const here = await house()
  const { person } = await comeIn(here, { role: 'owner', name: 'Ann Lee' })
  const { projectId } = here
  const invited = await person.client.post<{ link: string }>('people/invitations', {
    email: 'ben@example.com',
    projects: [{ projectId, role: 'author' }],
  })
  const ben = await visitor(here)
  await ben.page.goto(invited.body.link)
  await ben.text(/^Ann Lee invites you to/).waitFor()
  await ben.text('author in default').waitFor()
  expect(await ben.field('Email').inputValue()).toBe('ben@example.com')
  expect(new URL(ben.page.url()).hash).toBe('')
  await ben.button('Join').click()
  await ben.text('Write your name.').waitFor()
  await ben.field('Your name').fill('Ben Okafor')
  await ben.field('Password').fill(PASSWORD)
  await ben.press('Enter')
  await ben.heading('Overview').waitFor()
  expect(await sessionOf(ben)).toMatchObject({
    person: { name: 'Ben Okafor' },
    roles: { workspace: null, projects: [{ projectId, role: 'author' }] },
  })

  const late = await visitor(here)
  await late.page.goto(invited.body.link)
  await late.text(/This link was used/).waitFor()
  expect(await late.text(/every owner of the workspace/).count()).toBe(1)
})

test('opened by an address there is everything but passkeys, and a link to where they are', async () => {
  const here = await house()
  await setUp(here)
  const newcomer = await visitor({ url: here.url.replace('localhost', '127.0.0.1') })
  await newcomer.open('/sign-in')
  await newcomer.link(`Open this page at ${new URL(here.url).host}`).waitFor()
  expect(await newcomer.button('Use a passkey').count()).toBe(0)
  await newcomer.field('Email').fill(OWNER)
  await newcomer.field('Password').fill(PASSWORD)
  await newcomer.button('Sign in').click()
  await newcomer.heading('Overview').waitFor()
})

test.each([
  ['light', 'wide'],
  ['dark', 'narrow'],
] as const)('the way in has no finding of axe and fits its window: %s, %s', async (scheme, screen) => {
  const here = await house()
  const newcomer = await visitor({ url: here.url, scheme, screen })
  const look = async (path: string, title: string): Promise<void> => {
    await newcomer.open(path)
    await newcomer.heading(title).waitFor()
    expect(await axeFindings(newcomer), path).toEqual([])
    expect(await newcomer.sideways(), path).toEqual([])
  }
  await look('/setup', 'Set up Posthouse')
  await setUp(here)
  await look('/sign-in', 'Sign in')
  await look('/recover', 'Get back in')
  await look('/recover#pr_nothing', 'Choose a new way in')
  await look('/invitation#pi_nothing', 'You are invited')
  await newcomer.open('/sign-in')
  await newcomer.button('Sign in').click()
  await newcomer.text('Write your password.').waitFor()
  expect(await axeFindings(newcomer)).toEqual([])
})

const sessionOf = ({ page }: Visitor): Promise<unknown> =>
  page.evaluate(async () => (await fetch('/session')).json() as unknown)

/** Where a secret can still be found: in the page, its storage, its address. */
const tracesIn = ({ page }: Visitor, secret: string): Promise<string[]> =>
  page.evaluate((secret) => {
    const places = {
      page: document.documentElement.outerHTML,
      storage: JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
      address: location.href,
    }
    return Object.entries(places).flatMap(([name, text]) => (text.includes(secret) ? [name] : []))
  }, secret)

const isFocused = ({ page }: Visitor, label: string): Promise<boolean> =>
  page.getByLabel(label, { exact: true }).evaluate((element) => element === document.activeElement)
