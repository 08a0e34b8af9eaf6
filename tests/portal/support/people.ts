/** Installations that people come into, and the people. */
import { sessionCookie } from '../../../src/http/persons.ts'
import { PASSWORD, setupToken, signIn, type Browser, type SignedIn } from '../../support/people.ts'
import { freePort } from '../../support/posthouse-process.ts'
import { world, type World } from '../../support/world.ts'
import { portalOf, visitor, type Visitor, type VisitorOptions } from './visitor.ts'

type WhoSignsIn = Parameters<typeof signIn>[1]

/** An installation that knows under which address it is opened: passkeys belong to that. */
export async function house(): Promise<World & { url: string }> {
  const here = await world(await ownAddress())
  return { ...here, url: portalOf(here) }
}

/** What a world needs to know under which address it is opened. */
export async function ownAddress(): Promise<{ port: number; env: Record<string, string> }> {
  const port = await freePort()
  return { port, env: { PUBLIC_URL: `http://localhost:${port}` } }
}

/** The path of a link that makes the first owner. */
export const setupPath = async (here: World): Promise<string> => `/setup#${await setupToken(here)}`

/** A person who is signed in, in a browser of their own. */
export async function comeIn(
  here: World,
  who: WhoSignsIn,
  options: Omit<VisitorOptions, 'url'> = {},
): Promise<{ visitor: Visitor; person: SignedIn }> {
  const person = await signIn(here, who)
  const came = await visitor({ url: portalOf(here), ...options })
  await giveCookie(here, came, person.client)
  return { visitor: came, person }
}

/** The browser has the session that the client has. */
export async function giveCookie(here: World, { page }: Visitor, client: Browser): Promise<void> {
  const value = client.cookie
  if (value === undefined) throw new Error('nobody was signed in')
  await page.context().addCookies([{ name: sessionCookie(here.config.publicUrl), value, url: portalOf(here) }])
}

/** A way to confirm, and to sign in again. */
export async function givePassword(here: World, came: Visitor, person: SignedIn, password = PASSWORD): Promise<void> {
  const { status } = await person.client.post('/session/me/password', { password })
  if (status !== 200) throw new Error(`the password was answered with ${status}`)
  await giveCookie(here, came, person.client)
}

/** Signs in on the page that asks for it. */
export async function signInHere(came: Visitor, email: string): Promise<void> {
  await came.heading('Sign in').waitFor()
  await came.field('Email').fill(email)
  await came.field('Password').fill(PASSWORD)
  await came.press('Enter')
}

/** A device that makes and uses passkeys without asking anybody. */
export async function giveAuthenticator({ page }: Visitor): Promise<void> {
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
