/** Every secret that the portal makes or takes, on the whole way through it: where it may be, and that it is nowhere else. */
import { expect, test } from 'vitest'
import { PASSWORD, setupToken, tokenIn } from '../support/people.ts'
import { answers, startReceiver } from '../support/receiver.ts'
import { totpNow } from '../support/totp.ts'
import { webhookWorld } from '../support/webhooks.ts'
import { comeIn, giveAuthenticator, house } from './support/people.ts'
import { formsOf, Traces } from './support/traces.ts'
import { visitor, type Visitor } from './support/visitor.ts'

const NEXT_PASSWORD = 'nine bridges over a teapot of gravel'
const THEIR_PASSWORD = 'a lantern for every second harbour'

const PATIENCE_MS = 300_000

test(
  'on all ways in and out a secret is in one request, on the page while it is shown, and nowhere else',
  async () => {
    const here = await house()
    const secrets = new Map<string, string>()
    const ann = await visitor(here)
    const traces = new Traces(ann)
    await giveAuthenticator(ann)

    // The set-up link, and a password.
    const setUp = await setupToken(here)
    secrets.set('the set-up token', setUp).set('the password', PASSWORD)
    await ann.open(`/setup#${setUp}`)
    expect(ann.page.url()).toBe(`${here.url}/setup`)
    expect(await traces.of(setUp)).toEqual([])
    await ann.field('Your name').fill('Ann Lee')
    await ann.field('Email').fill('ann@example.com')
    await ann.field('Password').fill(PASSWORD)
    expect(await traces.of(PASSWORD)).toEqual(['page'])
    await ann.press('Enter')
    await ann.heading('Overview').waitFor()
    expect(await traces.of(setUp)).toEqual(['body'])
    expect(await traces.of(PASSWORD)).toEqual(['body'])
    await noteCookie(ann, secrets)

    // Codes of an authenticator, and those for the day on which it is lost.
    await ann.open('/me')
    await ann.button('Set up codes').click()
    const totp = (await ann.page.getByRole('region', { name: 'Or type this secret into the app' }).textContent()) ?? ''
    secrets.set('the secret of the authenticator', totp)
    expect(await traces.of(totp)).toEqual(['page'])
    await ann.field('Code').fill(totpNow(totp))
    await ann.press('Enter')
    const codes = await textsOf(ann, 'Recovery codes')
    for (const [place, code] of codes.entries()) secrets.set(`recovery code ${place}`, code)
    expect(await traces.of(codes[0]!)).toEqual(['page'])
    expect(await traces.of(totp)).toEqual([])
    await ann.button('I have stored them').click()
    await ann.dialog().waitFor({ state: 'detached' })
    for (const code of codes) expect(await traces.of(code)).toEqual([])
    await noteCookie(ann, secrets)

    // A passkey, and another password.
    await ann.button('Add a passkey').click()
    await ann.field('Name').last().fill('Laptop')
    await ann.press('Enter')
    await ann.page.getByRole('row', { name: /Laptop/ }).waitFor()
    await ann.button('Change the password').click()
    await ann.field('New password').fill(NEXT_PASSWORD)
    await ann.press('Enter')
    await ann.text('The password is changed.').waitFor()
    secrets.set('the next password', NEXT_PASSWORD)
    expect(await traces.of(NEXT_PASSWORD)).toEqual(['body'])
    await noteCookie(ann, secrets)

    // A key.
    await ann.open(`/p/${here.projectId}/keys`)
    await ann.button('New key').click()
    await ann.field('Name').fill('Web shop')
    await ann.button('Create').click()
    const key = (await textsOf(ann, 'The key'))[0]!
    secrets.set('the key', key)
    expect(await traces.of(key)).toEqual(['page'])
    await ann.button('I have stored it').click()
    await ann.dialog().waitFor({ state: 'detached' })
    expect(await traces.of(key)).toEqual([])
    await showAsCurl(ann)
    expect(await traces.of(key)).toEqual([])
    await ann.press('Escape')

    // An invitation, and whom it is for.
    await ann.open('/settings/people')
    await ann.button('Invite').click()
    await ann.field('Email').fill('ben@example.com')
    await ann.button('Create the invitation').click()
    const invitation = tokenIn((await textsOf(ann, 'Invitation link'))[0]!)
    secrets.set('the invitation', invitation).set('the password of the invited', THEIR_PASSWORD)
    expect(await traces.of(invitation)).toEqual(['page'])
    await ann.button('Done').click()
    await ann.dialog().waitFor({ state: 'detached' })
    expect(await traces.of(invitation)).toEqual([])
    const ben = await visitor(here)
    const traceOfBen = new Traces(ben)
    await ben.open(`/invitation#${invitation}`)
    expect(ben.page.url()).toBe(`${here.url}/invitation`)
    await ben.text(/^Ann Lee invites you to/).waitFor()
    expect(await traceOfBen.of(invitation)).toEqual(['body'])
    await ben.field('Your name').fill('Ben Okafor')
    await ben.field('Password').fill(THEIR_PASSWORD)
    await ben.press('Enter')
    await ben.heading('Overview').waitFor()
    // To read it, and to accept it.
    expect(await traceOfBen.of(invitation)).toEqual(['body', 'body'])
    expect(await traceOfBen.of(THEIR_PASSWORD)).toEqual(['body'])
    await noteCookie(ben, secrets)

    // Out, and in again with the password and a recovery code.
    await ann.button('Account').click()
    await ann.menuItem('Sign out').click()
    await ann.heading('Sign in').waitFor()
    await ann.field('Email').fill('ann@example.com')
    await ann.field('Password').fill(NEXT_PASSWORD)
    await ann.press('Enter')
    await ann.button('Use a recovery code').click()
    await ann.field('Recovery code').fill(codes[0]!)
    await ann.press('Enter')
    await ann.heading('Overview').waitFor()
    expect(await traces.of(codes[0]!)).toEqual(['body'])
    // With the change of the password, with the attempt that was asked for a code, and with the one that had it.
    expect(await traces.of(NEXT_PASSWORD)).toEqual(['body', 'body', 'body'])
    await noteCookie(ann, secrets)

    // A link for who cannot sign in.
    const workspace = (await here.services.projects.workspace())!
    const link = await here.services.people.recovery.linkFor({ type: 'operator' }, workspace, 'ben@example.com', false)
    const recovery = tokenIn(link)
    secrets.set('the link of recovery', recovery)
    await ben.page.context().clearCookies()
    await ben.open(`/recover#${recovery}`)
    expect(ben.page.url()).toBe(`${here.url}/recover`)
    await ben.heading('Choose a new way in').waitFor()
    expect(await traceOfBen.of(recovery)).toEqual([])
    await ben.field('Password').fill(NEXT_PASSWORD)
    await ben.press('Enter')
    await ben.heading('Overview').waitFor()
    expect(await traceOfBen.of(recovery)).toEqual(['body'])
    await noteCookie(ben, secrets)

    expect(secrets.size).toBeGreaterThan(20)
    const browsers: [Traces, sent: string[]][] = [
      [traces, [setUp, PASSWORD, NEXT_PASSWORD, codes[0]!]],
      [traceOfBen, [invitation, THEIR_PASSWORD, recovery, NEXT_PASSWORD]],
    ]
    const log = here.logs.join('\n')
    expect(log).toContain('/session/recovery/finish')
    for (const [name, secret] of secrets) {
      expect(secret.length, name).toBeGreaterThan(8)
      expect(
        formsOf(secret).filter((form) => log.includes(form)),
        `${name} in the log`,
      ).toEqual([])
      for (const [browser, sent] of browsers) {
        const places = (await browser.of(secret)).filter((place) => place !== 'body' || !sent.includes(secret))
        expect(places, name).toEqual([])
      }
    }
  },
  PATIENCE_MS,
)

test(
  'the secret of an endpoint is on the page for a minute, when it was added, shown and rotated',
  async () => {
    const here = await webhookWorld()
    const receiver = await startReceiver({ behaviour: answers(200) })
    const { visitor: ann } = await comeIn(here, { role: 'owner' })
    const traces = new Traces(ann)
    await ann.page.clock.install()
    await ann.open(`/p/${here.projectId}/webhooks`)
    await ann.button('Add an endpoint').first().click()
    await ann.field('URL').fill(receiver.url)
    await ann.button('Add').click()
    const first = await textOf(ann, 'The secret')
    expect(first).toMatch(/^whsec_/)
    expect(await traces.of(first)).toEqual(['page'])
    // The portal shows another page by means of timers, so the clock is paused only after that, which moves it on by a minute.
    await pauseClock(ann)
    await ann.button('Show').waitFor()
    expect(await traces.of(first)).toEqual([])
    await ann.page.clock.resume()

    await pauseClock(ann)
    await ann.button('Show').click()
    expect(await textOf(ann, 'The secret')).toBe(first)
    await isGoneAfterAMinute(ann, traces, [first])

    await ann.button('Rotate').click()
    await pauseClock(ann)
    await ann.button('Make a new secret').click()
    const second = await textOf(ann, 'The new secret')
    expect(await textOf(ann, 'The old secret')).toBe(first)
    await isGoneAfterAMinute(ann, traces, [first, second])

    // What is typed for a check stays in its field, and no page that comes later has any of it.
    await ann.page.getByLabel('The secret that your code uses').fill(second)
    expect(await traces.of(second)).toEqual(['page'])
    await ann.button('Show').click()
    expect(await textOf(ann, 'The secret')).toBe(second)
    await ann.link('Emails').click()
    await ann.heading('Emails').waitFor()
    for (const secret of [first, second]) expect(await traces.of(secret)).toEqual([])
    await ann.page.goBack()
    await ann.button('Show').waitFor()
    await showAsCurl(ann)
    for (const secret of [first, second]) {
      expect(await traces.of(secret)).toEqual([])
      expect(formsOf(secret).filter((form) => here.logs.join('\n').includes(form))).toEqual([])
    }
  },
  PATIENCE_MS,
)

test('after signing out, the button back shows nothing of the person', async () => {
  const here = await house()
  const { visitor: ann } = await comeIn(here, { role: 'owner', name: 'Ann Lee', email: 'ann@example.com' })
  for (const [path, title] of [
    ['/settings/people', 'People'],
    ['/me', 'My account'],
  ] as const) {
    await ann.open(path)
    await ann.heading(title).waitFor()
  }
  await ann.button('Account').click()
  await ann.menuItem('Sign out').click()
  await ann.heading('Sign in').waitFor()
  const traces = new Traces(ann)
  for (const text of ['Ann Lee', 'ann@example.com']) expect(await traces.of(text)).toEqual([])
  await ann.page.goBack()
  await ann.page.waitForURL('/sign-in?next=%2Fsettings%2Fpeople')
  for (const text of ['Ann Lee', 'ann@example.com']) expect(await traces.of(text)).toEqual([])
})

/** From now on the time of the page moves only when it is told to, however long the machine takes. */
async function pauseClock({ page }: Visitor): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
}

/** The secrets are on the page until the end of their minute. The clock was paused before, and goes on afterwards. */
async function isGoneAfterAMinute(ann: Visitor, traces: Traces, secrets: readonly string[]): Promise<void> {
  await ann.page.clock.fastForward(59_000)
  for (const secret of secrets) expect(await traces.of(secret)).toEqual(['page'])
  await ann.page.clock.fastForward(1_001)
  await ann.button('Show').waitFor()
  for (const secret of secrets) expect(await traces.of(secret)).toEqual([])
  await ann.page.clock.resume()
}

/** The lines of what is shown under a name. */
const textsOf = async ({ page }: Visitor, name: string): Promise<string[]> =>
  ((await page.getByRole('region', { name, exact: true }).textContent()) ?? '').split('\n')

/** What is shown under a name. */
const textOf = async (ann: Visitor, name: string): Promise<string> => (await textsOf(ann, name)).join('\n')

/** The value of the session's cookie is a secret each time that it changes. */
async function noteCookie({ page }: Visitor, secrets: Map<string, string>): Promise<void> {
  const cookie = (await page.context().cookies()).find(({ httpOnly }) => httpOnly)
  if (cookie === undefined) throw new Error('nobody is signed in')
  if (![...secrets.values()].includes(cookie.value)) secrets.set(`session ${secrets.size}`, cookie.value)
}

async function showAsCurl(ann: Visitor): Promise<void> {
  await ann.button('What can be done here').click()
  await ann.menuItem('Show as curl').click()
  await ann.page.getByRole('region', { name: 'Calls of this page' }).waitFor()
}
