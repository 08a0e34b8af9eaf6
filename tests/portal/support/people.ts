/** Installations that people come into, and the people. */
import { createServer, type AddressInfo } from 'node:net'
import { sessionCookie } from '../../../src/http/persons.ts'
import { newSetupLink } from '../../../src/resources/people/index.ts'
import { signIn, type SignedIn } from '../../support/people.ts'
import { world, type World } from '../../support/world.ts'
import { portalOf, visitor, type Visitor } from './visitor.ts'

type VisitorOptions = Omit<Parameters<typeof visitor>[0], 'url'>
type WhoSignsIn = Parameters<typeof signIn>[1]

/** An installation that knows under which address it is opened: passkeys belong to that. */
export async function house(): Promise<World & { url: string }> {
  const port = await freePort()
  const here = await world({ port, env: { PUBLIC_URL: `http://localhost:${port}` } })
  return { ...here, url: portalOf(here) }
}

/** The path of a link that makes the first owner. */
export async function setupPath({ db, services, config }: World): Promise<string> {
  const link = await newSetupLink(db, (await services.projects.workspace())!, config.publicUrl)
  return link!.slice(config.publicUrl.length)
}

/** Somebody who is signed in, in a browser of their own. */
export async function comeIn(
  here: World,
  who: WhoSignsIn,
  options: VisitorOptions = {},
): Promise<{ visitor: Visitor; person: SignedIn }> {
  const url = portalOf(here)
  const person = await signIn(here, who)
  const came = await visitor({ url, ...options })
  const value = person.client.cookie
  if (value === undefined) throw new Error('nobody was signed in')
  await came.page.context().addCookies([{ name: sessionCookie(here.config.publicUrl), value, url }])
  return { visitor: came, person }
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
